/// The smoothed round trip of one link and what follows from it.
///
/// Source: PROTOCOL §3.4; RFC 6298 §2 for the smoothing.
struct RoundTripEstimate {
    private(set) var smoothed: Duration
    private(set) var variation: Duration
    private(set) var latest: Duration
    /// Whether any sample came.
    private(set) var isMeasured = false

    /// Starts with a guess.
    init(initial: Duration) {
        smoothed = initial
        variation = initial / 2
        latest = initial
    }

    /// Takes a measured round trip, the other side's own delay already subtracted.
    mutating func add(_ sample: Duration) {
        latest = max(sample, .zero)
        guard isMeasured else {
            isMeasured = true
            smoothed = latest
            variation = latest / 2
            return
        }
        let distance = smoothed > latest ? smoothed - latest : latest - smoothed
        variation = (variation * 3 + distance) / 4
        smoothed = (smoothed * 7 + latest) / 8
    }

    /// How long to wait for any acknowledgement before probing.
    var probeTimeout: Duration {
        smoothed + max(variation * 4, .milliseconds(4)) + .milliseconds(2)
    }

    /// How old an overtaken packet must be to count as lost.
    var lossDelay: Duration {
        max(smoothed, latest) * 9 / 8 + .milliseconds(1)
    }
}
