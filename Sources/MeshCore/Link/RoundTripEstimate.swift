/// The smoothed round trip of one link, and the timeouts derived from it.
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
    /// Whether there has been any sample.
    private(set) var isMeasured = false

    /// Starts with an assumption.
    init(initial: Duration) {
        smoothedNanoseconds = initial.wholeNanoseconds
        variationNanoseconds = smoothedNanoseconds / 2
        latestNanoseconds = smoothedNanoseconds
    }

    /// The smoothed round trip.
    var smoothed: Duration { Duration(wholeNanoseconds: smoothedNanoseconds) }

    /// The last sample.
    var latest: Duration { Duration(wholeNanoseconds: latestNanoseconds) }

    /// Adds a measured round trip, from which the other side's own delay is already subtracted.
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

    /// Returns the time to wait for any acknowledgement before probing.
    ///
    /// - Parameter reserve: The time for which the other side may let an acknowledgement wait.
    func probeTimeout(reserve: Duration) -> Duration {
        let reserve = max(Self.probeReserve, reserve.wholeNanoseconds)
        let wait = smoothedNanoseconds + max(variationNanoseconds * 4, Self.minimumVariation) + reserve
        return Duration(wholeNanoseconds: wait)
    }

    /// The age at which an overtaken packet counts as lost.
    var lossDelay: Duration {
        Duration(wholeNanoseconds: max(smoothedNanoseconds, latestNanoseconds) * 9 / 8 + Self.lossReserve)
    }

    /// The largest sample: an hour.
    ///
    /// A longer one results from a sleep, and counts as this.
    private static let maximumNanoseconds: Int64 = 3_600_000_000_000
}
