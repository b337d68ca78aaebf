import MeshCore

/// What simulated links do to the messages on them.
///
/// A link loses nothing: what the segment below it loses comes later, by as many resend timeouts as it took attempts.
/// Not modelled: rate, queues, lanes, and that large messages take several packets.
public struct SimLinkQuality: Sendable, Equatable {
    /// How long a message takes at least.
    public var delay: Duration = .milliseconds(2)
    /// How much longer it may take; every message draws anew, so they overtake each other.
    public var jitter: Duration = .milliseconds(1)
    /// The part of attempts that are lost, each for itself.
    public var loss: Double
    /// How long after an attempt the next is made.
    public var resendDelay: Duration = .milliseconds(15)
    /// How long after the first message into the void a link to a dead host ends.
    public var detectionDelay: Duration = .milliseconds(1_200)

    /// Makes links over segments that lose this part of all packets.
    public init(loss: Double = 0) {
        self.loss = loss
    }

    /// What a link measures as its round trip.
    var roundTrip: Duration { delay * 2 + jitter }

    /// How many attempts a message takes.
    func attempts(using random: inout SplitMix64) -> Int {
        var count = 1
        while loss > 0, count < Self.attemptLimit, Double.random(in: 0..<1, using: &random) < loss { count += 1 }
        return count
    }

    /// How long a message takes that takes so many attempts.
    func latency(attempts: Int, using random: inout SplitMix64) -> Duration {
        let nanoseconds = jitter.wholeNanoseconds
        let extra = nanoseconds > 0 ? Int64.random(in: 0..<nanoseconds, using: &random) : 0
        return delay + .nanoseconds(extra) + resendDelay * (attempts - 1)
    }

    /// More attempts than any sensible loss needs; total loss must not stop time.
    private static let attemptLimit = 100
}
