import ArgumentParser
import Earshot
import EarshotTesting
import Foundation
import MeshSimulation
import NIOCore
import NIOSOCKS
import Testing

@testable import EarshotCLI
@testable import GatewayCore
@testable import MeshGateway

/// Tests of hubs that are reached by a proxy.
@Suite("Hubs by way of a proxy", .timeLimit(.minutes(5)))
struct ProxyTests {
    private static func proxy(_ server: ProxyServer) throws -> HubProxy {
        try HubProxy("socks5://127.0.0.1:\(server.port)")
    }

    /// Opens a connection, and returns the failure.
    private static func failure(_ hub: HubURL) async -> HubError? {
        let connection = HubConnection(to: hub, patience: .seconds(20))
        do throws(HubError) {
            try await connection.open()
            await connection.close()
            return nil
        } catch {
            return error
        }
    }

    @Test("Mail goes by the proxy, which resolves the name, and TLS holds from end to end")
    func canary() async throws {
        let server = try HubServer()
        _ = try await HubOperator(server).create()
        let proxy = try await ProxyServer()
        let hub = try await server.url().reached(by: Self.proxy(proxy))
        let connection = HubConnection(to: hub, authorities: server.certificate)
        try await connection.open()
        var random = SystemRandomNumberGenerator()
        #expect(try await connection.run(Canary(for: hub, using: &random)).stream == "MAIL")
        await connection.close()
        #expect(proxy.destinations == [.domain(hub.host, port: Int(hub.port))])
        // The certificate is checked as without a proxy.
        #expect(await Self.failure(hub)?.code == .certificate)
        await proxy.end()
    }

    @Test("A numeric address is given to the proxy as such")
    func numeric() async throws {
        let proxy = try await ProxyServer(refusal: .hostUnreachable)
        let hub = try HubURL("tls://203.0.113.7:4333").reached(by: Self.proxy(proxy))
        #expect(await Self.failure(hub)?.code == .proxy)
        let address = try SocketAddress(ipAddress: "203.0.113.7", port: 4_333)
        #expect(proxy.destinations == [.address(address)])
        await proxy.end()
    }

    @Test("A proxy that refuses, is none, or is gone is named, and nothing goes around it")
    func failures() async throws {
        let server = try HubServer()
        let listener = try await FakeServer(greeting: "HTTP/1.1 400 Bad Request\r\n\r\n")
        let refusing = try await ProxyServer(refusal: .hostUnreachable)
        let gone = try await ProxyServer()
        let (url, missing) = (try await server.url(), try Self.proxy(gone))
        await gone.end()
        let cases = [
            (try Self.proxy(refusing), "refused \(url.endpoint): host unreachable"),
            (try HubProxy("socks5://127.0.0.1:\(listener.port)"), "is none for SOCKS5 without a login"),
            (missing, "does not answer: connection refused"),
        ]
        for (proxy, words) in cases {
            let error = await Self.failure(url.reached(by: proxy))
            #expect(error?.code == .proxy)
            #expect(error?.what == "The proxy \(proxy) \(words). Nothing was sent.")
        }
        await refusing.end()
    }

    @Test("An onion service is asked of a proxy, and of nobody else")
    func onion() async throws {
        let proxy = try await ProxyServer(refusal: .hostUnreachable)
        let hub = try HubURL("nats://club:secret@abcdefgh.onion")
        #expect(await Self.failure(hub)?.code == .proxyURL)
        let reached = try hub.reached(by: Self.proxy(proxy))
        #expect(await Self.failure(reached)?.code == .proxy)
        #expect(proxy.destinations == [.domain("abcdefgh.onion", port: 4_222)])
        await proxy.end()
    }

    @Test("A node's choice of a proxy is kept in its data directory, and holds at its next start too")
    func choice() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "earshot-proxy-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let home = HomeDirectory(try GlobalOptions.parse(["--home", folder.path]))
        let proxy = try await ProxyServer(refusal: .hostUnreachable)
        let node = try await VirtualMesh(.clique(1), seed: 3).node("Alice", at: 0)
        let address = "socks5://127.0.0.1:\(proxy.port)"
        for (arguments, kept) in [(["--hub-proxy", address], address), ([], address), (["--hub-proxy", "none"], nil)] {
            let count = proxy.destinations.count
            // Nothing listens there: without the proxy nobody is asked.
            let options = try NodeHubArguments.parse(["--hub", "tls://127.0.0.1:1"] + arguments)
            let hubs = try await options.connect(node, in: home)
            while await node.status.hubs.first?.problem == nil { await Task.yield() }
            #expect(await node.status.hubs.first?.problem == (kept == nil ? "hubUnreachable" : "hubProxy"))
            #expect((proxy.destinations.count > count) == (kept != nil))
            #expect(try HubList(in: home).proxy?.text == kept)
            await hubs.stop()
        }
        await node.stop()
        await proxy.end()
    }

    @Test("The address of a proxy has a host and a port, and no login")
    func addresses() throws {
        #expect(try HubProxy("socks5://127.0.0.1:9050").text == "socks5://127.0.0.1:9050")
        #expect(throws: HubError.url) { try HubURL("tls://abcd.onion.") }
        #expect(try HubProxy("SOCKS5://[::1]:9050/").text == "socks5://[::1]:9050")
        for text in [
            "", "127.0.0.1:9050", "http://127.0.0.1:1", "socks5://127.0.0.1", "socks5://127.0.0.1:0",
            "socks5://u:p@127.0.0.1:1", "socks5://127.0.0.1:1/x", "socks5://proxy.example.org:1080",
            "socks5://203.0.113.7:1080", "socks5://localhost.:1",
        ] {
            #expect(throws: HubError.proxyURL) { try HubProxy(text) }
        }
    }
}
