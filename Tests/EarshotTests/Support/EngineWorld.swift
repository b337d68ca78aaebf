import Bytes
import ChatCrypto
import ChatHistory
import Earshot
import MeshCore
import Testing

@testable import ChatCore

/// Engines on one idealised mesh.
///
/// Every envelope reaches every other node in the end. It may be late, doubled and out of order.
///
/// All randomness comes from the seed, and all time from the world's own clock.
final class EngineWorld {
    /// The delays and losses of the mesh.
    struct Quality {
        /// Units: milliseconds.
        var delay: ClosedRange<UInt64> = 1...300
        /// The fraction of deliveries that are lost.
        ///
        /// They arrive only after `redelivery`.
        var loss = 0.1
        /// Units: milliseconds.
        var redelivery: ClosedRange<UInt64> = 1_000...3_500
        /// The fraction of deliveries that arrive twice.
        var duplication = 0.2

        /// A mesh in which nothing is late, lost or doubled.
        static let perfect = Quality(delay: 1...1, loss: 0, duplication: 0)
    }

    private struct Delivery: Comparable, Sendable {
        let instant: UInt64
        let number: Int
        let recipient: Int
        let arrival: Arrival

        static func < (left: Delivery, right: Delivery) -> Bool {
            (left.instant, left.number) < (right.instant, right.number)
        }

        static func == (left: Delivery, right: Delivery) -> Bool { left.number == right.number }
    }

    let nodes: [EngineNode]
    var quality: Quality
    /// The recipients that receive nothing from other nodes.
    ///
    /// Their own envelopes still go out.
    var deaf: Set<Int> = []
    /// The senders whose envelopes reach no other node.
    var mute: Set<Int> = []
    /// The mesh of each node; empty if all are in one.
    ///
    /// Mail for mailboxes goes from one to the other as long as the hub is up; nothing else does.
    var islands: [Int] = []
    var isHubUp = true
    /// Whether the mesh still holds the fragments of blobs.
    var holdsPieces = true
    /// Every submission, once, in order.
    private(set) var submitted: [Submission] = []
    private var known: Set<Submission> = []
    private var takenCount = 0
    /// The node of each path label.
    var labels: [PathLabel: Int] = [:]
    /// Whether a relay takes what is carried and drops it.
    var swallowsCarried = false
    /// Every effect of the nodes on paths, in order.
    var pathEffects: [ChatEffect] = []
    /// The fraction of arrivals that become durable only together with the next step.
    var joining = 0.0
    /// The arrivals of each node that are not durable yet.
    private var joined: [[Arrival]]
    /// The sealed envelopes and the prekey messages that reached each node.
    ///
    /// The mesh can hand them over again.
    private var discovered: [[Envelope]]
    private var heardIDs: [Set<[UInt8]>]
    /// The number of crashes that are left.
    ///
    /// Each step may end in one by chance.
    var crashesLeft = 0
    private(set) var crashCount = 0

    private var random: SplitMix64
    private var deliveries = PriorityQueue<Delivery>()
    private var deliveryCount = 0
    private var clock: UInt64 = 0
    /// The lead of each node's wall clock, beginning with the first node.
    ///
    /// Units: milliseconds.
    private let errors: [Int64]

    /// The time at which the world begins, in the middle of an hour, so that a few minutes begin no new hour.
    ///
    /// Units: milliseconds since 1970.
    private static let beginning: UInt64 = 1_800_000_000_000

    init(
        _ names: [String] = ["Alice", "Bob"],
        quality: Quality = .perfect,
        errors: [Int64] = [],
        room: RoomState? = nil,
        islands: [Int] = [],
        seed: UInt64 = 1
    ) throws {
        self.quality = quality
        (self.errors, self.islands) = (errors, islands)
        random = SplitMix64(seed: seed)
        let time = ChatTime(wall: Self.beginning, monotonic: .zero)
        nodes = try names.indices.map { index in
            try EngineNode(names[index], room: room, at: time.wrong(by: index < errors.count ? errors[index] : 0))
        }
        joined = nodes.map { _ in [] }
        discovered = nodes.map { _ in [] }
        heardIDs = nodes.map { _ in [] }
        for index in nodes.indices { try step(index) { try $0.begin() } }
        run(for: 5_000)
    }

