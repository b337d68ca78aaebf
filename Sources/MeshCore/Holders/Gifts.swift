import Bytes

/// The nodes that may ask this one for pieces, and what they have asked for.
///
/// All of them share one rate, and take turns where it is used up. Invariant: each awaits at most `windowCount` pieces.
struct Gifts: Sendable {
    private struct Gift: Sendable {
        let tag: ObjectTag
        let peer: PathLabel
        /// Whether this node asked the other to keep the object, which can then confirm that.
        let isOffer: Bool
        var end: MeshInstant
        /// The pieces that it waits for.
        var awaited: [UInt64] = []
        /// Whether it has said that it keeps the object.
        var isKept = false
    }

    private let configuration: HolderConfiguration
    private var gifts: [PathLabel: Gift] = [:]
    private var rate: TokenBucket
    /// The label after which the next turn begins.
    private var turn: PathLabel?

    init(configuration: HolderConfiguration) {
        self.configuration = configuration
        rate = TokenBucket(rate: configuration.givenRate, burst: configuration.givenBurst)
    }

    /// The time at which something ends, or the rate allows more.
    var nextDeadline: MeshInstant {
        var (deadline, awaits) = (MeshInstant.distantFuture, false)
        for gift in gifts.values {
            deadline = min(deadline, gift.end)
            awaits = awaits || !gift.awaited.isEmpty
        }
        return awaits ? min(deadline, rate.nextTokens(Envelope.maximumByteCount)) : deadline
    }

    /// Returns whether this label is one of those that others ask at.
    func owns(_ label: PathLabel) -> Bool { gifts[label] != nil }

    /// Lets a node ask for the pieces of an object; returns the labels that make room: those of an earlier offer to it,
    /// else that of the node which has been silent for longest.
    mutating func add(
        _ tag: ObjectTag,
        for peer: PathLabel,
        under own: PathLabel,
        isOffer: Bool,
        now: MeshInstant
    ) -> [PathLabel] {
        var labels = gifts.filter { $0.value.tag == tag && $0.value.peer == peer }.keys.sorted()
        if labels.isEmpty, gifts.count >= configuration.giftLimit,
            let oldest = gifts.min(by: { ($0.value.end, $0.key) < ($1.value.end, $1.key) })?.key
        {
            labels = [oldest]
        }
        for label in labels { gifts[label] = nil }
        gifts[own] = Gift(tag: tag, peer: peer, isOffer: isOffer, end: now.advanced(by: configuration.silence))
        return labels
    }

    /// Notes that a node keeps what it was offered; returns the object, or nil if it was offered none.
    mutating func noteKept(at label: PathLabel) -> ObjectTag? {
        guard let gift = gifts[label], gift.isOffer else { return nil }
        gifts[label]?.isKept = true
        return gift.tag
    }

    /// Returns the number of nodes that keep an object.
    func keptCount(of tag: ObjectTag) -> Int { gifts.values.count { $0.tag == tag && $0.isKept } }

    /// Notes what a node asks for; beyond its window it no longer waits for what it asked for first.
    mutating func ask(_ ids: [UInt64], at label: PathLabel, now: MeshInstant) {
        guard let gift = gifts[label] else { return }
        gifts[label]?.end = now.advanced(by: configuration.silence)
        let new = ids.prefix(configuration.windowCount)
        let all = gift.awaited.filter { !new.contains($0) } + new
        gifts[label]?.awaited = Array(all.suffix(configuration.windowCount))
    }

    /// Takes the pieces that may go now, with the labels that they go to, each time beginning with another node.
    mutating func takeDue(from store: EnvelopeStore, now: MeshInstant) -> [(peer: PathLabel, message: [UInt8])] {
        var pieces: [(peer: PathLabel, message: [UInt8])] = []
        while rate.nextTokens(Envelope.maximumByteCount) <= now {
            let waiting = gifts.filter { !$0.value.awaited.isEmpty }.keys.sorted()
            guard let label = waiting.first(where: { label in turn.map { label > $0 } ?? true }) ?? waiting.first,
                let gift = gifts[label], let id = gift.awaited.first
            else { break }
            turn = label
            gifts[label]?.awaited.removeFirst()
            guard let entry = store[id], entry.tag == gift.tag, let message = entry.message(now: now) else { continue }
            rate.spend(message.count, now: now)
            pieces.append((gift.peer, message))
        }
        return pieces
    }

    /// Forgets the nodes that cannot be reached any more; returns their labels.
    mutating func lose(_ peer: PathLabel) -> [PathLabel] { remove { $0.peer == peer } }

    /// Forgets the nodes that have been silent for too long; returns their labels.
    mutating func expire(now: MeshInstant) -> [PathLabel] { remove { $0.end <= now } }

    private mutating func remove(where isOver: (Gift) -> Bool) -> [PathLabel] {
        let labels = gifts.filter { isOver($0.value) }.keys.sorted()
        for label in labels { gifts[label] = nil }
        return labels
    }
}
