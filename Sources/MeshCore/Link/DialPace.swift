/// The time after which a dial repeats its INIT, which follows what earlier dials have met.
///
/// A crowd that begins at once on a slow channel would otherwise fill it with repetitions, so that no answer comes in
/// time and nobody ever links. Source: PROTOCOL §3.2.
struct DialPace: Sendable {
    private(set) var delay: Duration
    private let range: ClosedRange<Duration>

    init(_ configuration: LinkConfiguration) {
        delay = configuration.dialResendDelay
        range = delay...max(delay, configuration.longestDialResendDelay)
    }

    /// Notes an answer: twice its time is enough for the next one.
    mutating func noteAnswer(after time: Duration) { set(time * 2) }

    /// Notes a dial that nobody has answered.
    mutating func noteFailure() { set(delay * 4) }

    private mutating func set(_ wanted: Duration) { delay = min(max(wanted, range.lowerBound), range.upperBound) }
}