    var now: ChatTime {
        ChatTime(wall: Self.beginning + clock, monotonic: MeshInstant(nanoseconds: clock * 1_000_000))
    }

    /// Returns the time by a node's clock.
    private func time(of index: Int) -> ChatTime { now.wrong(by: index < errors.count ? errors[index] : 0) }

    subscript(index: Int) -> EngineNode { nodes[index] }

    // MARK: - Steps

    /// Runs one step of a node, and spreads its submissions.
    func step(_ index: Int, _ body: (inout ChatEngine) throws -> Void) throws {
        let crashes = crashesLeft > 0 && Double.random(in: 0..<1, using: &random) < 0.1
        let arrivals = joined[index]
        joined[index] = []
        let submissions: [Submission]
        do {
            submissions = try nodes[index].step(at: time(of: index), crashes: crashes) { engine in
                engine.meshNode = NodeID(UInt64(index))
                try body(&engine)
            }
        } catch {
            for arrival in arrivals { queue(arrival, to: index, after: 1_000) }
            throw error
        }
        spread(submissions, from: index)
        for effect in nodes[index].takePathEffects() { carryOut(effect, from: index) }
        let tags = nodes[index].takeRecalled()
        let pieces = submitted.filter { submission in
            let body = submission.kind == .farChunk ? submission.body[16...] : submission.body[...]
            return [.chunk, .farChunk].contains(submission.kind) && tags.contains { body.starts(with: $0) }
        }
        for piece in pieces where holdsPieces {
            deliver(.recalled(piece.envelope, forGroups: false), to: index)
        }
        if let withControlMessages = nodes[index].takeRecalledSealed() {
            for envelope in discovered[index] where withControlMessages || envelope.kind == .sealed {
                deliver(.recalled(envelope, forGroups: !withControlMessages), to: index)
            }
        }
        if crashes {
            crashesLeft -= 1
            crashCount += 1
            try restart(index)
        }
    }

    /// Sends a text and returns its id.
    @discardableResult
    func send(_ text: String, from index: Int = 0, to peer: PeerID) throws -> MessageID? {
        var id: MessageID?
        try step(index) { id = try $0.send(text, to: .direct(peer)).id }
        return id
    }

    /// Restores a node from its store.
    ///
    /// The mesh then delivers all earlier envelopes to the node again.
    func restart(_ index: Int) throws {
        try nodes[index].restore(at: time(of: index))
        try begin(index)
    }

    /// Restores a node from an earlier copy of its store.
    func goBack(_ index: Int, to copy: MemoryStore) throws {
        try nodes[index].goBack(to: copy, at: time(of: index))
        try begin(index)
    }

    private func begin(_ index: Int) throws {
        let spread = submitted
        try step(index) { try $0.begin() }
        for submission in spread { deliver(.deliver(submission.envelope), to: index) }
    }

    /// Gives a node an envelope from outside.
    func receive(_ submission: Submission, at index: Int = 0) throws {
        try step(index) {
            try $0.handle(.deliver(submission.envelope))
        }
    }

    /// Gives a node envelopes from outside, as many in a step as fit.
    ///
    /// Returns the number of steps.
    func receive(_ submissions: [Submission], at index: Int = 0) throws -> Int {
        var rest = submissions[...]
        var stepCount = 0
        while !rest.isEmpty {
            try step(index) { engine in
                while !engine.step.isFull, let next = rest.popFirst() {
                    try engine.handle(.deliver(next.envelope))
                }
            }
            stepCount += 1
        }
        return stepCount
    }

    /// Returns the submissions since the last call.
    func takeSubmitted() -> [Submission] {
        defer { takenCount = submitted.count }
        return Array(submitted.dropFirst(takenCount))
    }

    // MARK: - Time

    /// Lets everything happen that is due within this time.
    ///
    /// - Parameter milliseconds: The time to pass.
    func run(for milliseconds: UInt64) {
        let end = clock + milliseconds
        while let next = nextInstant, next <= end {
            if next > clock { commitJoined() }
            clock = max(clock, next)
            if let delivery = deliveries.first, delivery.instant <= clock {
                _ = deliveries.removeFirst()
                take(delivery)
            }
            for index in nodes.indices { tick(index) }
        }
        commitJoined()
        clock = end
    }

