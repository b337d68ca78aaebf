/// The envelopes that a neighbour wants, in the order in which it wants them, each once.
struct Served: Sendable {
    private var order = Fifo<UInt64>()
    private var known: Set<UInt64> = []

    var isEmpty: Bool { order.isEmpty }
    var count: Int { order.count }
    var first: UInt64? { order.first }

    /// Adds an envelope; returns false if it waits already, or as many as `limit` wait.
    mutating func append(_ shortID: UInt64, limit: Int) -> Bool {
        guard order.count < limit, known.insert(shortID).inserted else { return false }
        order.append(shortID)
        return true
    }

    mutating func removeFirst() {
        if let first = order.first { known.remove(first) }
        order.removeFirst()
    }
}
