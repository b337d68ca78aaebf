import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import MeshGateway

/// Tests with real servers on the loopback interface.
@Suite("Connections to hubs", .timeLimit(.minutes(30)))
struct HubConnectionTests {
    /// Connects, and returns the reason why that fails.
    private func failure(_ url: HubURL, authorities: String? = nil) async -> HubError? {
        let connection = HubConnection(to: url, authorities: authorities)
        do {
            try await connection.open()
            await connection.close()
            return nil
        } catch {
            return error
        }
    }

    @Test("A hub with a certificate for its name lets in whoever has the login")
    func open() async throws {
        let server = try HubServer()
        let url = try await server.url()
        #expect(await failure(url, authorities: server.certificate) == nil)
    }

    @Test("A wrong login is refused")
    func login() async throws {
        let server = try HubServer()
        let wrong = try await server.url(login: "club:wrong")
        #expect(await failure(wrong, authorities: server.certificate)?.code == .login)
        let none = try HubURL("tls://localhost:\(try await server.port())")
        #expect(await failure(none, authorities: server.certificate)?.code == .login)
    }

    @Test("A certificate that nobody trusts, or of another name, ends the connection")
    func certificate() async throws {
        let server = try HubServer()
        let unknown = await failure(try await server.url())
        #expect(unknown?.code == .certificate)
        #expect(unknown?.what.contains("self-signed certificate") == true)
        let other = await failure(try await server.url(host: "127.0.0.1"), authorities: server.certificate)
        #expect(other?.code == .certificate)
        #expect(other?.what.contains("IP address mismatch") == true)
        let noFile = await failure(try await server.url(), authorities: server.folder.path + "/none.pem")
        #expect(noFile?.code == .authorities)
    }

    @Test("To a server without TLS nothing is sent, although it asks for a login")
    func clear() async throws {
        let listener = try await ClearServer()
        let error = await failure(try HubURL("tls://club:secret@localhost:\(listener.port)"))
        #expect(error?.code == .clear)
        #expect(try await listener.end() == "")
    }

    @Test("A port where nobody listens, and one of something else, are told apart")
    func unreachable() async throws {
        let server = try HubServer()
        let url = try await server.url("nats")
        server.end()
        let refused = await failure(url)
        #expect(refused?.code == .unreachable)
        #expect(refused?.what.hasSuffix("does not answer: connection refused.") == true)
    }

    @Test("The end of a server is noticed, and nothing reconnects by itself")
    func end() async throws {
        let server = try HubServer()
        let connection = HubConnection(to: try await server.url(), authorities: server.certificate)
        try await connection.open()
        server.end()
        var isClosed = false
        for await _ in connection.inbox.bell {
            for case .closed in connection.inbox.take() { isClosed = true }
            if isClosed { break }
        }
        #expect(isClosed)
        await connection.close()
    }
}

/// A server that speaks NATS without TLS, asks for a login, and keeps what it gets.
private final class ClearServer: Sendable {
    private let channel: any Channel
    private let received = Received()
    let port: Int

    private final class Received: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        let text = Mutex("")

        func channelActive(context: ChannelHandlerContext) {
            let greeting = """
                INFO {"server_id":"A","version":"2.9.10","proto":1,"headers":true,"auth_required":true,\
                "max_payload":24576}\r\n
                """
            context.writeAndFlush(NIOAny(ByteBuffer(string: greeting)), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = String(buffer: unwrapInboundIn(data))
            text.withLock { $0 += bytes }
            // Whoever logs in without TLS is welcome.
            guard bytes.contains("PING") else { return }
            context.writeAndFlush(NIOAny(ByteBuffer(string: "PONG\r\n")), promise: nil)
        }
    }

    init() async throws {
        channel = try await ServerBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .childChannelInitializer { [received] channel in channel.pipeline.addHandler(received) }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    /// Stops listening, and returns what came.
    func end() async throws -> String {
        try await channel.close()
        return received.text.withLock { $0 }
    }
}
