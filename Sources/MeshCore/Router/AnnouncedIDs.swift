/// The envelopes that were announced to a neighbour and that it has not fetched, the latest of them.
///
/// A neighbour may fetch each of them once without its counting towards the rate of what neighbours ask for: the rates of
/// what is passed on, and what this node itself writes, limit it already. Source: PROTOCOL §5 rule 57.
struct AnnouncedIDs: Sendable {
    private let limit: Int
    private var ids: Set<UInt64> = []
    /// The ids in the order of their announcement; some have been fetched since.
    private var order = Fifo<UInt64>()

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds an id; the oldest makes room for it.
    mutating func insert(_ shortID: UInt64) {
        ids.insert(shortID)
        order.append(shortID)
        guard order.count > limit, let oldest = order.first else { return }
        order.removeFirst()
        ids.remove(oldest)
    }

    /// Removes an id; returns whether it was announced and not fetched.
    mutating func take(_ shortID: UInt64) -> Bool { ids.remove(shortID) != nil }
}
