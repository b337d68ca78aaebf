import Foundation
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
        let listener = try await FakeServer(greeting: FakeServer.clearGreeting)
        let error = await failure(try HubURL("tls://club:secret@localhost:\(listener.port)"))
        #expect(error?.code == .clear)
        #expect(try await listener.end() == "")
    }

    @Test("A server that begins TLS and says no more is given up, and so is one that never speaks")
    func silent() async throws {
        for greeting in [FakeServer.tlsGreeting, ""] {
            let listener = try await FakeServer(greeting: greeting)
            let url = try HubURL("tls://club:secret@localhost:\(listener.port)")
            let connection = HubConnection(to: url, patience: .milliseconds(300))
            let error = await #expect(throws: HubError.self) { try await connection.open() }
            #expect(error?.code == .unreachable)
            #expect(try await !listener.end().contains("secret"))
        }
    }

    @Test("A login may have any printable characters")
    func quoting() async throws {
        let listener = try await FakeServer(greeting: FakeServer.clearGreeting)
        let connection = HubConnection(to: try HubURL("nats://cl%22ub:se%5Ccret@localhost:\(listener.port)"))
        try await connection.open()
        await connection.close()
        #expect(try await listener.end().contains(#""user":"cl\"ub","pass":"se\\cret""#))
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
