/// How often something may happen: so many times at once, and again as time goes by.
struct TokenBucket: Equatable, Sendable {
    private let rate: AnswerRate
    /// When all that was taken is there again; until then something is missing.
    private var fullAt: ContinuousClock.Instant

    /// A full bucket.
    init(_ rate: AnswerRate, at now: ContinuousClock.Instant) {
        self.rate = rate
        fullAt = now
    }

    /// Takes one out.
    ///
    /// - Returns: How long it is until there is one; nil where one was taken.
    mutating func take(at now: ContinuousClock.Instant) -> Duration? {
        let interval = rate.span / rate.count
        let filled = max(fullAt, now).advanced(by: interval)
        let wait = now.duration(to: filled) - interval * rate.count
        guard wait <= .zero else { return wait }
        fullAt = filled
        return nil
    }
}

/// How often a peer may ask.
public struct AnswerRate: Hashable, Sendable {
    /// So many times, 1 or more.
    public let count: Int
    /// In so long a time.
    public let span: Duration

    /// Makes a rate.
    ///
    /// - Parameters:
    ///   - count: 1 or more.
    ///   - span: More than zero.
    public init(_ count: Int, in span: Duration) {
        precondition(count > 0 && span > .zero, "\(count) in \(span) is no rate")
        self.count = count
        self.span = span
    }
}
