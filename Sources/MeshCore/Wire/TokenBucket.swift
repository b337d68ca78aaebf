/// A rate limit with a burst, kept as one instant.
///
/// Instead of counting tokens it remembers when the next event would be due at the steady rate; an event is allowed
/// while that instant is at most a burst ahead. A fresh bucket is full.
/// Source: ITU-T I.371 Annex A, the virtual scheduling form of the leaky bucket.
package struct TokenBucket: Sendable, Equatable {
    private let interval: Duration
    private let tolerance: Duration
    private var due = MeshInstant.zero

    /// Allows `rate` events a second, and `burst` at once after a rest; both are at least 1.
    package init(rate: Int, burst: Int) {
        precondition(rate > 0 && burst > 0, "a bucket of rate \(rate) and burst \(burst) never lets anything through")
        interval = .nanoseconds(1_000_000_000 / Int64(rate))
        tolerance = interval * (burst - 1)
    }

    /// Takes one token; false if there is none, and then nothing has changed.
    package mutating func take(now: MeshInstant) -> Bool {
        guard nextToken <= now else { return false }
        due = max(due, now).advanced(by: interval)
        return true
    }

    /// When there is a token again; past if there is one.
    package var nextToken: MeshInstant { due.advanced(by: .zero - tolerance) }

    /// Whether nothing was taken for so long that a whole burst is allowed again.
    package func isFull(now: MeshInstant) -> Bool { due <= now }
}
