import Bytes

@testable import MeshCore

/// A few link tables in memory, and a seeded network between them that loses, delays, duplicates and reorders.
struct LinkNetwork {
    /// The loss, duplication, delay and jitter that the network applies to datagrams.
    struct Conditions {
        var loss = 0.0
        var duplication = 0.0
        var delay = Duration.milliseconds(1)
        /// The upper bound of the random delay that is added; above zero, datagrams may be reordered.
        var jitter = Duration.zero
    }

    /// An effect of a table other than sending.
    struct Entry: Equatable {
        var at: MeshInstant
        var node: Int
        var effect: LinkEffect
    }

    private struct Flight {
        var arrival: MeshInstant
        var sequence: Int
        var bytes: [UInt8]
        var source: Endpoint
        var destination: Endpoint
    }

    var tables: [LinkTable]
    var endpoints: [Endpoint]
    var conditions: Conditions
    var now = MeshInstant.zero
    var log: [Entry] = []
    /// The datagrams sent while `isRecording`, with their sender.
    var sent: [(node: Int, bytes: [UInt8], to: Endpoint)] = []
    var isRecording = false
    var dead: Set<Int> = []
    /// The function that replaces each datagram by those that arrive, in this order.
    var tamper: (([UInt8]) -> [[UInt8]])?
    private var random: SplitMix64
    /// The datagrams in transit, sorted by arrival with the latest first.
    private var prekeyMessages: [Flight] = []
    private var sequence = 0

    init(
        nodes: [NodeID] = [NodeID(1), NodeID(2)],
        seed: UInt64 = 1,
        conditions: Conditions = Conditions(),
        configuration: LinkConfiguration = LinkConfiguration(),
        meshKeys: [UInt64]? = nil
    ) {
        random = SplitMix64(seed: seed)
        self.conditions = conditions
        endpoints = nodes.indices.map { Self.endpoint($0 + 1) }
        tables = nodes.indices.map { index in
            Self.table(
                nodes[index],
                configuration: configuration,
                cryptography: NullLinkCryptography(
                    meshKey: meshKeys?[index] ?? 1,
                    firstEphemeral: UInt64(index) << 32
                ),
                seed: seed &* 1000 &+ UInt64(index)
            )
        }
    }

    /// Makes a table whose node key has the id `node`, one of many such keys.
    static func table(
        _ node: NodeID,
        salt: UInt64 = 0,
        configuration: LinkConfiguration = LinkConfiguration(),
        cryptography: NullLinkCryptography = NullLinkCryptography(firstEphemeral: 77_000),
        seed: UInt64 = 9
    ) -> LinkTable {
        LinkTable(
            nodeKey: cryptography.nodeKey(node.value, salt: salt),
            configuration: configuration,
            cryptography: cryptography,
            random: MeshRandom(seed: seed)
        )
    }

    /// Returns the endpoint of host `host` in the test's subnet.
    static func endpoint(_ host: Int, port: UInt16 = 5000, interface: UInt32 = 1) -> Endpoint {
        let bytes: [UInt8] = [10, 0, UInt8(host >> 8 & 0xFF), UInt8(host & 0xFF)]
        return Endpoint(
            interface: InterfaceID(index: interface, family: .v4),
            address: IPAddress(bytes: bytes).unsafelyUnwrapped,
            port: port
        )
    }

    /// Calls a table, sends the datagrams that it requests and logs its other effects.
    @discardableResult
    mutating func call<Result>(
        _ node: Int,
        _ body: (inout LinkTable, MeshInstant, inout [LinkEffect]) -> Result
    ) -> Result {
        var effects: [LinkEffect] = []
        let result = body(&tables[node], now, &effects)
        tables[node].flush(now: now, into: &effects)
        for effect in effects {
            if case .send(let bytes, let destination) = effect {
                launch(bytes, from: node, to: destination)
            } else {
                log.append(Entry(at: now, node: node, effect: effect))
            }
        }
        return result
    }

    /// Dials a host, by default one with which there was a link a short time ago, so that the INIT is repeated.
    mutating func dial(_ node: Int, to other: Int, isKnown: Bool = true) {
        let id = tables[other].nodeID
        let endpoint = endpoints[other]
        if isKnown { tables[node].formerPeers.add(NodeID(.max), at: endpoint, now: now) }
        call(node) { $0.dial(id, at: endpoint, now: $1, into: &$2) }
    }

