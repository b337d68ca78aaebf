import MeshSimulation
import Testing

@testable import MeshCore

/// Tests of the traffic that forged beacons make a node send to their claimed address; the link tests cover INITs.
@Suite("Reflection")
struct ReflectionTests {
    private static let interface = InterfaceID(index: 1, family: .v4)
    private static let prefix = Prefix(address: ipv4(10, 0, 0, 1), length: 24)

    /// Returns the traffic to each address within a minute of beacons at the highest rate that a node accepts.
    ///
    /// Units: bytes.
    private func bytesSent(beaconsFrom address: IPAddress) -> [IPAddress: Int] {
        var engine = MeshEngine(
            configuration: .simulated,
            cryptography: ToyCryptography(),
            random: MeshRandom(seed: 1),
            now: .zero
        )
        var effects: [MeshEffect] = []
        engine.handle(
            .interfaceUp(Self.interface, prefixes: [Self.prefix], unicastPort: 4_000),
            at: .zero,
            into: &effects
        )
        effects = []
        let source = Endpoint(interface: Self.interface, address: address, port: 28_787)
        for step in 0..<600 {
            let now = MeshInstant.zero.advanced(by: .milliseconds(100 * step))
            let beacon = Beacon.sample(sequence: UInt16(step), flags: .solicit)
                .sealed(from: address, by: ToyCryptography())
            engine.handle(.datagram(beacon, from: source, multicast: step % 2 == 0), at: now, into: &effects)
            while engine.nextDeadline <= now.advanced(by: .milliseconds(99)) {
                engine.handle(.tick, at: max(now, engine.nextDeadline), into: &effects)
            }
        }
        var counts: [IPAddress: Int] = [:]
        for case .send(let bytes, let endpoint) in effects { counts[endpoint.address, default: 0] += bytes.count }
        return counts
    }

    @Test("An address on the segment gets less than the beacons that claim to be from there, in four INITs and answers")
    func onLink() {
        let counts = bytesSent(beaconsFrom: ipv4(10, 0, 0, 7))
        #expect(counts.keys.map(\.bytes) == [[10, 0, 0, 7]])
        let answers = 60 * 2 * Beacon.byteCount
        #expect(counts.values.allSatisfy { $0 <= answers + 4 * LinkProtocol.minimumInitiationByteCount })
        #expect(answers + 4 * LinkProtocol.minimumInitiationByteCount < 600 * Beacon.byteCount)
    }

    @Test("An address beyond the segment gets nothing")
    func offLink() {
        #expect(bytesSent(beaconsFrom: ipv4(10, 0, 1, 7)) == [:])
    }
}
