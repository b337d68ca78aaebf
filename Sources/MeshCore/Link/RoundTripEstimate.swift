/// The smoothed round trip of one link and what follows from it.
///
/// Source: PROTOCOL §3.4; RFC 6298 §2 for the smoothing.
struct RoundTripEstimate {
    private static let minimumVariation = Duration.milliseconds(4).wholeNanoseconds
    private static let probeReserve = Duration.milliseconds(2).wholeNanoseconds
    private static let lossReserve = Duration.milliseconds(1).wholeNanoseconds

    // Units: nanoseconds, since a link computes with them for every packet.
    private var smoothedNanoseconds: Int64
    private var variationNanoseconds: Int64
    private var latestNanoseconds: Int64
    /// Whether any sample came.
    private(set) var isMeasured = false

    /// Starts with a guess.
    init(initial: Duration) {
        smoothedNanoseconds = initial.wholeNanoseconds
        variationNanoseconds = smoothedNanoseconds / 2
        latestNanoseconds = smoothedNanoseconds
    }

    /// The smoothed round trip.
    var smoothed: Duration { Duration(wholeNanoseconds: smoothedNanoseconds) }

    /// The last sample.
    var latest: Duration { Duration(wholeNanoseconds: latestNanoseconds) }

    /// Takes a measured round trip, the other side's own delay already subtracted.
    mutating func add(_ sample: Duration) {
        latestNanoseconds = min(max(sample.wholeNanoseconds, 0), Self.maximumNanoseconds)
        guard isMeasured else {
            isMeasured = true
            smoothedNanoseconds = latestNanoseconds
            variationNanoseconds = latestNanoseconds / 2
            return
        }
        let distance = abs(smoothedNanoseconds - latestNanoseconds)
        variationNanoseconds = (variationNanoseconds * 3 + distance) / 4
        smoothedNanoseconds = (smoothedNanoseconds * 7 + latestNanoseconds) / 8
    }

    /// How long to wait for any acknowledgement before probing.
    var probeTimeout: Duration {
        let wait = smoothedNanoseconds + max(variationNanoseconds * 4, Self.minimumVariation) + Self.probeReserve
        return Duration(wholeNanoseconds: wait)
    }

    /// How old an overtaken packet must be to count as lost.
    var lossDelay: Duration {
        Duration(wholeNanoseconds: max(smoothedNanoseconds, latestNanoseconds) * 9 / 8 + Self.lossReserve)
    }

    /// Longer samples tell of a sleep, and count as this: an hour.
    private static let maximumNanoseconds: Int64 = 3_600_000_000_000
}
