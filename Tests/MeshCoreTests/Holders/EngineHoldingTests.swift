import MeshSimulation
import Testing

@testable import MeshCore

/// The engine's part in the exchange with holders; the simulations cover the whole.
@Suite("An engine that holds pieces")
struct EngineHoldingTests {
    private static let interface = InterfaceID(index: 1, family: .v4)
    private static let port: UInt16 = 4_000

    private static func endpoint(_ last: UInt8) throws -> Endpoint {
        Endpoint(interface: interface, address: try #require(IPAddress(bytes: [10, 0, 0, last])), port: port)
    }

    private static func handle(
        _ event: MeshEvent,
        by engine: inout MeshEngine,
        at now: MeshInstant
    ) -> [MeshEffect] {
        var effects: [MeshEffect] = []
        engine.handle(event, at: now, into: &effects)
        return effects
    }

    /// An engine that sees 24 nodes and keeps a piece apart, some seconds after its start.
    private static func engine() throws -> (MeshEngine, MeshInstant) {
        var engine = MeshEngine(
            configuration: .simulated,
            cryptography: NullCryptography(),
            random: MeshRandom(seed: 1),
            now: .zero
        )
        let own = try endpoint(1).address
        let up = MeshEvent.interfaceUp(interface, prefixes: [Prefix(address: own, length: 24)], unicastPort: port)
        _ = handle(up, by: &engine, at: .zero)
        var now = MeshInstant.zero
        for last in 101...124 as ClosedRange<UInt8> {
            now = now.advanced(by: .milliseconds(100))
            let beacon = Beacon(
                flags: [],
                unicastPort: port,
                node: NodeID(UInt64(last)),
                interval: 100,
                sequence: 1,
                shelf: .everything,
                minutes: 1,
                networkTag: 0
            )
            _ = handle(.datagram(beacon.encoded(), from: try endpoint(last), multicast: true), by: &engine, at: now)
        }
        _ = handle(.handOver(kind: .chunk, body: [UInt8](repeating: 7, count: 40), life: 360), by: &engine, at: now)
        return (engine, now)
    }

    /// Returns the addresses to which an engine sends when a node pushes a search for the piece.
    private static func answers(to last: UInt8, by engine: inout MeshEngine, at now: MeshInstant) throws -> Set<
        IPAddress
    > {
        let tag = ObjectTag(0x0707_0707_0707_0707)
        let hash = NullCryptography().shortHash(of: tag.value, salt: UInt64(last))
        let seek = Seek.holders(of: tag, number: UInt64(last), tagHash: hash)
        let probe = Envelope(kind: .probe, life: 2, body: seek.encoded())
        let push = PushDatagram(unicastPort: port, node: NodeID(UInt64(last)), envelope: probe.encoded())
        let effects = handle(.datagram(push.encoded(), from: try endpoint(last), multicast: true), by: &engine, at: now)
        return Set(effects.compactMap { if case .send(_, let endpoint) = $0 { endpoint.address } else { nil } })
    }

    @Test("Whoever has a piece dials a node that pushes a search for it, but none that it does not see there")
    func dials() throws {
        var (engine, now) = try Self.engine()
        #expect(engine.router.machine.store.apart.tags.count == 1 && engine.snapshot.neighbours.count == 24)
        let unseen = try Self.answers(to: 200, by: &engine, at: now)
        #expect(unseen.isEmpty)
        var dialled: [UInt8] = []
        for last in 120...124 as ClosedRange<UInt8> {
            let address = try Self.endpoint(last).address
            if try Self.answers(to: last, by: &engine, at: now).contains(address) { dialled.append(last) }
        }
        #expect(!dialled.isEmpty)
    }
}
