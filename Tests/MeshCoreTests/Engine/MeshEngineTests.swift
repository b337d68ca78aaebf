import MeshSimulation
import Testing

@testable import MeshCore

/// Tests of the code that the engine adds to its parts; the simulations cover the parts together.
@Suite("Mesh engine")
struct MeshEngineTests {
    private static let interface = InterfaceID(index: 1, family: .v4)

    private func engine(_ configuration: MeshConfiguration = .simulated) -> MeshEngine {
        MeshEngine(
            configuration: configuration,
            cryptography: ToyCryptography(),
            random: MeshRandom(seed: 1),
            now: .zero
        )
    }

    private func handle(_ event: MeshEvent, by engine: inout MeshEngine, at now: MeshInstant = .zero) -> [MeshEffect] {
        var effects: [MeshEffect] = []
        engine.handle(event, at: now, into: &effects)
        return effects
    }

    private func address(_ last: UInt8) throws -> IPAddress { try #require(IPAddress(bytes: [10, 0, 0, last])) }

    private func interfaceUp() throws -> MeshEvent {
        .interfaceUp(Self.interface, prefixes: [Prefix(address: try address(1), length: 24)], unicastPort: 4_000)
    }

    @Test("An interface that comes up is beaconed on at once and again at the deadline")
    func beacons() throws {
        var engine = engine()
        let first = handle(try interfaceUp(), by: &engine)
        guard case .multicast(let beacon, Self.interface) = first.first else {
            Issue.record("no beacon")
            return
        }
        #expect(Array(beacon.prefix(4)) == Array("EAR1".utf8))
        let deadline = engine.nextDeadline
        #expect(deadline == MeshInstant.zero.advanced(by: .milliseconds(30)))
        #expect(handle(.tick, by: &engine, at: deadline.advanced(by: .nanoseconds(-1))) == [])
        #expect(engine.nextDeadline == deadline)
        #expect(handle(.tick, by: &engine, at: deadline).count == 1)
    }

    @Test("What is dropped is told and counted")
    func drops() throws {
        var engine = engine()
        _ = handle(try interfaceUp(), by: &engine)
        let source = Endpoint(interface: Self.interface, address: try address(2), port: 9)
        let bad: [(bytes: [UInt8], isMulticast: Bool)] = [
            ([], false), ([0x99], false), (Array("EAR1".utf8), true), (Array("nonsense".utf8), true),
        ]
        for (bytes, isMulticast) in bad {
            let effects = handle(.datagram(bytes, from: source, multicast: isMulticast), by: &engine)
            guard effects.count == 1, case .dropped = effects.first else {
                Issue.record("\(bytes) gave \(effects)")
                continue
            }
        }
        #expect(engine.snapshot.drops.values.reduce(0, +) == bad.count)
        #expect(engine.snapshot.drops[.malformedDatagram] ?? 0 > 0)
    }

    @Test("An INIT from an address off the interface's subnets gets no answer; one by a socket without interface does")
    func offLink() throws {
        var engine = engine()
        let routed = InterfaceID(index: 0, family: .v4)
        _ = handle(try interfaceUp(), by: &engine)
        _ = handle(.interfaceUp(routed, prefixes: [], unicastPort: 5_000), by: &engine)
        let initiation = NullCryptography().initiation(from: NodeID(9)).encoded()
        let foreign = try #require(IPAddress(bytes: [198, 51, 100, 7]))
        func answers(from address: IPAddress, on interface: InterfaceID) -> [MeshEffect] {
            let source = Endpoint(interface: interface, address: address, port: 9)
            return handle(.datagram(initiation, from: source, multicast: false), by: &engine)
        }
        #expect(answers(from: foreign, on: Self.interface) == [.dropped(.offLink)])
        #expect(answers(from: foreign, on: InterfaceID(index: 5, family: .v4)) == [.dropped(.offLink)])
        let others = [routed, .stream(8)].map { answers(from: foreign, on: $0) }
        for answer in others + [answers(from: try address(2), on: Self.interface)] {
            guard case .send(let bytes, _) = answer.first else {
                Issue.record("no RESP: \(answer)")
                continue
            }
            #expect(bytes.first == 0x12)
        }
    }

    @Test("A network that goes away takes node id, links and sequence along; another network does not hear them")
    func changeOfNetwork() throws {
        var engine = engine()
        func beacon(_ effects: [MeshEffect]) -> Beacon? {
            for case .multicast(let bytes, _) in effects { return Beacon(decoding: bytes[...]) }
            return nil
        }
        let first = try #require(beacon(handle(try interfaceUp(), by: &engine)))
        #expect(first.node == engine.nodeID)
        _ = handle(.interfaceDown(Self.interface), by: &engine)
        let prefix = Prefix(address: try #require(IPAddress(bytes: [192, 168, 7, 1])), length: 24)
        let event = MeshEvent.interfaceUp(Self.interface, prefixes: [prefix], unicastPort: 4_001)
        let second = try #require(beacon(handle(event, by: &engine)))
        #expect(second.node != first.node && second.node == engine.nodeID)
        #expect(second.sequence != first.sequence &+ 1)
    }

    @Test("Two starts of a node have no eight bytes of their beacons in common")
    func unlinkable() throws {
        let beacons = try (1...2 as ClosedRange<UInt64>).map { seed -> [UInt8] in
            var engine = MeshEngine(
                configuration: .simulated,
                cryptography: ToyCryptography(),
                random: MeshRandom(seed: seed),
                now: .zero
            )
            guard case .multicast(let beacon, _)? = handle(try interfaceUp(), by: &engine).first else { return [] }
            return beacon
        }
        func runs(_ bytes: [UInt8]) -> Set<[UInt8]> {
            Set((0...(bytes.count - 8)).map { Array(bytes[$0..<($0 + 8)]) })
        }
        // All beacons share the first eight bytes (constants and the port, which the test sets) and small numbers.
        let common = runs(beacons[0]).intersection(runs(beacons[1])).filter { $0.count { $0 != 0 } > 3 }
        #expect(common == [Array(beacons[0].prefix(8))])
    }

    @Test("An own envelope is kept, and named as everywhere")
    func submission() {
        var engine = engine()
        let envelope = RouterBench.envelope(1)
        #expect(handle(.submit(kind: .sealed, body: envelope.body, life: 100), by: &engine) == [])
        #expect([engine.snapshot.storedCount, engine.snapshot.storedByteCount] == [1, 23])
        let expected = ToyCryptography().envelopeID(kindByte: 0x10, body: envelope.body[...])
        #expect(engine.envelopeID(kind: .sealed, body: envelope.body) == expected)
    }

    @Test("An envelope goes when its life ends, without any neighbour")
    func expiry() {
        var engine = engine()
        _ = handle(.submit(kind: .sealed, body: RouterBench.envelope(1).body, life: 1), by: &engine)
        var now = MeshInstant.zero
        while engine.snapshot.storedCount > 0, now < MeshInstant.zero.advanced(by: .seconds(60)) {
            now = engine.nextDeadline
            _ = handle(.tick, by: &engine, at: now)
        }
        #expect(now == MeshInstant.zero.advanced(by: .seconds(10)))
    }

    @Test("Leaving is said on every interface, and nothing happens afterwards")
    func leaving() throws {
        var engine = engine()
        _ = handle(try interfaceUp(), by: &engine)
        let effects = handle(.leave, by: &engine)
        guard effects.count == 1, case .multicast = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(engine.nextDeadline == .distantFuture)
        #expect(handle(.tick, by: &engine, at: MeshInstant.zero.advanced(by: .seconds(60))) == [])
        #expect(handle(.submit(kind: .live, body: [1], life: 1), by: &engine) == [])
    }

    @Test("A relay accepts twice the links of an ordinary node")
    func relay() {
        #expect(
            [MeshConfiguration.simulated.acceptLimit, MeshConfiguration.relay(kinds: .simulated).acceptLimit] == [
                16, 32,
            ]
        )
    }

    @Test("Damaged datagrams of every type never stop the engine", arguments: [1, 2] as [UInt64])
    func garbage(seed: UInt64) throws {
        var engine = engine()
        let beacons = handle(try interfaceUp(), by: &engine).compactMap { effect -> [UInt8]? in
            if case .multicast(let bytes, _) = effect { bytes } else { nil }
        }
        var random = SplitMix64(seed: seed)
        let types: [UInt8] = [0x10, 0x11, 0x12, 0x40, 0x41]
        let templates = beacons + types.map { [$0] + [UInt8](repeating: 1, count: 460) }
        var now = MeshInstant.zero
        for _ in 0..<10_000 {
            var bytes = templates[Int.random(in: 0..<templates.count, using: &random)]
            for _ in 0..<Int.random(in: 1...20, using: &random) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            bytes.removeLast(Int.random(in: 0...min(3, bytes.count), using: &random))
            let last = UInt8.random(in: 2...250, using: &random)
            let source = Endpoint(interface: Self.interface, address: try address(last), port: 9)
            _ = handle(.datagram(bytes, from: source, multicast: Bool.random(using: &random)), by: &engine, at: now)
            now = now.advanced(by: .milliseconds(3))
            if engine.nextDeadline <= now { _ = handle(.tick, by: &engine, at: now) }
        }
        #expect(engine.snapshot.links == [])
    }
}

extension NullCryptography {
    /// Makes the INIT of a node.
    fileprivate func initiation(from node: NodeID) -> LinkDatagram.Initiation {
        let header = LinkDatagram.Initiation.header(connection: 7, node: node)
        var handshake = nodeKey(seed: node.value).initiatorHandshake(header: header)
        return LinkDatagram.Initiation(connection: 7, node: node, message: handshake.writeMessage() ?? [])
    }
}
