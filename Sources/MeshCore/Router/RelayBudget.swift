/// The scheduler that decides when envelopes from links are forwarded: within a total rate that the links share fairly.
///
/// While the node's budget lasts, every envelope is forwarded at once. Beyond it, a link that uses less than an equal
/// share still does not wait; the envelopes of the other links queue and leave by deficit round robin as the budget
/// allows.
/// Invariants: `shares` has one share per link, sorted, after the one share for closed links; `count` envelopes are
/// queued.
///
/// Source: PROTOCOL §5; Shreedhar and Varghese, "Efficient fair queuing using deficit round robin", SIGCOMM 1995.
package struct RelayBudget: Sendable {
    /// An envelope to be forwarded.
    struct Item: Equatable, Sendable {
        let shortID: UInt64
        let lane: Lane
        /// The link on which it arrived.
        let origin: LinkID
        /// The size on the wire.
        ///
        /// Units: bytes.
        let byteCount: Int
    }

    /// The decision about an envelope.
    enum Admission: Equatable, Sendable {
        case atOnce
        case queued
        /// The queue of its link is full.
        case refused
    }

    private struct Share: Sendable {
        /// The link; nil for the envelopes that closed links have left.
        let link: LinkID?
        var items = Fifo<Item>()
        /// The size that may be taken from `items` in this round.
        ///
        /// Units: bytes.
        var deficit = 0
        var own: EnvelopeBudget
    }

    private let rate: EnvelopeRate
    private let queueLimit: Int
    private var total: EnvelopeBudget
    private var shares: [Share]
    private var turn = 0
    /// The number of waiting envelopes.
    package private(set) var count = 0

    /// The size that a queue may send in one round.
    ///
    /// Units: bytes.
    private static let quantum = 2_048

    init(_ configuration: RouterConfiguration) {
        rate = configuration.relayRate
        queueLimit = configuration.relayQueueLimit
        total = EnvelopeBudget(rate)
        shares = [Share(link: nil, own: EnvelopeBudget(rate))]
    }

    /// The time at which the next envelope can leave, whichever it is.
    package var nextDeadline: MeshInstant {
        guard count > 0 else { return .distantFuture }
        let largest = shares.reduce(0) { max($0, $1.items.first?.byteCount ?? 0) }
        return total.nextTurn(byteCount: largest)
    }

    /// Returns whether so few envelopes from the link wait that it may be asked for more.
    func hasCapacity(for link: LinkID) -> Bool {
        shares.first { $0.link == link }.map { $0.items.count <= queueLimit / 2 } ?? false
    }

    mutating func add(_ link: LinkID) {
        let place = shares.dropFirst().firstIndex { $0.link ?? link > link } ?? shares.endIndex
        shares.insert(Share(link: link, own: EnvelopeBudget(rate)), at: place)
        redistribute()
    }

    /// Removes a link.
    ///
    /// Its queued envelopes are still forwarded, up to the limit of the queue for closed links.
    mutating func remove(_ link: LinkID) {
        guard let place = shares.firstIndex(where: { $0.link == link }) else { return }
        let left = shares.remove(at: place).items
        count -= left.count
        for offset in 0..<left.count where shares[0].items.count < queueLimit {
            shares[0].items.append(left[offset])
            count += 1
        }
        turn = 0
        redistribute()
    }

    /// Admits an envelope from one of the links.
    mutating func admit(_ item: Item, now: MeshInstant) -> Admission {
        guard let place = shares.firstIndex(where: { $0.link == item.origin }) else { return .refused }
        guard shares[place].items.isEmpty else { return enqueue(item, at: place) }
        if count == 0, total.take(byteCount: item.byteCount, now: now) {
            _ = shares[place].own.take(byteCount: item.byteCount, now: now)
        } else if shares[place].own.take(byteCount: item.byteCount, now: now) {
            total.spend(byteCount: item.byteCount, now: now)
        } else {
            return enqueue(item, at: place)
        }
        return .atOnce
    }

    /// Returns the next envelope that may leave.
    mutating func next(now: MeshInstant) -> Item? {
        guard count > 0 else { return nil }
        while true {
            if let first = shares[turn].items.first {
                if first.byteCount <= shares[turn].deficit {
                    guard total.take(byteCount: first.byteCount, now: now) else { return nil }
                    shares[turn].deficit -= first.byteCount
                    shares[turn].items.removeFirst()
                    count -= 1
                    return first
                }
            } else {
                shares[turn].deficit = 0
            }
            turn = (turn + 1) % shares.count
            shares[turn].deficit += Self.quantum
        }
    }

    private mutating func enqueue(_ item: Item, at place: Int) -> Admission {
        guard shares[place].items.count < queueLimit else { return .refused }
        shares[place].items.append(item)
        count += 1
        return .queued
    }

    /// Gives all links equal parts of the budget.
    private mutating func redistribute() {
        let part = rate.share(among: max(1, shares.count - 1))
        for place in shares.indices { shares[place].own = EnvelopeBudget(part) }
    }
}
