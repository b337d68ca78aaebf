package import Bytes

/// The operations of buckets on the clock of a node.
extension TokenBucket {
    /// Takes `count` tokens; returns false and changes nothing if too few are available.
    package mutating func take(_ count: Int = 1, now: MeshInstant) -> Bool {
        take(count, at: now.nanoseconds)
    }

    /// Takes `count` tokens even if they are not available.
    ///
    /// Later callers then wait longer.
    package mutating func spend(_ count: Int = 1, now: MeshInstant) {
        spend(count, at: now.nanoseconds)
    }

    /// Changes rate and burst to those of another bucket; an empty bucket stays empty if both fill in the same time.
    package mutating func adopt(_ other: TokenBucket, now: MeshInstant) { adopt(other, at: now.nanoseconds) }

    /// Limits what is owed to `count` tokens, after more was taken than there was.
    package mutating func limitDebt(to count: Int, now: MeshInstant) { limitDebt(to: count, at: now.nanoseconds) }

    /// Leaves only what the bucket gains in a time, but at least `count` tokens, or those that there are if these are
    /// fewer.
    package mutating func leaveGain(of time: Duration, least count: Int, now: MeshInstant) {
        let gained = gain(inNanoseconds: MeshInstant.zero.advanced(by: time).nanoseconds)
        leave(max(count, gained), at: now.nanoseconds)
    }

    /// The instant of the next token; in the past if one is available.
    package var nextToken: MeshInstant { nextTokens(1) }

    /// Returns the instant at which `count` tokens are available at once: a past instant if they are available now, the
    /// distant future if `count` exceeds the burst.
    package func nextTokens(_ count: Int) -> MeshInstant {
        MeshInstant(nanoseconds: nextTokens(count) as UInt64)
    }

    /// Whether the bucket has been idle long enough for a whole burst.
    package func isFull(now: MeshInstant) -> Bool { isFull(at: now.nanoseconds) }
}