    /// Sets all clocks forward, as after a long sleep, and continues for ten seconds.
    func sleep(for milliseconds: UInt64) {
        clock += milliseconds
        for index in nodes.indices { tick(index) }
        run(for: 10_000)
    }

    /// Sets all clocks forward, as while all nodes are off.
    func passUnseen(_ milliseconds: UInt64) {
        clock += milliseconds
    }

    /// All fragments of blobs that the mesh holds.
    var fragments: [Submission] { submitted.filter { $0.kind == .chunk } }

    private var nextInstant: UInt64? {
        let timers = nodes.map { ($0.engine.nextDeadline.nanoseconds + 999_999) / 1_000_000 }
        // A node whose store refuses keeps its deadline. The world tries it again a second later.
        return (timers.map { $0 <= clock ? clock + 1_000 : $0 } + [deliveries.first?.instant ?? .max]).min()
    }

    private func commitJoined() {
        for index in nodes.indices where nodes[index].isOpen {
            do {
                try step(index) { _ in }
            } catch {
                if !nodes[index].store.isFull { Issue.record(error) }
            }
        }
    }

    private func tick(_ index: Int) {
        guard nodes[index].engine.nextDeadline <= now.monotonic else { return }
        do {
            try step(index) { try $0.tick() }
        } catch {
            if !nodes[index].store.isFull { Issue.record(error) }
        }
    }

    // MARK: - The mesh

    private func spread(_ submissions: [Submission], from sender: Int) {
        for submission in submissions {
            if known.insert(submission).inserted { submitted.append(submission) }
            if [.sealed, .prekey].contains(submission.kind) { labels[submission.envelope.trail] = sender }
            for recipient in nodes.indices
            where recipient != sender && !mute.contains(sender)
                && crosses(submission.kind, from: sender, to: recipient)
            {
                deliver(.deliver(submission.envelope), to: recipient)
                if chance(quality.duplication) { deliver(.deliver(submission.envelope), to: recipient) }
            }
            if let id = submission.id {
                deliver(.transmitted(id), to: sender)
                deliver(.carried(id), to: sender)
            }
        }
    }

    func deliver(_ effect: MeshEffect, to recipient: Int) {
        deliver(.effect(effect), to: recipient)
    }

    private func deliver(_ arrival: Arrival, to recipient: Int) {
        let delay = UInt64.random(in: chance(quality.loss) ? quality.redelivery : quality.delay, using: &random)
        queue(arrival, to: recipient, after: delay)
    }

    private func queue(_ arrival: Arrival, to recipient: Int, after delay: UInt64) {
        deliveryCount += 1
        deliveries.insert(
            Delivery(instant: clock + delay, number: deliveryCount, recipient: recipient, arrival: arrival)
        )
    }

    private func take(_ delivery: Delivery) {
        if deaf.contains(delivery.recipient), delivery.arrival.isFromOutside { return }
        if case .effect(.deliver(let envelope, _)) = delivery.arrival, [.sealed, .prekey].contains(envelope.kind),
            heardIDs[delivery.recipient].insert(envelope.body).inserted
        {
            discovered[delivery.recipient].append(envelope)
        }
        do {
            if chance(joining) {
                try nodes[delivery.recipient].join(at: time(of: delivery.recipient)) {
                    try delivery.arrival.come(to: &$0)
                }
                joined[delivery.recipient].append(delivery.arrival)
            } else {
                try step(delivery.recipient) { try delivery.arrival.come(to: &$0) }
            }
        } catch {
            guard nodes[delivery.recipient].store.isFull else {
                Issue.record(error)
                return
            }
            queue(delivery.arrival, to: delivery.recipient, after: 1_000)
        }
    }

    private func chance(_ part: Double) -> Bool {
        part > 0 && Double.random(in: 0..<1, using: &random) < part
    }
}

extension ChatTime {
    /// Returns the same time by a wall clock that is ahead by this number of milliseconds.
    fileprivate func wrong(by error: Int64) -> ChatTime {
        ChatTime(wall: UInt64(Int64(wall) + error), monotonic: monotonic)
    }
}
