import Bytes

/// A token bucket of answers on the clock of this machine.
struct AnswerBucket: Equatable, Sendable {
    private let start: ContinuousClock.Instant
    private var tokens: TokenBucket

    /// Makes a full bucket.
    init(_ rate: AnswerRate, at now: ContinuousClock.Instant) {
        start = now
        // A burst takes a quarter of the range of instants at most, so that no sum overflows.
        let longest = UInt64.max / 4 / UInt64(rate.count)
        tokens = TokenBucket(interval: min((rate.span / rate.count).nanoseconds, longest), burst: rate.count)
    }

    /// Takes one token.
    ///
    /// - Returns: The time until a token is there; nil if one was taken.
    mutating func take(at now: ContinuousClock.Instant) -> Duration? {
        let now = start.duration(to: now).nanoseconds
        guard !tokens.take(at: now) else { return nil }
        return .nanoseconds(Int64(clamping: tokens.nextTokens(1) - now))
    }
}

extension Duration {
    /// The whole nanoseconds; 0 for a negative duration, the largest value for one that does not fit into 64 bits.
    fileprivate var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = UInt64(max(0, seconds)).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : whole + UInt64(max(0, attoseconds)) / 1_000_000_000
    }
}

/// A limit on the questions of a peer.
public struct AnswerRate: Hashable, Sendable {
    /// The number of questions, 1 or more.
    public let count: Int
    /// The time in which the peer may ask that many.
    public let span: Duration

    /// Makes a rate.
    ///
    /// - Parameters:
    ///   - count: 1 or more.
    ///   - span: More than zero.
    public init(_ count: Int, in span: Duration) {
        precondition(count > 0 && span > .zero, "\(count) in \(span) is not a rate")
        self.count = count
        self.span = span
    }
}
