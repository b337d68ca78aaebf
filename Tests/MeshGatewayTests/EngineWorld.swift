import Bytes
import Foundation
import MeshCore
import Testing

@testable import GatewayCore

/// Gateways of islands, their meshes and the hubs between them, on a virtual clock.
struct EngineWorld {
    struct Gate {
        var engine: GatewayEngine
        let island: Int
        var injections: [EnvelopeID: Int] = [:]
        /// Everything that the engine has asked for.
        var effects: [GatewayEffect] = []
        /// The count of connections to each hub, so that messages of an earlier one are dropped.
        var connections: [Int: Int] = [:]
    }

    struct Island {
        var stored: [(envelope: Envelope, id: EnvelopeID, link: LinkID?)] = []
        var known: Set<EnvelopeID> = []
    }

    typealias Delivery = (gate: Int, hub: Int, connection: Int, event: GatewayEvent)

    var gates: [Gate]
    var islands: [Island]
    var hubs: [EngineModelHub]
    var now = MeshInstant(nanoseconds: 1_000_000_000_000)
    var date = Date(timeIntervalSince1970: 1_795_000_000)
    private var queue = Fifo<Delivery>()
    private var ticksAtOnce = 0

    static let farLink = LinkID(9_999)
    /// The link over which announcements of other gateways come.
    static let otherLink = LinkID(9_998)

    /// Makes a world; each number is the island of a gateway.
    init(gates: [Int] = [0], hubs hubCount: Int = 1, seed: UInt64 = 1, dayLimit: Int? = nil) throws {
        let urls = try (0..<hubCount).map { try HubURL("tls://hub\($0).example.org") }
        var random = MeshRandom(seed: seed)
        let date = date
        self.gates = gates.map { island in
            Gate(engine: Self.engine(urls, &random, date, dayLimit), island: island)
        }
        islands = (0...(gates.max() ?? 0)).map { _ in Island() }
        hubs = (0..<hubCount).map { _ in EngineModelHub() }
    }

    private static func engine(
        _ urls: [HubURL],
        _ random: inout MeshRandom,
        _ date: Date,
        _ dayLimit: Int?
    ) -> GatewayEngine {
        GatewayEngine(
            hubs: urls,
            hashes: EngineHashes.all,
            random: random.branch(),
            date: date,
            allowance: DayAllowance(limit: dayLimit)
        )
    }

    // MARK: - Time

    /// Handles what is under way, at most this number of messages.
    mutating func settle(_ limit: Int = .max) {
        var count = 0
        while count < limit, let delivery = queue.first {
            count += 1
            queue.removeFirst()
            let isCurrent = gates[delivery.gate].connections[delivery.hub] == delivery.connection
            if isCurrent { handle(delivery.event, at: delivery.gate) }
        }
    }

    /// Lets time pass, with a tick at each deadline.
    mutating func pass(_ time: Duration) {
        let end = now.advanced(by: time)
        settle()
        while let deadline = gates.compactMap(\.engine.nextDeadline).min(), deadline <= end {
            ticksAtOnce = deadline > now ? 0 : ticksAtOnce + 1
            guard ticksAtOnce < 100 else {
                Issue.record("the deadline stays in the past")
                return
            }
            move(to: max(deadline, now))
            for gate in gates.indices { handle(.tick, at: gate) }
            settle()
        }
        move(to: end)
    }

    private mutating func move(to instant: MeshInstant) {
        date += now.duration(to: instant) / .seconds(1)
        now = instant
    }

    /// Lets the engines connect, and catch up.
    mutating func connect() { pass(.seconds(1)) }

    // MARK: - Meshes

    /// Delivers an envelope in an island, once; all nodes keep mail.
    mutating func write(_ envelope: Envelope, in island: Int = 0, from link: LinkID? = nil) {
        let id = EngineHashes.id(envelope)
        guard islands[island].known.insert(id).inserted else { return }
        if envelope.kind == .far { islands[island].stored.append((envelope, id, link)) }
        if envelope.kind == .release, envelope.body.count.isMultiple(of: 16) {
            let proofs = stride(from: 0, to: envelope.body.count, by: 16).map { Array(envelope.body[$0..<$0 + 16]) }
            let hashes = Set(proofs.map(EngineHashes.proof))
            islands[island].stored.removeAll { hashes.contains(Array($0.envelope.body[16..<32])) }
        }
        for gate in gates.indices where gates[gate].island == island {
            handle(.envelope(envelope, id, from: link), at: gate)
        }
    }

    // MARK: - Hubs

    /// Ends the connection of a gateway, with what is under way in it.
    mutating func cut(_ gate: Int, from hub: Int = 0) {
        hubs[hub].disconnect(gate)
        gates[gate].connections[hub, default: 0] += 1
        handle(.hub(hub, .closed), at: gate)
    }

    /// Delivers a message of a hub, real or forged.
    mutating func deliver(_ event: HubEvent, to gate: Int = 0, from hub: Int = 0) {
        handle(.hub(hub, event), at: gate)
    }

    /// Publishes mail as a guest of a hub.
    mutating func publish(_ body: [UInt8], to tag: MailTag, id: String? = nil, at hub: Int = 0) {
        let messages = hubs[hub].publish(body, subject: tag.subject, id: id, date: date)
        add(messages, from: hub)
    }

