/// The ids of the last envelopes that came, stored or not, in the order in which they came.
///
/// So that nobody hands on, delivers or asks for an envelope twice. A full set forgets the oldest.
///
/// Invariant: `numbers` has for each id the number of its last place in `order`.
struct SeenSet: Sendable {
    private let limit: Int
    private var numbers: [UInt64: UInt64] = [:]
    private var order = Fifo<(shortID: UInt64, number: UInt64)>()
    private var next: UInt64 = 0

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { numbers.count }

    func contains(_ shortID: UInt64) -> Bool { numbers[shortID] != nil }

    mutating func insert(_ shortID: UInt64) {
        guard numbers[shortID] == nil else { return }
        numbers[shortID] = next
        order.append((shortID, next))
        next += 1
        while order.count > limit, let oldest = order.first {
            order.removeFirst()
            if numbers[oldest.shortID] == oldest.number { numbers[oldest.shortID] = nil }
        }
    }

    /// Forgets an envelope, so that it may come again.
    mutating func remove(_ shortID: UInt64) { numbers[shortID] = nil }
}
