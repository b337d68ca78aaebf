/// The payloads that wait because a link's lane was full.
///
/// In each lane of a link, labels take turns.
///
/// A label's turn allows as many bytes as the longest message has. The unused rest counts at its next turn (deficit
/// round robin), so that long and short messages get the same share.
/// Full queues drop from the link with most, and there from a label that was the longest when something was added to
/// it. So the cost of a message does not depend on the number of labels.
/// Invariant: a label is in a lane's `order` exactly once while it has a queue there, empty or not; something waits in
/// each ring; `byteCount` is the sum of all.
///
/// Source: PROTOCOL §5.1; Suter, Lakshman, Stiliadis and Choudhury, "Design considerations for supporting TCP with
/// per-flow queueing", INFOCOM 1998 (approximated longest queue drop).
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

    /// The queues of one lane of a link.
    private struct Ring: Sendable {
        /// The labels in the order of their turns; those whose queue has become empty stay until their turn.
        var order = Fifo<PathLabel>()
        var queues: [PathLabel: Queue] = [:]
        /// The number of labels for which something waits.
        var waitingCount = 0
        var byteCount = 0
        /// The label whose queue was longest when something was last added to it.
        var longest: PathLabel?
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

    /// The number of labels that have a queue, empty or not, on all links.
    var labelCount: Int { rings.values.reduce(0) { $0 + $1.order.count } }

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
        var ring = rings.removeValue(forKey: key) ?? Ring()
        if ring.queues[label] == nil { ring.order.append(label) }
        var queue = ring.queues.removeValue(forKey: label) ?? Queue()
        if queue.messages.isEmpty { ring.waitingCount += 1 }
        queue.messages.append(message)
        queue.byteCount += message.count
        if queue.byteCount >= ring.longest.flatMap({ ring.queues[$0]?.byteCount }) ?? 0 { ring.longest = label }
        ring.queues[label] = queue
        ring.byteCount += message.count
        byteCount += message.count
        Self.compact(&ring)
        rings[key] = ring
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
        while let label = nextLabel(in: key) {
            if rings[key]?.queues[label]?.hasTurn == false {
                rings[key]?.queues[label]?.hasTurn = true
                rings[key]?.queues[label]?.credit += PathFrame.maximumByteCount
            }
            while let message = rings[key]?.queues[label]?.messages.first {
                guard message.count <= rings[key]?.queues[label]?.credit ?? 0 else { break }
                guard sender.send(message, lane: lane, tag: 0, on: link, now: now) else { return }
                rings[key]?.queues[label]?.credit -= message.count
                removeFirst(of: label, in: key)
            }
            guard rings[key]?.queues[label]?.messages.isEmpty == false else { continue }
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
            byteCount -= ring?.byteCount ?? 0
        }
    }

    /// Returns a label with much in the ring with most; nil if nothing waits.
    private mutating func longestQueue() -> (PathLabel, Key)? {
        let key = rings.max { ($0.value.byteCount, $0.key) < ($1.value.byteCount, $1.key) }?.key
        guard let key else { return nil }
        if let label = rings[key]?.longest, rings[key]?.queues[label]?.messages.isEmpty == false { return (label, key) }
        return nextLabel(in: key).map { ($0, key) }
    }

    /// Returns the label whose turn is next, after the labels for which nothing waits have been removed before it.
    private mutating func nextLabel(in key: Key) -> PathLabel? {
        while let label = rings[key]?.order.first {
            if rings[key]?.queues[label]?.messages.isEmpty == false { return label }
            rings[key]?.order.removeFirst()
            rings[key]?.queues[label] = nil
        }
        return nil
    }

    private mutating func removeFirst(of label: PathLabel, in key: Key) {
        guard let count = rings[key]?.queues[label]?.messages.first?.count else { return }
        rings[key]?.queues[label]?.messages.removeFirst()
        rings[key]?.queues[label]?.byteCount -= count
        rings[key]?.byteCount -= count
        byteCount -= count
        guard rings[key]?.queues[label]?.messages.isEmpty == true else { return }
        rings[key]?.queues[label]?.credit = 0
        rings[key]?.queues[label]?.hasTurn = false
        rings[key]?.waitingCount -= 1
        if rings[key]?.waitingCount == 0 { rings[key] = nil }
    }

    /// Removes the labels for which nothing waits once they are most of all.
    private static func compact(_ ring: inout Ring) {
        guard ring.order.count > 2 * ring.waitingCount + slack else { return }
        var order = Fifo<PathLabel>()
        for place in 0..<ring.order.count {
            let label = ring.order[place]
            if ring.queues[label]?.messages.isEmpty == false {
                order.append(label)
            } else {
                ring.queues[label] = nil
            }
        }
        ring.order = order
    }

    /// The number of labels without anything that a ring may have besides as many as those with something.
    private static let slack = 64
}
