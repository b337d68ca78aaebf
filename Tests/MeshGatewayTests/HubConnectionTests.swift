import Foundation
import Testing

@testable import GatewayCore
@testable import MeshGateway

/// Tests with real servers on the loopback interface.
@Suite("Connections to hubs", .timeLimit(.minutes(30)))
struct HubConnectionTests {
    private struct Login: Decodable {
        let user: String
        let pass: String
    }

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
        #expect(other?.what.contains("it is valid for another name") == true)
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

    @Test(
        "A server that falls silent is given up: before its greeting, within TLS, and after the login",
        arguments: [("tls", ""), ("tls", FakeServer.tlsGreeting), ("nats", FakeServer.clearGreeting)]
    )
    func silent(scheme: String, greeting: String) async throws {
        let listener = try await FakeServer(greeting: greeting, .silent)
        let url = try HubURL("\(scheme)://club:secret@localhost:\(listener.port)")
        let connection = HubConnection(to: url, patience: .milliseconds(300))
        let error = await #expect(throws: HubError.self) { try await connection.open() }
        #expect(error?.code == .unreachable)
        #expect(error?.what.hasSuffix("does not answer: it is silent.") == true)
        let isLeftInSecret = try await !listener.end().contains("secret")
        #expect(isLeftInSecret || scheme == "nats")
    }

    @Test("A login may have any printable characters")
    func quoting() async throws {
        let listener = try await FakeServer(greeting: FakeServer.clearGreeting)
        let connection = HubConnection(to: try HubURL("nats://cl%22ub:se%5Ccret@localhost:\(listener.port)"))
        try await connection.open()
        await connection.close()
        let line = try #require(try await listener.end().split(separator: "\r\n").first)
        let login = try JSONDecoder().decode(Login.self, from: Data(line.dropFirst("CONNECT ".count).utf8))
        #expect(login.user == #"cl"ub"#)
        #expect(login.pass == #"se\cret"#)
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
