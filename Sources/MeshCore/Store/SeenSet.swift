/// The ids of the last envelopes that came, stored or not, in the order in which they came.
///
/// So nobody delivers or passes on an envelope twice. A full set forgets the oldest.
///
/// Invariant: `entries` has for each id the number of its last place in `order`.
struct SeenSet: Sendable {
    private struct Entry: Sendable {
        let number: UInt64
        /// The place of an envelope that is not stored because the shelf did not cover it.
        var uncoveredPlace: UInt16?
        /// Whether it was not passed on when it came.
        var isUnspread = false
    }

    private let limit: Int
    private var entries: [UInt64: Entry] = [:]
    private var order = Fifo<(shortID: UInt64, number: UInt64)>()
    private var next: UInt64 = 0

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { entries.count }

    func contains(_ shortID: UInt64) -> Bool { entries[shortID] != nil }

    /// Returns the place of an envelope that is not stored because the shelf did not cover it; nil for all others.
    func uncoveredPlace(of shortID: UInt64) -> UInt16? { entries[shortID]?.uncoveredPlace }

    mutating func insert(_ shortID: UInt64) {
        guard entries[shortID] == nil else { return }
        entries[shortID] = Entry(number: next)
        order.append((shortID, next))
        next += 1
        while order.count > limit, let oldest = order.first {
            order.removeFirst()
            if entries[oldest.shortID]?.number == oldest.number { entries[oldest.shortID] = nil }
        }
    }

    /// Notes the place of a known envelope that the shelf does not cover; nil once it is stored or no longer wanted.
    mutating func note(uncoveredPlace place: UInt16?, of shortID: UInt64) { entries[shortID]?.uncoveredPlace = place }

    /// Returns whether an envelope was not passed on when it came.
    func isUnspread(_ shortID: UInt64) -> Bool { entries[shortID]?.isUnspread == true }

    /// Notes whether a known envelope was passed on.
    mutating func setUnspread(_ isUnspread: Bool, _ shortID: UInt64) { entries[shortID]?.isUnspread = isUnspread }

    /// Forgets an envelope, so that it may come again.
    mutating func remove(_ shortID: UInt64) { entries[shortID] = nil }
}
