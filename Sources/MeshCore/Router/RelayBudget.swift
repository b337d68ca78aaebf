/// The scheduler that decides when envelopes from links are forwarded: within a total rate that the links share fairly.
///
/// While the node's budget lasts, every envelope is forwarded at once. Beyond it, a link that uses less than an equal
/// share still does not wait; the envelopes of the other links queue and leave by deficit round robin as the budget
/// allows.
/// Invariants: `shares` has one share per link, sorted, after the one share for this node and closed links; `count`
/// envelopes are queued.
///
/// Source: PROTOCOL §5; Shreedhar and Varghese, "Efficient fair queuing using deficit round robin", SIGCOMM 1995.
package struct RelayBudget: Sendable {
    /// An envelope to be forwarded.
    struct Item: Sendable {
        let shortID: UInt64
        let lane: Lane
        /// The link on which it arrived.
        let origin: LinkID
        /// The size on the wire.
        ///
        /// Units: bytes.
        let byteCount: Int
        /// The time at which it came.
        let since: MeshInstant
        /// The probe itself, which no store keeps; nil for other envelopes.
        var probe: Router.Arrival?
    }

    /// The decision about an envelope.
    enum Admission: Equatable, Sendable {
        case atOnce
        case queued
        /// The queue of its link is full.
        case refused
    }

    private struct Share: Sendable {
        /// The link; nil for what this node sends itself, and for the envelopes that closed links have left.
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
    /// The time after which what waits is dropped, if this is a scheduler of probes.
    ///
    /// Then this node's own have a share too, and nothing waits for a link that has ended.
    private let patience: Duration?
    private var total: EnvelopeBudget
    private var shares: [Share]
    private var turn = 0
    /// The number of waiting envelopes.
    package private(set) var count = 0

    /// The size that a queue may send in one round.
    ///
    /// Units: bytes.
    private static let quantum = 2_048

    /// Creates a scheduler with a total rate and a limit of the envelopes from one link that wait.
    init(rate: EnvelopeRate, queueLimit: Int, patience: Duration? = nil) {
        self.rate = rate
        self.patience = patience
        self.queueLimit = queueLimit
        total = EnvelopeBudget(rate)
        shares = [Share(link: nil, own: EnvelopeBudget(rate))]
    }

    /// The time at which the next envelope can leave, whichever it is.
    package var nextDeadline: MeshInstant {
        guard count > 0 else { return .distantFuture }
        var (largest, deadline) = (0, MeshInstant.distantFuture)
        for place in shares.indices {
            guard let byteCount = shares[place].items.first?.byteCount else { continue }
            largest = max(largest, byteCount)
            deadline = min(deadline, shares[place].own.nextTurn(byteCount: byteCount))
        }
        return min(deadline, total.nextTurn(byteCount: largest))
    }

    /// Returns whether so few envelopes from the link wait that it may be asked for more.
    func hasCapacity(for link: LinkID) -> Bool {
        shares.first { $0.link == link }.map { $0.items.count <= queueLimit / 2 } ?? false
    }

    /// Adds a link, which begins with nothing saved.
    mutating func add(_ link: LinkID, now: MeshInstant) {
        let place = shares.dropFirst().firstIndex { $0.link ?? link > link } ?? shares.endIndex
        shares.insert(Share(link: link, own: EnvelopeBudget(rate, saved: .zero, now: now)), at: place)
        redistribute(now: now)
    }

    /// Returns whether a link has a share.
    func serves(_ link: LinkID) -> Bool { shares.contains { $0.link == link } }

    /// Returns whether this node may send an envelope of its own now: the budget lasts, or its share does.
    func admitsOwn(byteCount: Int, now: MeshInstant) -> Bool {
        count == 0 && total.nextTurn(byteCount: byteCount) <= now
            || shares[0].own.nextTurn(byteCount: byteCount) <= now
    }

    /// Takes the tokens for an envelope of this node; returns false and changes nothing if it may not go yet.
    mutating func takeOwn(byteCount: Int, now: MeshInstant) -> Bool {
        guard admitsOwn(byteCount: byteCount, now: now) else { return false }
        total.spend(byteCount: byteCount, now: now)
        _ = shares[0].own.take(byteCount: byteCount, now: now)
        return true
    }

    /// Removes a link.
    ///
    /// Its queued envelopes are still forwarded, up to the limit of the queue for closed links. Probes are not: nobody
    /// could answer them.
    ///
    /// - Returns: The ids of what is dropped.
    mutating func remove(_ link: LinkID, now: MeshInstant) -> [UInt64] {
        guard let place = shares.firstIndex(where: { $0.link == link }) else { return [] }
        let left = shares.remove(at: place).items
        count -= left.count
        var dropped: [UInt64] = []
        for item in left.elements {
            if patience == nil, shares[0].items.count < queueLimit {
                shares[0].items.append(item)
                count += 1
            } else {
                dropped.append(item.shortID)
            }
        }
        turn = 0
        redistribute(now: now)
        return dropped
    }

    /// Admits an envelope from one of the links.
    mutating func admit(_ item: Item, now: MeshInstant) -> Admission {
        guard let place = shares.firstIndex(where: { $0.link == item.origin }) else { return .refused }
        return take(byteCount: item.byteCount, at: place, now: now) ? .atOnce : enqueue(item, at: place)
    }

    /// Takes the tokens for an envelope from a link; returns false and changes nothing if it may not pass yet.
    mutating func take(byteCount: Int, from link: LinkID, now: MeshInstant) -> Bool {
        guard let place = shares.firstIndex(where: { $0.link == link }) else { return false }
        return take(byteCount: byteCount, at: place, now: now)
    }

    private mutating func take(byteCount: Int, at place: Int, now: MeshInstant) -> Bool {
        guard shares[place].items.isEmpty else { return false }
        if count == 0, total.take(byteCount: byteCount, now: now) {
            _ = shares[place].own.take(byteCount: byteCount, now: now)
            return true
        }
        guard shares[place].own.take(byteCount: byteCount, now: now) else { return false }
        total.spend(byteCount: byteCount, now: now)
        return true
    }

    /// Returns the next envelope that may leave: within the total by turns, and else within the share of its link.
    mutating func next(now: MeshInstant) -> Item? {
        dropOld(now: now)
        guard count > 0 else { return nil }
        while true {
            if let first = shares[turn].items.first {
                if first.byteCount <= shares[turn].deficit {
                    guard total.take(byteCount: first.byteCount, now: now) else { return nextWithinShare(now: now) }
                    shares[turn].deficit -= first.byteCount
                    return removeFirst(at: turn)
                }
            } else {
                shares[turn].deficit = 0
            }
            turn = (turn + 1) % shares.count
            shares[turn].deficit += Self.quantum
        }
    }

    private mutating func nextWithinShare(now: MeshInstant) -> Item? {
        for place in shares.indices {
            guard let first = shares[place].items.first, shares[place].own.take(byteCount: first.byteCount, now: now)
            else { continue }
            total.spend(byteCount: first.byteCount, now: now)
            return removeFirst(at: place)
        }
        return nil
    }

    private mutating func removeFirst(at place: Int) -> Item? {
        defer { shares[place].items.removeFirst() }
        count -= 1
        return shares[place].items.first
    }

    /// Drops what has waited for too long.
    private mutating func dropOld(now: MeshInstant) {
        guard count > 0, let patience else { return }
        for place in shares.indices {
            while let first = shares[place].items.first, first.since.advanced(by: patience) < now {
                _ = removeFirst(at: place)
            }
        }
    }

    private mutating func enqueue(_ item: Item, at place: Int) -> Admission {
        guard shares[place].items.count < queueLimit else { return .refused }
        shares[place].items.append(item)
        count += 1
        return .queued
    }

    /// Gives all links equal parts of the budget, without new tokens for anybody.
    private mutating func redistribute(now: MeshInstant) {
        let number = max(1, shares.count - (patience == nil ? 1 : 0))
        for place in shares.indices { shares[place].own.change(to: rate, sharedBy: number, now: now) }
    }
}
