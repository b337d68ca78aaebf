/// The payloads in flight along a path, and the limit on them.
///
/// The window is that of large objects: it grows by one in a round trip while round trips stay short, and shrinks
/// when payloads are lost.
struct PathStream {
    private static let initialWindow = 8.0
    /// Units: payloads; 4 MiB of the large ones.
    private static let largestWindow = 256.0
    private static let shrinking = 0.7
    /// The margin of a round trip: one longer than twice the shortest plus this shows that queues grow without need.
    private static let tolerance = Duration.milliseconds(20)
    /// The number of payloads sent later that may arrive before one counts as lost.
    private static let overtakingLimit = 16
    /// The silence after which the oldest payload counts as lost.
    private static let patience = Duration.milliseconds(500)

    private struct Sending {
        let time: ContinuousClock.Instant
        /// The position among all sendings.
        let place: Int
    }

    private var window = Self.initialWindow
    private var sent: [UInt64: Sending] = [:]
    private var sendingCount = 0
    private var leastRoundTrip: Duration?
    private var lastShrinking: ContinuousClock.Instant?
    private var lastArrival = ContinuousClock.now
    /// The number of the next payload.
    private(set) var next: UInt64 = 0
    /// The first number that has not arrived.
    private(set) var confirmed: UInt64 = 0
    /// The numbers to send again.
    private(set) var lost: [UInt64] = []
    private(set) var lossCount = 0

    /// Whether another payload may be sent.
    var isOpen: Bool { next - confirmed < UInt64(window) }

    /// Records that a payload was sent.
    mutating func noteSent(_ number: UInt64) {
        sendingCount += 1
        sent[number] = Sending(time: .now, place: sendingCount)
        if number == next {
            next += 1
        } else {
            lost.removeAll { $0 == number }
        }
    }

    /// Handles a confirmation: the first number that has not arrived, the newest that has, and the missing numbers
    /// between.
    mutating func confirm(_ words: [UInt64]) {
        guard words.count >= 2, words[0] <= next, words[0] >= confirmed else { return }
        let now = ContinuousClock.now
        lastArrival = now
        guard let newest = sent[words[1]] else { return finish(words[0]) }
        noteRoundTrip(newest.time.duration(to: now), count: Double(words[0] - confirmed))
        finish(words[0])
        for number in words.dropFirst(2) {
            if let sending = sent[number], sending.place + Self.overtakingLimit < newest.place {
                noteLost(number, now: now)
            }
        }
    }

    private mutating func finish(_ number: UInt64) {
        for number in confirmed..<number { sent[number] = nil }
        confirmed = number
    }

    /// Counts the oldest payload as lost after a long silence.
    mutating func checkSilence() {
        let now = ContinuousClock.now
        guard confirmed < next, lastArrival.duration(to: now) > Self.patience else { return }
        lastArrival = now
        noteLost(confirmed, now: now)
    }

    private mutating func noteRoundTrip(_ time: Duration, count: Double) {
        let least = min(leastRoundTrip ?? time, time)
        leastRoundTrip = least
        if time < least * 2 + Self.tolerance, lost.isEmpty { window = min(window + count / window, Self.largestWindow) }
    }

    private mutating func noteLost(_ number: UInt64, now: ContinuousClock.Instant) {
        guard !lost.contains(number) else { return }
        lost.append(number)
        lossCount += 1
        // Payloads that are lost together shrink the window once.
        let wait = (leastRoundTrip ?? .zero) * 2 + Self.tolerance
        guard lastShrinking.map({ $0.duration(to: now) > wait }) ?? true else { return }
        lastShrinking = now
        window = max(window * Self.shrinking, Self.initialWindow)
    }
}
