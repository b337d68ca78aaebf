import Bytes

@testable import MeshCore
@testable import MeshSimulation

/// Nodes that consist of their link tables only, on one segment with a rate, a queue and loss.
///
/// Node 0 receives; every other node has one link with it. Nodes offer bulk without end, and chat at fixed times.
struct LinkEmulation {
    private enum Event: Sendable {
        case tick(Int)
        case datagram([UInt8], to: Int, from: Int)
        case chat(Int)
    }

    /// A chat message that arrived.
    struct Chat: Equatable {
        var sentAt: MeshInstant
        var delay: Duration
    }

    /// The size of one bulk message.
    ///
    /// Units: bytes.
    private static let bulkMessageByteCount = 16 << 10

    private var clock = SimClock<Event>()
    private var random: SplitMix64
    private(set) var tables: [LinkTable]
    var segment: SimSegment
    private var links: [LinkID?]
    private var wakes: [MeshInstant]
    private var isOfferingBulk: [Bool]
    private var chatSentAt: [MeshInstant] = []
    private(set) var chats: [Chat] = []
    /// The amount of bulk that arrived from each node.
    ///
    /// Units: bytes.
    private(set) var bulkByteCounts: [Int]
    private(set) var datagramCount = 0

    /// Links `senderCount` nodes with node 0.
    init(quality: SegmentQuality, senderCount: Int = 1, seed: UInt64) {
        random = SplitMix64(seed: seed)
        segment = SimSegment(quality: quality)
        let count = senderCount + 1
        tables = (0..<count).map { node in
            LinkTable(
                nodeKey: NullCryptography().nodeKey(seed: UInt64(node + 1)),
                configuration: LinkConfiguration(),
                cryptography: NullCryptography(),
                random: MeshRandom(seed: seed &* 100 &+ UInt64(node))
            )
        }
        links = Array(repeating: nil, count: count)
        wakes = Array(repeating: .distantFuture, count: count)
        isOfferingBulk = Array(repeating: false, count: count)
        bulkByteCounts = Array(repeating: 0, count: count)
        for node in 1..<count {
            call(node) { $0.dial(NodeID(1), at: Self.endpoint(0), now: $1, into: &$2) }
        }
        while links.dropFirst().contains(nil), now < MeshInstant.zero.advanced(by: .seconds(3)) {
            run(for: .milliseconds(1))
        }
    }

    var now: MeshInstant { clock.now }

    /// Returns the information that a node has about its link.
    func info(of node: Int) -> LinkInfo? { tables[node].links.first }

    /// Lets a node send as much as its lane accepts, from now on.
    mutating func startBulk(from node: Int) {
        isOfferingBulk[node] = true
        offerBulk(from: node)
    }

    /// Stops the bulk of a node; messages that it has already offered are still sent.
    mutating func stopBulk(from node: Int) {
        isOfferingBulk[node] = false
    }

    /// Lets node 1 send 100 bytes on lane 1 every 50 ms, from now on for `duration`.
    mutating func scheduleChat(for duration: Duration) {
        let count = Int(duration / .milliseconds(50))
        for index in 0..<count {
            clock.schedule(.chat(1), at: now.advanced(by: .milliseconds(50 * index)))
        }
    }

    mutating func run(for duration: Duration) {
        let end = now.advanced(by: duration)
        while let event = clock.next(until: end) {
            switch event {
            case .tick(let node):
                guard wakes[node] == now else { continue }
                wakes[node] = .distantFuture
                call(node) { $0.tick(now: $1, into: &$2) }
            case .datagram(let bytes, let node, let sender):
                call(node) { $0.receive(bytes, from: Self.endpoint(sender), now: $1, into: &$2) }
            case .chat(let node):
                sendChat(from: node)
            }
        }
    }

    // MARK: - Parts

    @discardableResult
    private mutating func call<Result>(
        _ node: Int,
        _ body: (inout LinkTable, MeshInstant, inout [LinkEffect]) -> Result
    ) -> Result {
        var effects: [LinkEffect] = []
        let result = body(&tables[node], now, &effects)
        tables[node].flush(now: now, into: &effects)
        for effect in effects { carryOut(effect, of: node) }
        let deadline = tables[node].nextDeadline
        if deadline < wakes[node] {
            wakes[node] = max(deadline, now)
            clock.schedule(.tick(node), at: wakes[node])
        }
        return result
    }

    private mutating func carryOut(_ effect: LinkEffect, of node: Int) {
        switch effect {
        case .send(let bytes, let endpoint): carry(bytes, from: node, to: Int(endpoint.port))
        case .up(let info): links[node] = info.id
        case .message(let bytes, .interactive, _): noteChat(bytes)
        case .message(let bytes, _, let link):
            guard let peer = tables[node].links.first(where: { $0.id == link }) else { return }
            bulkByteCounts[Int(peer.node.value) - 1] += bytes.count
        case .writable: if isOfferingBulk[node] { offerBulk(from: node) }
        default: break
        }
    }

    private mutating func carry(_ bytes: [UInt8], from sender: Int, to receiver: Int) {
        datagramCount += 1
        guard let departure = segment.departure(of: bytes.count, to: receiver, now: now),
            !segment.loses(bytes.count, now: now, using: &random)
        else { return }
        let arrival = departure.advanced(by: segment.latency(using: &random))
        clock.schedule(.datagram(bytes, to: receiver, from: sender), at: arrival)
    }

    private mutating func offerBulk(from node: Int) {
        guard let link = links[node] else { return }
        let message = [UInt8](repeating: 0xB0, count: Self.bulkMessageByteCount)
        while call(node, { table, _, _ in table.send(message, lane: .bulk, tag: 0, on: link) }) {}
    }

    private mutating func sendChat(from node: Int) {
        guard let link = links[node] else { return }
        let number = UInt32(chatSentAt.count)
        chatSentAt.append(now)
        var writer = ByteWriter(capacity: 100)
        writer.append(integer: number)
        writer.append(repeatElement(0xC0, count: 96))
        let bytes = writer.bytes
        call(node) { table, _, _ in _ = table.send(bytes, lane: .interactive, tag: 0, on: link) }
    }

    private mutating func noteChat(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let number = reader.integer(UInt32.self), Int(number) < chatSentAt.count else { return }
        let sentAt = chatSentAt[Int(number)]
        chats.append(Chat(sentAt: sentAt, delay: sentAt.duration(to: now)))
    }

    /// Returns the endpoint of a node; the node's number is its port.
    private static func endpoint(_ node: Int) -> Endpoint {
        guard let address = IPAddress(bytes: [10, 0, 0, UInt8(node + 1)]) else { preconditionFailure("4 bytes") }
        return Endpoint(interface: InterfaceID(index: 1, family: .v4), address: address, port: UInt16(node))
    }
}
