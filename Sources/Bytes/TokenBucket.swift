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
    @usableFromInline var interval: UInt64
    /// The number of tokens of a full bucket.
    public internal(set) var burst: Int
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

    /// Changes rate and burst to those of another bucket.
    ///
    /// The time until the bucket is full stays, but is at most that of an empty one. So an empty bucket stays empty if
    /// both fill in the same time.
    public mutating func adopt(_ other: TokenBucket, at now: UInt64) {
        (interval, burst) = (other.interval, other.burst)
        due = min(due, now + interval * UInt64(burst))
    }

    /// Limits what is owed to `count` tokens, after more was taken than there was.
    public mutating func limitDebt(to count: Int, at now: UInt64) {
        due = min(due, now + interval * UInt64(burst + count))
    }

    /// Returns the number of tokens that the bucket gains in a time, at most a whole burst.
    public func gain(inNanoseconds time: UInt64) -> Int { Int(min(time / max(1, interval), UInt64(burst))) }

    /// Takes all tokens but `count`, or leaves those that there are if these are fewer.
    public mutating func leave(_ count: Int, at now: UInt64) {
        due = max(due, now + interval * UInt64(max(0, burst - count)))
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
