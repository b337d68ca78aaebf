import NIOCore
import NIOPosix
import Synchronization

/// A server that greets like NATS, lets in whoever logs in without TLS, and keeps what it gets.
final class FakeServer: Sendable {
    /// A greeting that offers no TLS, and asks for a login.
    static let clearGreeting = greeting("\"auth_required\":true")
    /// A greeting of a port for leaf nodes that offers no TLS.
    static let clearLeafGreeting = greeting("\"auth_required\":true,\"client_id\":5,\"leafnode_urls\":[]")
    /// A greeting after which TLS begins.
    static let tlsGreeting = greeting("\"auth_required\":true,\"tls_required\":true")

    let port: Int
    private let channel: any Channel
    private let received: Received

    private final class Received: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        let greeting: String
        let text = Mutex("")

        init(greeting: String) { self.greeting = greeting }

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(NIOAny(ByteBuffer(string: greeting)), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = String(buffer: unwrapInboundIn(data))
            text.withLock { $0 += bytes }
            guard bytes.contains("PING") else { return }
            context.writeAndFlush(NIOAny(ByteBuffer(string: "PONG\r\n")), promise: nil)
        }
    }

    init(greeting: String) async throws {
        let received = Received(greeting: greeting)
        self.received = received
        channel = try await ServerBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .childChannelInitializer { $0.pipeline.addHandler(received) }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    /// Waits until something comes, and returns it.
    func firstBytes() async -> String {
        while received.text.withLock({ $0.isEmpty }) { await Task.yield() }
        return received.text.withLock { $0 }
    }

    /// Stops listening, and returns the bytes that came.
    func end() async throws -> String {
        try await channel.close()
        return received.text.withLock { $0 }
    }

    private static func greeting(_ fields: String) -> String {
        "INFO {\"server_id\":\"A\",\"version\":\"2.9.10\",\"proto\":1,\"headers\":true,\"max_payload\":24576,\(fields)}\r\n"
    }
}
