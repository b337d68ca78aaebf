/// The time after which a dial repeats its INIT, which follows the answers to earlier dials.
///
/// A crowd that begins at once on a slow channel would otherwise fill it with repetitions, so that no answer comes in
/// time and nobody ever links. Dials that nobody answers change nothing: a peer that is off, or made up, slows down no
/// other. Source: PROTOCOL §3.2.
struct DialPace: Sendable {
    private(set) var delay: Duration
    private let range: ClosedRange<Duration>
    /// The delay of streams, which answers do not change.
    private let streamDelay: Duration
    /// The last dials that failed, oldest first; an answer may still come.
    private var failed: [(connection: UInt32, endpoint: Endpoint, startedAt: MeshInstant)] = []
    private let failedLimit: Int

    init(_ configuration: LinkConfiguration) {
        delay = configuration.dialResendDelay
        range = delay...max(delay, configuration.longestDialResendDelay)
        streamDelay = configuration.streamRoundTrip
        failedLimit = configuration.maximumDialCount
    }

    /// Returns the time after which a dial of an endpoint repeats its INIT.
    func delay(at endpoint: Endpoint) -> Duration {
        endpoint.interface.streamNumber == nil ? delay : streamDelay
    }

    /// Notes a dial that has failed.
    mutating func noteFailure(of dial: Dial) {
        if failed.count == failedLimit { failed.removeFirst() }
        failed.append((dial.connection, dial.endpoint, dial.startedAt))
    }

    /// Notes an answer to a dial: twice its time is enough for the next one.
    mutating func noteAnswer(to dial: Dial, now: MeshInstant) {
        follow(dial.startedAt.duration(to: now), at: dial.endpoint)
    }

    /// Notes an answer to no present dial; returns whether it answers one that has failed.
    mutating func noteAnswer(toConnection connection: UInt32, from source: Endpoint, now: MeshInstant) -> Bool {
        guard let index = failed.firstIndex(where: { $0.connection == connection && $0.endpoint == source }) else {
            return false
        }
        follow(failed.remove(at: index).startedAt.duration(to: now), at: source)
        return true
    }

    private mutating func follow(_ time: Duration, at endpoint: Endpoint) {
        guard endpoint.interface.streamNumber == nil else { return }
        delay = min(max(time * 2, range.lowerBound), range.upperBound)
    }
}
