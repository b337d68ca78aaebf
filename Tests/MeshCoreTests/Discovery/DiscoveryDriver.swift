@testable import MeshCore

/// One `Discovery` machine on one interface; the test controls the time.
struct DiscoveryDriver {
    /// An effect and the instant of its occurrence.
    struct Timed: Equatable {
        let time: MeshInstant
        let effect: DiscoveryEffect
    }

    static let nodeID = NodeID(0x5000_0000_0000_0000)
    static let lan = InterfaceID(index: 2, family: .v4)

    var machine: Discovery
    var now: MeshInstant

    init(
        _ configuration: DiscoveryConfiguration = DiscoveryConfiguration(),
        cryptography: StubCryptography = StubCryptography(),
        seed: UInt64 = 1
    ) {
        now = .zero.advanced(by: .seconds(100))
        machine = Discovery(
            nodeID: Self.nodeID,
            configuration: configuration,
            cryptography: cryptography,
            random: MeshRandom(seed: seed),
            now: now
        )
    }

    /// Brings up an interface with the subnet 10.0.0.0/16.
    @discardableResult
    mutating func up(_ interface: InterfaceID = Self.lan, port: UInt16 = 4_000) -> [DiscoveryEffect] {
        let prefix = Prefix(address: ipv4(10, 0, 0, 0), length: 16)
        return act { $0.interfaceUp(interface, prefixes: [prefix], unicastPort: port, now: $1, into: &$2) }
    }

    @discardableResult
    mutating func act(_ step: (inout Discovery, MeshInstant, inout [DiscoveryEffect]) -> Void) -> [DiscoveryEffect] {
        var effects: [DiscoveryEffect] = []
        step(&machine, now, &effects)
        if effects.contains(.nodeIDExpired) {
            machine.takeNodeID(NodeID(machine.nodeID.value ^ 0xFF), now: now, into: &effects)
        }
        return effects
    }

    @discardableResult
    mutating func receive(
        _ beacon: Beacon,
        from address: IPAddress = ipv4(10, 0, 0, 7),
        on interface: InterfaceID = Self.lan,
        multicast: Bool = true
    ) -> [DiscoveryEffect] {
        let bytes = beacon.sealed(from: address, by: machine.cryptography)
        let from = Endpoint(interface: interface, address: address, port: 28_787)
        return act { $0.receiveBeacon(bytes, from: from, multicast: multicast, now: $1, into: &$2) }
    }

    @discardableResult
    mutating func link(
        _ number: UInt64,
        to node: NodeID,
        at endpoint: Endpoint = Self.endpoint(7),
        dialledHere: Bool = true
    ) -> [DiscoveryEffect] {
        let info = LinkInfo(
            id: LinkID(number),
            node: node,
            endpoint: endpoint,
            dialledHere: dialledHere,
            since: now,
            roundTrip: nil
        )
        let youngestFirst = Array(machine.overlay.links.map(\.info.id).reversed())
        return act { $0.linkUp(info, leastUseful: youngestFirst, now: $1, into: &$2) }
    }

    /// Advances the time, with a tick at each deadline.
    @discardableResult
    mutating func run(for duration: Duration) -> [Timed] {
        let end = now.advanced(by: duration)
        var timed: [Timed] = []
        while machine.nextDeadline <= end {
            now = max(now, machine.nextDeadline)
            timed += act { $0.tick(now: $1, into: &$2) }.map { Timed(time: now, effect: $0) }
        }
        now = end
        return timed
    }

    @discardableResult
    mutating func run(until end: MeshInstant) -> [Timed] { run(for: now.duration(to: end)) }

    static func endpoint(_ host: UInt8, port: UInt16 = 4_000, on interface: InterfaceID = Self.lan) -> Endpoint {
        Endpoint(interface: interface, address: ipv4(10, 0, 0, host), port: port)
    }
}

extension Beacon {
    /// Makes a beacon of another node.
    static func sample(
        node: UInt64 = 0x7000,
        sequence: UInt16 = 1,
        flags: Flags = [],
        port: UInt16 = 4_000,
        interval: UInt16 = 20,
        minutes: UInt32 = 0
    ) -> Beacon {
        Beacon(
            flags: flags,
            unicastPort: port,
            node: NodeID(node),
            interval: interval,
            sequence: sequence,
            shelf: .everything,
            minutes: minutes,
            networkTag: 0
        )
    }
}

extension [DiscoveryEffect] {
    /// The endpoints dialled.
    var dials: [Endpoint] {
        compactMap { if case .dial(_, let endpoint) = $0 { endpoint } else { nil } }
    }

    /// The beacons sent by multicast.
    var multicasts: [Beacon] {
        compactMap { if case .multicast(let bytes, _) = $0 { Beacon(decoding: bytes[...]) } else { nil } }
    }

    /// The beacons sent to a single node.
    var answers: [Beacon] {
        compactMap { if case .send(let bytes, _) = $0 { Beacon(decoding: bytes[...]) } else { nil } }
    }
}

extension [DiscoveryDriver.Timed] {
    var effects: [DiscoveryEffect] { map(\.effect) }
}