    mutating func handle(_ event: GatewayEvent, at gate: Int = 0) {
        let effects = gates[gate].engine.handle(event, now: now, date: date)
        gates[gate].effects += effects
        for effect in effects { apply(effect, of: gate) }
    }

    private mutating func apply(_ effect: GatewayEffect, of gate: Int) {
        switch effect {
        case .open(let hub):
            gates[gate].connections[hub, default: 0] += 1
            guard let url = try? HubURL("tls://hub\(hub).example.org") else { return }
            add(
                hubs[hub].isUp ? .opened(hub, hubs[hub].role) : .failed(hub, .unreachable(url, "connection refused")),
                gate,
                hub
            )
        case .close(let hub):
            hubs[hub].disconnect(gate)
            gates[gate].connections[hub, default: 0] += 1
        case .ask(let hub, let requests):
            let date = date + hubs[hub].clockError
            for request in requests { add(hubs[hub].take(request, from: gate, date: date), from: hub) }
        case .inject(let envelope):
            gates[gate].injections[EngineHashes.id(envelope), default: 0] += 1
            write(envelope, in: gates[gate].island, from: Self.farLink)
        case .submit(let kind, let body, let life):
            write(Envelope(kind: kind, life: life, body: body), in: gates[gate].island, from: Self.otherLink)
        case .noteStored: return
        case .goThroughStore:
            for item in islands[gates[gate].island].stored {
                handle(.envelope(item.envelope, item.id, from: item.link), at: gate)
            }
        }
    }

    private mutating func add(_ messages: [EngineModelHub.Message], from hub: Int) {
        for message in messages { add(.hub(hub, message.event), message.gate, hub) }
    }

    private mutating func add(_ event: GatewayEvent, _ gate: Int, _ hub: Int) {
        queue.append((gate, hub, gates[gate].connections[hub] ?? 0, event))
    }

    /// Loses everything that is under way.
    mutating func dropDeliveries() { queue = Fifo() }

    // MARK: - Reading

    var statuses: [HubStatus] { gates[0].engine.statuses }

    func hub(_ index: Int = 0, of gate: Int = 0) -> HubState { gates[gate].engine.hubs[index] }

    /// The requests that a hub got.
    func subscribed(_ hub: Int = 0) -> [String] {
        hubs[hub].requests.compactMap { if case .subscribe(let subject) = $0.request { subject } else { nil } }
    }

    /// The publications of mail that a hub got; canaries and questions are left out.
    func published(_ hub: Int = 0) -> [EnvelopeID] {
        hubs[hub].requests.compactMap { item in
            guard case .publish(let subject, let body, .some, _) = item.request, MailTag(subject: subject) != nil,
                let envelope = Envelope(decoding: body[...]), envelope.kind == .far
            else { return nil }
            return EngineHashes.id(envelope)
        }
    }

    /// The subjects of the questions that a hub got.
    func asked(_ hub: Int = 0) -> [String] {
        hubs[hub].requests.compactMap { item in
            if case .publish(let subject, _, nil, _) = item.request { subject } else { nil }
        }
    }

    func injected(_ gate: Int = 0) -> [Envelope] {
        gates[gate].effects.compactMap { if case .inject(let envelope) = $0 { envelope } else { nil } }
    }
}

/// Hashes for tests: quick, and without collisions by chance.
enum EngineHashes {
    static let all = GatewayHashes(
        envelopeID: { kind, body in id(kind, body) },
        proofHash: { proof($0) },
        hash: { hash($0) }
    )

    static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var state: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
        var generator = SplitMix64(seed: state)
        return (0..<4).flatMap { _ in generator.next().bigEndianBytes }
    }

    static func proof(_ bytes: [UInt8]) -> [UInt8] { Array(hash([1] + bytes).prefix(16)) }

    static func id(_ envelope: Envelope) -> EnvelopeID { id(envelope.kindByte, envelope.body[...]) }

    private static func id(_ kind: UInt8, _ body: ArraySlice<UInt8>) -> EnvelopeID {
        guard let id = EnvelopeID(bytes: hash([kind] + body).prefix(16)) else { fatalError("16 bytes are an id") }
        return id
    }
}

/// Envelopes for tests.
struct EngineMail {
    var random: MeshRandom

    init(seed: UInt64 = 7) {
        random = MeshRandom(seed: seed)
    }

    mutating func tag() -> MailTag { MailTag(using: &random) }

    mutating func bytes(_ count: Int) -> [UInt8] { random.bytes(count: count) }

    /// Makes mail of its own content.
    mutating func far(
        _ tag: MailTag,
        proof: [UInt8]? = nil,
        life: UInt16 = Envelope.maximumLife,
        byteCount: Int = 100
    ) -> Envelope {
        let hash = proof.map(EngineHashes.proof) ?? bytes(16)
        return Envelope(kind: .far, life: life, body: tag.bytes + hash + bytes(byteCount))
    }

    /// Makes a request to watch tags, filled up with the last of them.
    mutating func watch(_ tags: [MailTag], subscribes: Bool = true) -> Envelope {
        let all = tags + (tags.count..<15).compactMap { _ in tags.last }
        let end: [UInt8] = [subscribes ? 2 : 3] + bytes(11)
        return Envelope(kind: .watch, life: 120, body: all.flatMap(\.bytes) + end)
    }

    static func release(_ proofs: [[UInt8]]) -> Envelope {
        Envelope(kind: .release, life: Envelope.maximumLife, body: proofs.flatMap { $0 })
    }
}
