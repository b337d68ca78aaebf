/// A rate with a burst of one second's worth.
struct TokenBucket {
    private let perSecond: Int
    private var tokens: Double
    private var filledAt: MeshInstant

    /// Starts full.
    init(perSecond: Int, now: MeshInstant) {
        self.perSecond = perSecond
        tokens = Double(perSecond)
        filledAt = now
    }

    /// Takes one token, if there is one.
    mutating func take(now: MeshInstant) -> Bool {
        fill(now: now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Whether nothing was taken for so long that the bucket is full again.
    mutating func isFull(now: MeshInstant) -> Bool {
        fill(now: now)
        return tokens >= Double(perSecond)
    }

    private mutating func fill(now: MeshInstant) {
        let elapsed = filledAt.duration(to: now)
        guard elapsed > .zero else { return }
        tokens = min(Double(perSecond), tokens + elapsed / .seconds(1) * Double(perSecond))
        filledAt = now
    }
}
