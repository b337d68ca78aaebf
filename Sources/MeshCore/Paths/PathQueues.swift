/// The payloads that wait because a link's lane was full.
///
/// In each lane of a link, labels take turns.
///
/// A label's turn allows as many bytes as the longest message has. The unused rest counts at its next turn (deficit
/// round robin), so that long and short messages get the same share.
/// Invariant: a label is in a lane's `order` exactly once while something for it waits there; `byteCount` is the sum of
/// all. Source: PROTOCOL §5.1.
struct PathQueues: Sendable {
    private struct Key: Hashable, Comparable {
        let link: LinkID
        let lane: Lane

        static func < (left: Key, right: Key) -> Bool { (left.link, left.lane) < (right.link, right.lane) }
    }

    private struct Queue: Sendable {
        var messages = Fifo<[UInt8]>()
        var byteCount = 0
        /// The size that may leave before the turn ends.
        ///
        /// Units: bytes.
        var credit = 0
        var hasTurn = false
    }

    private struct Ring: Sendable {
        /// The labels in the order of their turns.
        var order: [PathLabel] = []
        var queues: [PathLabel: Queue] = [:]
    }

    private let labelByteLimit: Int
    private let byteLimit: Int
    private var rings: [Key: Ring] = [:]
    /// The size of all waiting messages.
    ///
    /// Units: bytes.
    private(set) var byteCount = 0

    init(configuration: PathConfiguration) {
        labelByteLimit = configuration.queueByteLimit
        byteLimit = configuration.queuedByteLimit
    }

    /// Returns the size that waits for a label on a lane of a link.
    ///
    /// Units: bytes.
    func byteCount(of label: PathLabel, lane: Lane, on link: LinkID) -> Int {
        rings[Key(link: link, lane: lane)]?.queues[label]?.byteCount ?? 0
    }

    /// Returns whether nothing waits on a lane of a link.
    func isEmpty(lane: Lane, on link: LinkID) -> Bool {
        rings[Key(link: link, lane: lane)] == nil
    }

    /// Returns whether a message for the label fits without dropping another.
    func hasCapacity(for count: Int, of label: PathLabel, lane: Lane, on link: LinkID) -> Bool {
        byteCount(of: label, lane: lane, on: link) + count <= labelByteLimit && byteCount + count <= byteLimit
    }

    /// Appends a message; returns the number of dropped messages: older ones that make room for it, or itself if it can
    /// never fit.
    mutating func append(_ message: [UInt8], of label: PathLabel, lane: Lane, on link: LinkID) -> Int {
        guard message.count <= min(labelByteLimit, byteLimit) else { return 1 }
        let key = Key(link: link, lane: lane)
        var dropCount = 0
        while byteCount(of: label, lane: lane, on: link) + message.count > labelByteLimit {
            removeFirst(of: label, in: key)
            dropCount += 1
        }
        while byteCount + message.count > byteLimit, let (longest, key) = longestQueue() {
            removeFirst(of: longest, in: key)
            dropCount += 1
        }
        if rings[key, default: Ring()].queues[label] == nil { rings[key, default: Ring()].order.append(label) }
        rings[key, default: Ring()].queues[label, default: Queue()].messages.append(message)
        rings[key]?.queues[label]?.byteCount += message.count
        byteCount += message.count
        return dropCount
    }

    /// Sends the waiting messages of a lane of a link, as far as the lane accepts them.
    mutating func drain(
        lane: Lane,
        on link: LinkID,
        now: MeshInstant,
        over sender: inout some LinkSending
    ) {
        let key = Key(link: link, lane: lane)
        while let label = rings[key]?.order.first, var queue = rings[key]?.queues[label] {
            if !queue.hasTurn {
                queue.hasTurn = true
                queue.credit += PathFrame.maximumByteCount
                rings[key]?.queues[label] = queue
            }
            while let message = rings[key]?.queues[label]?.messages.first {
                guard message.count <= rings[key]?.queues[label]?.credit ?? 0 else { break }
                guard sender.send(message, lane: lane, tag: 0, on: link, now: now) else { return }
                rings[key]?.queues[label]?.credit -= message.count
                removeFirst(of: label, in: key)
            }
            guard rings[key]?.queues[label] != nil else { continue }
            rings[key]?.queues[label]?.hasTurn = false
            rings[key]?.order.removeFirst()
            rings[key]?.order.append(label)
        }
    }

    /// Drops the messages that wait for a label on a link.
    mutating func remove(_ label: PathLabel, on link: LinkID) {
        for lane in Lane.allCases {
            while !isEmpty(lane: lane, on: link), byteCount(of: label, lane: lane, on: link) > 0 {
                removeFirst(of: label, in: Key(link: link, lane: lane))
            }
        }
    }

    /// Drops all messages that wait for a link.
    mutating func remove(_ link: LinkID) {
        for lane in Lane.allCases {
            let ring = rings.removeValue(forKey: Key(link: link, lane: lane))
            byteCount -= ring?.queues.values.reduce(0) { $0 + $1.byteCount } ?? 0
        }
    }

    private func longestQueue() -> (PathLabel, Key)? {
        var longest: (label: PathLabel, key: Key, byteCount: Int)?
        for key in rings.keys.sorted() {
            for label in rings[key]?.order ?? [] {
                let count = rings[key]?.queues[label]?.byteCount ?? 0
                if count > longest?.byteCount ?? 0 { longest = (label, key, count) }
            }
        }
        return longest.map { ($0.label, $0.key) }
    }

    private mutating func removeFirst(of label: PathLabel, in key: Key) {
        guard let count = rings[key]?.queues[label]?.messages.first?.count else { return }
        rings[key]?.queues[label]?.messages.removeFirst()
        rings[key]?.queues[label]?.byteCount -= count
        byteCount -= count
        guard rings[key]?.queues[label]?.messages.isEmpty == true else { return }
        rings[key]?.queues[label] = nil
        rings[key]?.order.removeAll { $0 == label }
        if rings[key]?.order.isEmpty == true { rings[key] = nil }
    }
}