    /// Sends a message on the first link of a node.
    @discardableResult
    mutating func send(_ message: [UInt8], from node: Int, lane: Lane = .interactive, tag: UInt64 = 0) -> Bool {
        guard let link = tables[node].links.first?.id else { return false }
        return call(node) { table, _, _ in table.send(message, lane: lane, tag: tag, on: link) }
    }

    /// Delivers a datagram now.
    mutating func inject(_ bytes: [UInt8], to node: Int, from source: Endpoint) {
        call(node) { $0.receive(bytes, from: source, now: $1, into: &$2) }
    }

    private mutating func launch(_ bytes: [UInt8], from node: Int, to destination: Endpoint) {
        if isRecording { sent.append((node, bytes, destination)) }
        guard !dead.contains(node) else { return }
        var copies = 1
        if Double.random(in: 0..<1, using: &random) < conditions.duplication { copies = 2 }
        for _ in 0..<copies where Double.random(in: 0..<1, using: &random) >= conditions.loss {
            let extra = conditions.jitter * Double.random(in: 0...1, using: &random)
            sequence += 1
            let prekeyMessage = Flight(
                arrival: now.advanced(by: conditions.delay + extra),
                sequence: sequence,
                bytes: bytes,
                source: endpoints[node],
                destination: destination
            )
            let place = prekeyMessages.firstIndex {
                ($0.arrival, $0.sequence) < (prekeyMessage.arrival, prekeyMessage.sequence)
            }
            prekeyMessages.insert(prekeyMessage, at: place ?? prekeyMessages.endIndex)
        }
    }

    /// Drops every datagram in transit.
    mutating func dropFlights() {
        prekeyMessages = []
    }

    /// Advances the time to `end` and handles every tick and arrival until then.
    mutating func run(until end: MeshInstant) {
        while let next = nextEvent(), next <= end { step(at: next) }
        now = end
    }

    mutating func run(for duration: Duration) {
        run(until: now.advanced(by: duration))
    }

    /// Advances the time until `condition` holds or `limit` has passed.
    mutating func run(for limit: Duration, until condition: (LinkNetwork) -> Bool) {
        let end = now.advanced(by: limit)
        while !condition(self), let next = nextEvent(), next <= end { step(at: next) }
    }

    private func nextEvent() -> MeshInstant? {
        var next = prekeyMessages.last?.arrival ?? .distantFuture
        for node in tables.indices where !dead.contains(node) { next = min(next, tables[node].nextDeadline) }
        return next == .distantFuture ? nil : max(next, now)
    }

    private mutating func step(at instant: MeshInstant) {
        now = instant
        while let prekeyMessage = prekeyMessages.last, prekeyMessage.arrival <= now {
            prekeyMessages.removeLast()
            guard let node = endpoints.firstIndex(of: prekeyMessage.destination), !dead.contains(node) else { continue }
            for bytes in tamper?(prekeyMessage.bytes) ?? [prekeyMessage.bytes] {
                inject(bytes, to: node, from: prekeyMessage.source)
            }
        }
        for node in tables.indices where !dead.contains(node) && tables[node].nextDeadline <= now {
            call(node) { $0.tick(now: $1, into: &$2) }
        }
    }

    /// Returns the effects of one node, without their times.
    func effects(of node: Int) -> [LinkEffect] {
        log.filter { $0.node == node }.map(\.effect)
    }

    /// Returns the messages that reached a node.
    func messages(at node: Int) -> [[UInt8]] {
        effects(of: node).compactMap { if case .message(let bytes, _, _) = $0 { bytes } else { nil } }
    }

    /// Makes two nodes with a link that node 0 dialled.
    static func linked(
        seed: UInt64 = 1,
        conditions: Conditions = Conditions(),
        configuration: LinkConfiguration = LinkConfiguration()
    ) -> LinkNetwork {
        var network = LinkNetwork(seed: seed, conditions: conditions, configuration: configuration)
        network.dial(0, to: 1)
        network.run(for: .seconds(4)) { network in network.tables.allSatisfy { $0.links.count == 1 } }
        return network
    }
}

extension Link {
    /// Sends any bytes as the frames of the next packet.
    mutating func transmit(_ frames: [UInt8], to endpoint: Endpoint, now: MeshInstant, into effects: inout [LinkEffect])
    {
        var writer = beginPacket(now: now)
        writer.append(frames)
        transmit(&writer, to: endpoint, into: &effects)
    }
}
