import Earshot
import Foundation
import NIOCore
import Testing

@testable import EarshotRPC

@Suite("Metrics server")
struct MetricsServerTests {
    private func withServer(
        connectionTime: TimeAmount = .hours(1),
        _ body: (UInt16) async throws -> Void
    ) async throws {
        let server = MetricsServer(port: 0, connectionTime: connectionTime) { Samples.metrics }
        let port = try await server.start()
        do {
            try await body(port)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private static func request(_ line: String, host: String = "127.0.0.1", more: String = "") -> String {
        "\(line) HTTP/1.1\r\nHost: \(host)\r\n\(more)\r\n"
    }

    @Test("A program of the machine gets valid text, with every figure")
    func answer() async throws {
        try await withServer { port in
            let answer = try await TCPClient.exchange(Self.request("GET /metrics"), port: port)
            let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1)
            #expect(parts.first?.hasPrefix("HTTP/1.1 200 OK\r\n") == true)
            #expect(parts.first?.contains("content-type: text/plain; version=0.0.4; charset=utf-8") == true)
            let families = try PrometheusParser(String(parts.last ?? "")).families
            #expect(families["mesh_neighbours"]?.samples == ["": 3])
            #expect(families["mesh_drops_total"]?.samples == [#"reason="late""#: 4, #"reason="odd""#: 0])
        }
    }

    @Test(
        "Other paths, other methods and other hosts are refused",
        arguments: [
            ("GET /", "127.0.0.1", "404"), ("POST /metrics", "127.0.0.1", "405"),
            ("GET /metrics", "attacker.example", "421"), ("GET /metrics", "127.0.0.1.attacker.example", "421"),
            ("GET /metrics", "localhost:80", "200"),
        ]
    )
    func refusals(line: String, host: String, status: String) async throws {
        try await withServer { port in
            let answer = try await TCPClient.exchange(Self.request(line, host: host), port: port)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        }
    }

    @Test("It listens on 127.0.0.1 and on no other address")
    func loopbackOnly() async throws {
        try await withServer { port in
            await #expect(throws: (any Error).self) {
                try await TCPClient.exchange(Self.request("GET /metrics"), host: "127.0.0.2", port: port)
            }
        }
    }

    @Test("A request longer than allowed is not answered")
    func longRequest() async throws {
        try await withServer { port in
            let filling = "X: " + String(repeating: "x", count: MetricsLimits.requestByteCount) + "\r\n"
            let answer = try? await TCPClient.exchange(Self.request("GET /metrics", more: filling), port: port)
            #expect(answer ?? "" == "")
        }
    }

    @Test("Senseless bytes get no figures")
    func malformed() async throws {
        try await withServer { port in
            let answer = try? await TCPClient.exchange("\u{1}\u{2}\r\n\r\n", port: port)
            #expect(answer?.contains("mesh_") != true)
        }
    }

    @Test("A connection that asks nothing is closed when its time is over")
    func idleConnection() async throws {
        try await withServer(connectionTime: .milliseconds(1)) { port in
            let answer = try? await TCPClient.exchange("", port: port)
            #expect(answer ?? "" == "")
        }
    }

    @Test("One connection more than allowed is closed, and there is room again when others end")
    func connectionLimit() async throws {
        try await withServer { port in
            var open: [TCPClient] = []
            for _ in 0..<MetricsLimits.connectionCount {
                open.append(try await TCPClient.connect(port: port))
            }
            let extra = try? await TCPClient.exchange(Self.request("GET /metrics"), port: port)
            #expect(extra ?? "" == "")
            for client in open { #expect(try await client.exchange(Self.request("GET /metrics")).contains(" 200 ")) }
            var answer: String?
            while answer?.isEmpty ?? true {
                answer = try? await TCPClient.exchange(Self.request("GET /metrics"), port: port)
            }
            #expect(answer?.contains(" 200 ") == true)
        }
    }
}
