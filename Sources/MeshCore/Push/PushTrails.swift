import Bytes

/// The trails of pushes, and the payloads that wait for links to the nodes that pushed.
///
/// A push comes by no link. A node that answers it makes a direct link to the node that pushed it, and its payloads wait
/// for that link for a moment. Invariant: `order` has each label of `pushers`. Source: PROTOCOL §5.1.
struct PushTrails: Sendable {
    private struct Entry: Sendable {
        let pusher: Trail.Pusher
        let expires: MeshInstant
    }

    /// A payload for the author of a pushed post.
    enum Payload: Equatable, Sendable {
        /// One of this node.
        case own(PathMessage)
        /// One that a link brought.
        case passing([UInt8], from: LinkID)
    }

    private struct Waiting: Sendable {
        let payload: Payload
        let label: PathLabel
        let node: NodeID
        let due: MeshInstant
    }

    private var pushers: [PathLabel: Entry] = [:]
    private var order = Fifo<PathLabel>()
    private var waiting: [Waiting] = []

    /// The time at which the first payload has waited too long.
    var nextDeadline: MeshInstant { waiting.first?.due ?? .distantFuture }

    /// Records the node that pushed a post; the oldest record makes room.
    mutating func note(_ label: PathLabel, of pusher: Trail.Pusher, now: MeshInstant) {
        guard pushers[label].map({ $0.expires <= now }) ?? true else { return }
        pushers[label] = Entry(pusher: pusher, expires: now.advanced(by: Self.life))
        order.append(label)
        guard order.count > Self.limit, let oldest = order.first else { return }
        order.removeFirst()
        pushers[oldest] = nil
    }

    /// Returns the node that pushed a post; nil if that is too long ago.
    func pusher(of label: PathLabel, now: MeshInstant) -> Trail.Pusher? {
        pushers[label].flatMap { $0.expires > now ? $0.pusher : nil }
    }

    /// Keeps a payload until there is a link to a node; returns false if too many wait.
    mutating func hold(_ payload: Payload, to label: PathLabel, for node: NodeID, now: MeshInstant) -> Bool {
        guard waiting.count < Self.waitingLimit else { return false }
        let due = now.advanced(by: Self.patience)
        waiting.append(Waiting(payload: payload, label: label, node: node, due: due))
        return true
    }

    /// Takes the payloads that wait for a link to a node.
    mutating func take(for node: NodeID) -> [(payload: Payload, label: PathLabel)] {
        guard !waiting.isEmpty else { return [] }
        let taken = waiting.filter { $0.node == node }.map { ($0.payload, $0.label) }
        waiting.removeAll { $0.node == node }
        return taken
    }

    /// Takes the payloads that have waited too long, and forgets their trails.
    mutating func takeOverdue(now: MeshInstant) -> [(payload: Payload, label: PathLabel)] {
        let overdue = waiting.prefix { $0.due <= now }
        waiting.removeFirst(overdue.count)
        for entry in overdue { pushers[entry.label] = nil }
        return overdue.map { ($0.payload, $0.label) }
    }

    /// The time for which a trail is remembered, like those of links.
    private static let life = Duration.seconds(60)
    /// The most trails.
    static let limit = 8_192
    /// The most payloads that wait for links.
    static let waitingLimit = 64
    /// The longest time for which one waits.
    static let patience = Duration.seconds(1)
}
