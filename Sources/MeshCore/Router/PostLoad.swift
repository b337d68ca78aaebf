/// The bytes of posts that this node has sent to neighbours in the last minute, its own and those that it relays.
///
/// Shape: six parts of 10 s.
struct PostLoad: Sendable {
    private static let partCount: UInt64 = 6
    private static let partNanoseconds: UInt64 = 10_000_000_000

    private var byteCounts = [Int](repeating: 0, count: Int(partCount))
    private var current: UInt64 = 0

    /// Adds a message to a neighbour.
    mutating func add(byteCount: Int, now: MeshInstant) {
        advance(to: now)
        byteCounts[Int(current % Self.partCount)] += byteCount
    }

    /// Returns the size of the last minute.
    ///
    /// Units: bytes.
    func byteCount(now: MeshInstant) -> Int {
        var copy = self
        copy.advance(to: now)
        return copy.byteCounts.reduce(0, +)
    }

    /// Forgets the parts that are over.
    private mutating func advance(to now: MeshInstant) {
        let part = now.nanoseconds / Self.partNanoseconds
        guard part > current else { return }
        for over in 1...min(part - current, Self.partCount) { byteCounts[Int((current + over) % Self.partCount)] = 0 }
        current = part
    }
}
