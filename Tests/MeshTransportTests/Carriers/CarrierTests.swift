import MeshSimulation
import Testing

@testable import MeshTransport

@Suite("Carriers")
struct CarrierTests {
    @Test(
        "A carrier is read from its text and written as it was",
        arguments: [
            ("tcp:example.org:4000", .tcp(HostPort(host: "example.org", port: 4_000))),
            ("tcp:[::1]:4000", .tcp(HostPort(host: "::1", port: 4_000))),
            ("listen:0.0.0.0:4000", .listen(host: "0.0.0.0", port: 4_000)),
            ("listen:[::]:4000", .listen(host: "::", port: 4_000)),
            ("exec:ssh host nc localhost 4000", .command("ssh host nc localhost 4000")),
            ("exec: a:b | c", .command(" a:b | c")),
        ] as [(String, Carrier)]
    )
    func texts(text: String, carrier: Carrier) throws {
        #expect(try Carrier(text) == carrier)
        #expect(carrier.description == text)
    }

    @Test("Without an address, a node listens for this machine only")
    func localListener() throws {
        #expect(try Carrier("listen:4000") == .listen(host: "127.0.0.1", port: 4_000))
    }

    @Test(
        "Other texts are refused with advice",
        arguments: [
            "", "tcp", "tcp:", "tcp:host", "tcp:host:0", "tcp:host:65536", "tcp:::1:5", "listen:", "listen:0",
            "listen:x", "listen:-1", "exec:", "exec: ", "exec:a\0b", "udp:host:5", "TCP:host:5",
        ]
    )
    func refusals(text: String) {
        let error = #expect(throws: MeshTransportError(.invalidCarrier, reason: "")) { try Carrier(text) }
        #expect(error?.reason.contains(" is not a carrier. Write ") == true)
    }

    @Test(
        "Eight streams may be opened, and eight addresses listened on, not more",
        arguments: [Carrier.command("exit"), .listen(host: Carrier.localHost, port: 0)]
    )
    func count(carrier: Carrier) async throws {
        try await withRunning([TestNode(.streams(Array(repeating: carrier, count: 8)))]) {}
        let node = TestNode(.streams(Array(repeating: carrier, count: 9))).node
        await #expect(throws: MeshTransportError(.invalidCarrier, reason: "")) { try await node.start() }
    }
}

extension Carrier {
    fileprivate static func tcp(_ peer: HostPort?) -> Carrier {
        guard let peer else { preconditionFailure("the test gives a host and a port") }
        return .tcp(peer)
    }
}
