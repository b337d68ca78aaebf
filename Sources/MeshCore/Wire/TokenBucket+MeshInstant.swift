package import Bytes

/// Buckets on the clock of a node.
extension TokenBucket {
    /// Takes tokens; false if there are not so many, and then nothing has changed.
    package mutating func take(_ count: Int = 1, now: MeshInstant) -> Bool {
        take(count, at: now.nanoseconds)
    }

    /// Takes tokens whether they are there or not; the next taker waits the longer.
    package mutating func spend(_ count: Int = 1, now: MeshInstant) {
        spend(count, at: now.nanoseconds)
    }

    /// The instant of the next token; past if there is one.
    package var nextToken: MeshInstant { nextTokens(1) }

    /// The instant from which there are so many tokens at once; past if there are, never if a burst has not so many.
    package func nextTokens(_ count: Int) -> MeshInstant {
        MeshInstant(nanoseconds: nextTokens(count) as UInt64)
    }

    /// Whether nothing was taken for so long that a whole burst is allowed again.
    package func isFull(now: MeshInstant) -> Bool { isFull(at: now.nanoseconds) }
}
