/// A rate limiter with a burst, stored as one instant.
///
/// It does not count tokens. It remembers the time at which the next event would be due at the steady rate. An event is
/// allowed while that time is at most one burst ahead. A new bucket is full. Instants are nanoseconds since a zero that
/// the owner chooses.
/// Source: ITU-T I.371 Annex A, the virtual scheduling form of the leaky bucket.
public struct TokenBucket: Sendable, Equatable {
    /// The time that one token takes to refill.
    ///
    /// Units: nanoseconds.
    @usableFromInline let interval: UInt64
    @usableFromInline let burst: Int
    @usableFromInline var due: UInt64 = 0

    /// Allows `rate` events per second, and `burst` events at once after a pause; both are at least 1.
    public init(rate: Int, burst: Int) {
        precondition(rate > 0 && burst > 0, "a bucket of rate \(rate) and burst \(burst) never lets anything through")
        interval = 1_000_000_000 / UInt64(rate)
        self.burst = burst
    }

    /// Allows one event per `interval` nanoseconds, and `burst` events at once after a pause; `burst` is at least 1.
    public init(interval: UInt64, burst: Int) {
        precondition(burst > 0, "a bucket of burst \(burst) never lets anything through")
        self.interval = interval
        self.burst = burst
    }

    /// Takes `count` tokens; returns false and changes nothing if too few are available.
    @inlinable
    public mutating func take(_ count: Int = 1, at now: UInt64) -> Bool {
        guard nextTokens(count) <= now else { return false }
        spend(count, at: now)
        return true
    }

    /// Takes `count` tokens even if they are not available.
    ///
    /// Later callers then wait longer.
    @inlinable
    public mutating func spend(_ count: Int = 1, at now: UInt64) {
        due = max(due, now) + interval * UInt64(count)
    }

    /// Returns the instant at which `count` tokens are available at once: a past instant if they are available now,
    /// `.max` if `count` exceeds the burst.
    @inlinable
    public func nextTokens(_ count: Int) -> UInt64 {
        guard count <= burst else { return .max }
        let tolerance = interval * UInt64(burst - count)
        return due > tolerance ? due - tolerance : 0
    }

    /// Whether the bucket has been idle long enough for a whole burst.
    @inlinable
    public func isFull(at now: UInt64) -> Bool { due <= now }
}
