/// A rate limit with a burst, kept as one instant.
///
/// Instead of counting tokens it remembers when the next event would be due at the steady rate; an event is allowed
/// while that instant is at most a burst ahead. A fresh bucket is full. Instants are nanoseconds since a zero that the
/// owner chooses.
/// Source: ITU-T I.371 Annex A, the virtual scheduling form of the leaky bucket.
public struct TokenBucket: Sendable, Equatable {
    /// Units: nanoseconds that one token takes to come.
    @usableFromInline let interval: UInt64
    @usableFromInline let burst: Int
    @usableFromInline var due: UInt64 = 0

    /// Allows `rate` events a second, and `burst` at once after a rest; both are at least 1.
    public init(rate: Int, burst: Int) {
        precondition(rate > 0 && burst > 0, "a bucket of rate \(rate) and burst \(burst) never lets anything through")
        interval = 1_000_000_000 / UInt64(rate)
        self.burst = burst
    }

    /// Allows an event every `interval` nanoseconds, and `burst` at once after a rest, at least 1.
    public init(interval: UInt64, burst: Int) {
        precondition(burst > 0, "a bucket of burst \(burst) never lets anything through")
        self.interval = interval
        self.burst = burst
    }

    /// Takes tokens; false if there are not so many, and then nothing has changed.
    @inlinable
    public mutating func take(_ count: Int = 1, at now: UInt64) -> Bool {
        guard nextTokens(count) <= now else { return false }
        spend(count, at: now)
        return true
    }

    /// Takes tokens whether they are there or not; the next taker waits the longer.
    @inlinable
    public mutating func spend(_ count: Int = 1, at now: UInt64) {
        due = max(due, now) + interval * UInt64(count)
    }

    /// The instant from which there are so many tokens at once: past if there are, `.max` if a burst has not so many.
    @inlinable
    public func nextTokens(_ count: Int) -> UInt64 {
        guard count <= burst else { return .max }
        let tolerance = interval * UInt64(burst - count)
        return due > tolerance ? due - tolerance : 0
    }

    /// Whether nothing was taken for so long that a whole burst is allowed again.
    @inlinable
    public func isFull(at now: UInt64) -> Bool { due <= now }
}
