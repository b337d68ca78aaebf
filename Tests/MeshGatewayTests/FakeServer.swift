import Foundation
import NIOCore
import NIOPosix
import Synchronization

@testable import GatewayCore
@testable import MeshGateway

/// A server that greets like NATS, lets in whoever logs in without TLS, and keeps what it gets.
final class FakeServer: Sendable {
    /// A greeting that offers no TLS, and asks for a login.
    static let clearGreeting = greeting("\"auth_required\":true")
    /// A greeting of a port for leaf nodes that offers no TLS.
    static let clearLeafGreeting = greeting("\"auth_required\":true,\"client_id\":5,\"leafnode_urls\":[]")
    /// A greeting after which TLS begins.
    static let tlsGreeting = greeting("\"auth_required\":true,\"tls_required\":true")

    /// The things that the server does once somebody has logged in.
    enum Manners: Sendable {
        /// It answers.
        case polite
        /// It answers nothing.
        case silent
        /// It answers the login, and reads nothing after it.
        case deaf
        /// It answers the login with these bytes.
        case saying(String)
        /// It answers, and to a subscription to mail sends these bytes again and again, as soon as they are taken.
        case flooding(String, count: Int)
    }

    let port: Int
    private let channel: any Channel
    private let talk: Talk

    private final class Talk: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        let greeting: String
        let manners: Manners
        let text = Mutex("")
        let floodCount = Mutex(0)

        init(greeting: String, manners: Manners) {
            self.greeting = greeting
            self.manners = manners
        }

        func channelActive(context: ChannelHandlerContext) { send(greeting, context) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = String(buffer: unwrapInboundIn(data))
            text.withLock { $0 += bytes }
            if case .flooding(let text, let count) = manners, bytes.contains("SUB e.") {
                flood(ByteBuffer(string: text), count, context)
            }
            guard bytes.contains("PING\r\n") else { return }
            switch manners {
            case .polite, .flooding: send("PONG\r\n", context)
            case .silent: return
            case .deaf:
                send("PONG\r\n", context)
                context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
            case .saying(let text): send(text, context)
            }
        }

        private func flood(_ piece: ByteBuffer, _ count: Int, _ context: ChannelHandlerContext) {
            guard count > 0 else { return }
            let promise = context.eventLoop.makePromise(of: Void.self)
            context.writeAndFlush(wrapOutboundOut(piece), promise: promise)
            promise.futureResult.assumeIsolated().whenSuccess {
                self.floodCount.withLock { $0 += 1 }
                // Others wait for the same loop.
                context.eventLoop.assumeIsolated().execute { self.flood(piece, count - 1, context) }
            }
        }

        private func send(_ text: String, _ context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        }
    }

    init(greeting: String, _ manners: Manners = .polite) async throws {
        let talk = Talk(greeting: greeting, manners: manners)
        self.talk = talk
        channel = try await ServerBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .childChannelInitializer { $0.pipeline.addHandler(talk) }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    /// The number of times that the bytes of a flood were taken.
    var floodCount: Int { talk.floodCount.withLock { $0 } }

    /// Waits until nothing of a flood has been taken for a while, and returns the number of times that it was.
    func stalledFloodCount() async -> Int {
        var (count, since) = (0, ContinuousClock.now)
        while count == 0 || since.duration(to: .now) < .milliseconds(500) {
            let present = floodCount
            if present != count { (count, since) = (present, .now) }
            await Task.yield()
        }
        return count
    }

    /// Returns the number of times that a text has come.
    func count(of text: String) -> Int { talk.text.withLock { $0.components(separatedBy: text).count - 1 } }

    /// Waits until something comes, and returns it.
    func firstBytes() async -> String {
        while talk.text.withLock({ $0.isEmpty }) { await Task.yield() }
        return talk.text.withLock { $0 }
    }

    /// Stops listening, and returns the bytes that came.
    func end() async throws -> String {
        try await channel.close()
        return talk.text.withLock { $0 }
    }

    /// Returns a connection to the server, without TLS.
    func connection(_ times: HubTimes = HubTimes()) throws -> HubConnection {
        HubConnection(to: try HubURL("nats://club:secret@127.0.0.1:\(port)"), times: times)
    }

    private static func greeting(_ fields: String) -> String {
        "INFO {\"server_id\":\"A\",\"version\":\"2.9.10\",\"proto\":1,\"headers\":true,\"max_payload\":24576,\(fields)}\r\n"
    }
}
