import MeshCore

/// The effect of simulated links on their messages.
///
/// A link loses nothing. A message that the segment below loses arrives later, by one resend delay per lost attempt.
/// Not modelled: rate, queues, lanes, and that large messages take several packets.
public struct SimLinkQuality: Sendable, Equatable {
    /// The shortest delay of a message.
    public var delay: Duration = .milliseconds(2)
    /// The largest additional delay.
    ///
    /// Every message draws its own, so messages overtake each other.
    public var jitter: Duration = .milliseconds(1)
    /// The fraction of attempts that are lost independently.
    public var loss: Double
    /// The time between two attempts.
    public var resendDelay: Duration = .milliseconds(15)
    /// The time from the first message to a crashed host until the link ends.
    public var detectionDelay: Duration = .milliseconds(1_200)

    /// Creates links over segments that lose this fraction of all packets.
    public init(loss: Double = 0) {
        self.loss = loss
    }

    /// The round trip that a link measures.
    var roundTrip: Duration { delay * 2 + jitter }

    /// Draws the number of attempts that a message takes.
    func attempts(using random: inout SplitMix64) -> Int {
        var count = 1
        while loss > 0, count < Self.attemptLimit, Double.random(in: 0..<1, using: &random) < loss { count += 1 }
        return count
    }

    /// Draws the delay of a message with this number of attempts.
    func latency(attempts: Int, using random: inout SplitMix64) -> Duration {
        let nanoseconds = jitter.wholeNanoseconds
        let extra = nanoseconds > 0 ? Int64.random(in: 0..<nanoseconds, using: &random) : 0
        return delay + .nanoseconds(extra) + resendDelay * (attempts - 1)
    }

    /// The largest number of attempts, more than any sensible loss needs.
    ///
    /// Total loss must not stop time.
    private static let attemptLimit = 100
}
