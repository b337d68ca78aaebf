#if !FUZZING
    @testable import MeshCore
    @testable import MeshSimulation
#endif

/// An engine with a link to another engine, and the datagrams that both have sent so far.
struct EngineFixture: Sendable {
    static let interface = InterfaceID(index: 1, family: .v4)
    var engine = makeEngine(1)
    private(set) var datagrams: [[UInt8]] = []
    private(set) var now = MeshInstant.zero

    init() {
        var peer = Self.makeEngine(2)
        var inboxes: [[MeshEffect]] = [[], []]
        engine.handle(Self.interfaceUp(1), at: now, into: &inboxes[1])
        peer.handle(Self.interfaceUp(2), at: now, into: &inboxes[0])
        peer.handle(
            .submit(kind: .sealed, body: [UInt8](repeating: 1, count: 24), life: 50),
            at: now,
            into: &inboxes[0]
        )
        for _ in 0..<100 {
            let effects = inboxes
            inboxes = [[], []]
            for event in Self.events(effects[0], from: 2) {
                if case .datagram(let bytes, _, _) = event { datagrams.append(bytes) }
                engine.handle(event, at: now, into: &inboxes[1])
            }
            for event in Self.events(effects[1], from: 1) { peer.handle(event, at: now, into: &inboxes[0]) }
            now = now.advanced(by: .milliseconds(5))
            engine.handle(.tick, at: now, into: &inboxes[1])
            peer.handle(.tick, at: now, into: &inboxes[0])
        }
        let post = Envelope(kind: .sealed, life: 50, body: [UInt8](repeating: 2, count: 24))
        let push = PushDatagram(unicastPort: 9, node: peer.nodeID, envelope: post.encoded())
        datagrams.append(push.encoded())
        precondition(engine.snapshot.links.count == 1 && engine.snapshot.storedCount == 1, "\(engine.snapshot)")
    }

    private static func makeEngine(_ seed: UInt64) -> MeshEngine {
        var configuration = MeshConfiguration.simulated
        configuration.discovery.neighbourLimit = 8
        // One neighbour is a crowd.
        configuration.discovery.pushNeighbourCount = 1
        configuration.router.pushLinkCount = 1
        configuration.store = limits.store
        let random = MeshRandom(seed: seed)
        return MeshEngine(configuration: configuration, cryptography: NullCryptography(), random: random, now: .zero)
    }

    static func interfaceUp(_ host: UInt8) -> MeshEvent {
        let prefix = Prefix(address: LinkFixture.endpoint(host).address, length: 24)
        return .interfaceUp(interface, prefixes: [prefix], unicastPort: 9)
    }

    private static func events(_ effects: [MeshEffect], from host: UInt8) -> [MeshEvent] {
        effects.compactMap { effect in
            switch effect {
            case .send(let bytes, _): .datagram(bytes, from: LinkFixture.endpoint(host), multicast: false)
            case .multicast(let bytes, _): .datagram(bytes, from: LinkFixture.endpoint(host), multicast: true)
            default: nil
            }
        }
    }
}
