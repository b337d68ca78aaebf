/// A rate limit with a burst, kept as one instant.
///
/// Instead of counting tokens it remembers when the next event would be due at the steady rate; an event is allowed
/// while that instant is at most a burst ahead. A fresh bucket is full.
/// Source: ITU-T I.371 Annex A, the virtual scheduling form of the leaky bucket.
package struct TokenBucket: Sendable, Equatable {
    /// Units: nanoseconds that one token takes to come.
    private let interval: UInt64
    private let burst: Int
    private var due = MeshInstant.zero

    /// Allows `rate` events a second, and `burst` at once after a rest; both are at least 1.
    package init(rate: Int, burst: Int) {
        precondition(rate > 0 && burst > 0, "a bucket of rate \(rate) and burst \(burst) never lets anything through")
        interval = 1_000_000_000 / UInt64(rate)
        self.burst = burst
    }

    /// Takes tokens; false if there are not so many, and then nothing has changed.
    package mutating func take(_ count: Int = 1, now: MeshInstant) -> Bool {
        guard nextTokens(count) <= now else { return false }
        spend(count, now: now)
        return true
    }

    /// Takes tokens whether they are there or not; who comes next waits the longer.
    package mutating func spend(_ count: Int = 1, now: MeshInstant) {
        due = MeshInstant(nanoseconds: max(due, now).nanoseconds + interval * UInt64(count))
    }

    /// When there is a token again; past if there is one.
    package var nextToken: MeshInstant { nextTokens(1) }

    /// When there are so many tokens at once; past if there are, never if a burst has not so many.
    package func nextTokens(_ count: Int) -> MeshInstant {
        guard count <= burst else { return .distantFuture }
        let tolerance = interval * UInt64(burst - count)
        return MeshInstant(nanoseconds: due.nanoseconds > tolerance ? due.nanoseconds - tolerance : 0)
    }

    /// Whether nothing was taken for so long that a whole burst is allowed again.
    package func isFull(now: MeshInstant) -> Bool { due <= now }
}
