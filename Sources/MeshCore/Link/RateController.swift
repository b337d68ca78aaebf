/// The sending rate and the window of one link: the rate control named "steady".
///
/// It measures the rate at which data arrives at the peer and sends at that rate. From time to time it sends slightly
/// more, to test whether more would arrive, and slightly less right after, so that queues drain. Loss alone never slows
/// it down, so a bad radio link does not; a standing queue does. Rates are bytes of datagrams per second.
/// Source: PROTOCOL §3.4; N. Cardwell et al., "BBR: congestion-based congestion control", ACM Queue 14 (5), 2016.
struct RateController {
    /// The state at the sending of a packet, against which its acknowledgement is measured.
    struct Stamp {
        fileprivate var delivered: Int
        fileprivate var deliveredAt: MeshInstant
        fileprivate var firstSentAt: MeshInstant
        fileprivate var isApplicationLimited: Bool
        fileprivate var pressure: Pressure
    }

    /// The demand of the current packets on the path.
    fileprivate enum Pressure {
        /// The packets use less than the path carries.
        case relaxed
        /// The packets use what the path carries.
        case even
        /// The packets demand more than the path carries.
        case pressing
    }

    private enum Mode: Equatable {
        /// Doubles the rate each round until it no longer grows.
        case startup
        /// Drains the queue that the startup has filled.
        case drain
        /// Goes through `gains`, one after the other.
        case cycle(Int)
        /// Sends very little, so that the queue drains and the shortest round trip becomes visible.
        case probe
    }

    static let startupGain = 2.0
    static let drainGain = 0.5
    /// The gains of the phases of a cycle.
    static let gains = [1.25, 0.75, 1, 1, 1, 1, 1, 1]
    /// The shortest phase of a cycle.
    static let minimumPhase = Duration.milliseconds(10)
    /// The tolerated queueing delay.
    ///
    /// Beyond it and the shortest round trip, the link sends less than arrives.
    static let standingQueue = Duration.milliseconds(20)
    /// The shortest significant round trip.
    ///
    /// Shorter ones depend on processors and timers and do not show what a path holds.
    static let minimumRoundTrip = Duration.milliseconds(2)
    /// The number of packets in flight beyond what the path holds.
    static let windowReserve = 16
    /// The number of packets in the first round trip.
    static let initialPacketCount = 10
    /// The number of rounds without growth that end the startup.
    static let plateauRoundCount = 3
    /// The growth of a round below which it counts as none.
    static let plateauGrowth = 1.25
    /// The time for which the link sends very little when the shortest round trip has not been seen for long.
    static let probeTime = Duration.milliseconds(100)
    /// The number of packets in flight in that time.
    static let probePacketCount = 4
    /// The rate below which no measurement reduces the link.
    ///
    /// Units: bytes per second.
    static let minimumRate = 10_000.0
    /// The largest loss that the link compensates by sending more.
    static let maximumLossFloor = 0.5

    private var mode = Mode.startup
    private var phaseEnd = MeshInstant.zero
    private var rates = RecentMaximum()
    private var leastRoundTrip = LeastRoundTrip()
    /// The shortest round trip, or the assumed one before the first sample.
    ///
    /// Units: seconds.
    private var leastSeconds: Double
    /// Whether more waits in the path's queues than is tolerated.
    private var hasStandingQueue = false

    /// The size of the acknowledged packets so far.
    ///
    /// Units: bytes.
    private var delivered = 0
    private var deliveredAt = MeshInstant.zero
    private var firstSentAt = MeshInstant.zero
    /// The delivered size up to which the sender had less to send than the link could carry; 0 if it has enough to
    /// send.
    ///
    /// Units: bytes.
    private var applicationLimitedEnd = 1

    private var roundEnd = 0
    private var isRoundMeasured = false
    private var plateauRate = 0.0
    private var plateauCount = 0

    private var relaxedLoss = LossAverage(weight: 128)
    private var evenLoss = LossAverage(weight: 256)
    private var wholeLoss = LossAverage(weight: 256)

    /// Starts with the known or assumed round trip.
    init(roundTrip: RoundTripEstimate, now: MeshInstant) {
        leastSeconds = Self.seconds(roundTrip.smoothed)
        if roundTrip.isMeasured {
            leastRoundTrip.add(roundTrip.latest, now: now)
            leastSeconds = Self.seconds(roundTrip.latest)
        }
    }

    // MARK: - Reading

    /// The rate at which data arrives at the peer when there is enough to send; nil before the first measurement.
    ///
    /// Units: bytes per second.
    var measuredRate: Double? { rates.maximum > 0 ? rates.maximum : nil }

    /// The smoothed fraction of all packets that is lost.
    var loss: Double { wholeLoss.value }

    /// The rate at which to send.
    ///
    /// Units: bytes per second.
    var pace: Double { gain * rate / (1 - lossFloor) }

    /// The size that may be in flight.
    ///
    /// Units: bytes.
    var window: Int {
        guard mode != .probe else { return Self.probePacketCount * LinkProtocol.maximumDatagramByteCount }
        return Self.byteCount(2 * pipe / (1 - lossFloor)) + Self.windowReserve * LinkProtocol.maximumDatagramByteCount
    }

    /// Twice the size that the path holds without queueing.
    ///
    /// Units: bytes.
    var doublePipe: Int { Self.byteCount(2 * pipe) }

    /// Converts a number of bytes that acknowledgements can make arbitrarily large: to at most a terabyte.
    static func byteCount(_ value: Double) -> Int {
        value < 1e12 ? Int(max(0, value)) : 1_000_000_000_000
    }

    private var rate: Double {
        measuredRate ?? Double(Self.initialPacketCount * LinkProtocol.maximumDatagramByteCount) / leastSeconds
    }

    private var pipe: Double { rate * leastSeconds }

    private static func seconds(_ roundTrip: Duration) -> Double {
        Double(max(roundTrip, minimumRoundTrip).wholeNanoseconds) / 1e9
    }

    /// The loss that exists without pressure of this link, so that sending less would not reduce it.
    private var lossFloor: Double { min(relaxedLoss.value, evenLoss.value, Self.maximumLossFloor) }

    private var gain: Double {
        switch mode {
        case .startup: Self.startupGain
        case .drain: Self.drainGain
        case .probe: 1
        case .cycle(let phase): hasStandingQueue ? min(Self.gains[phase], 0.75) : Self.gains[phase]
        }
    }

    private var pressure: Pressure {
        if applicationLimitedEnd > 0 { return .relaxed }
        guard case .cycle(let phase) = mode, !hasStandingQueue else { return .pressing }
        return Self.gains[phase] > 1 ? .pressing : Self.gains[phase] < 1 ? .relaxed : .even
    }

    // MARK: - Events

    /// Returns the state to store with a packet that is sent.
    mutating func stamp(inFlightByteCount: Int, now: MeshInstant) -> Stamp {
        // Packets that count as lost may still arrive, and must not seem to have taken no time.
        if inFlightByteCount == 0, applicationLimitedEnd > 0 {
            firstSentAt = now
            deliveredAt = now
        }
        return Stamp(
            delivered: delivered,
            deliveredAt: deliveredAt,
            firstSentAt: firstSentAt,
            isApplicationLimited: applicationLimitedEnd > 0,
            pressure: pressure
        )
    }

    /// Records that there is nothing more to send, so that the next arrivals do not show what the path can carry.
    mutating func noteIdle(inFlightByteCount: Int) {
        applicationLimitedEnd = max(1, delivered + inFlightByteCount)
    }

    /// Updates the measurements with packets that arrived.
    ///
    /// - Parameters:
    ///   - packets: The packets that one acknowledgement is the first to name; not empty.
    ///   - inFlightByteCount: The size in flight without these packets.
    mutating func acknowledge(
        _ packets: [SentPacket],
        roundTrip: RoundTripEstimate,
        inFlightByteCount: Int,
        now: MeshInstant
    ) {
        guard var newest = packets.first else { return }
        for packet in packets {
            delivered += packet.byteCount
            count(packet, isLost: false)
            if packet.stamp.delivered >= newest.stamp.delivered { newest = packet }
        }
        deliveredAt = now
        firstSentAt = newest.sentAt
        if delivered > applicationLimitedEnd { applicationLimitedEnd = 0 }
        if roundTrip.isMeasured {
            if case .cycle = mode, leastRoundTrip.isOld(now: now), applicationLimitedEnd == 0 {
                mode = .probe
                phaseEnd = now.advanced(by: max(Self.probeTime, roundTrip.smoothed * 2))
            }
            leastRoundTrip.add(roundTrip.latest, now: now)
            if let least = leastRoundTrip.value { leastSeconds = Self.seconds(least) }
        }
        measure(newest, now: now)
        if newest.stamp.delivered >= roundEnd { endRound() }
        if let least = leastRoundTrip.value {
            hasStandingQueue = roundTrip.smoothed - least > max(Self.standingQueue, least)
        }
        advance(inFlightByteCount: inFlightByteCount, now: now)
    }

    /// Updates the measurements with packets that count as lost.
    mutating func lose(_ packets: [SentPacket]) {
        for packet in packets { count(packet, isLost: true) }
    }

    /// Restarts after nothing arrived for long: the path may be a different one.
    mutating func restart() {
        mode = .startup
        rates = RecentMaximum()
        plateauRate = 0
        plateauCount = 0
        hasStandingQueue = false
    }

    // MARK: - Parts

    private mutating func measure(_ packet: SentPacket, now: MeshInstant) {
        let stamp = packet.stamp
        let interval = max(
            packet.sentAt.nanoseconds &- stamp.firstSentAt.nanoseconds,
            now.nanoseconds &- stamp.deliveredAt.nanoseconds
        )
        guard interval > 0 else { return }
        let sample = Double(delivered - stamp.delivered) * 1e9 / Double(interval)
        guard !stamp.isApplicationLimited || sample > rate else { return }
        rates.add(max(sample, Self.minimumRate))
        if !stamp.isApplicationLimited { isRoundMeasured = true }
    }

    private mutating func endRound() {
        roundEnd = delivered
        // Rounds with too little to send change nothing.
        guard isRoundMeasured else { return }
        isRoundMeasured = false
        if rate >= plateauRate * Self.plateauGrowth {
            plateauRate = rate
            plateauCount = 0
        } else {
            plateauCount += 1
        }
        rates.advance()
    }

    private mutating func advance(inFlightByteCount: Int, now: MeshInstant) {
        switch mode {
        case .startup:
            if plateauCount >= Self.plateauRoundCount { mode = .drain }
        case .drain:
            if Double(inFlightByteCount) <= pipe / (1 - lossFloor) { enter(2, now: now) }
        case .cycle(let phase):
            if phaseEnd <= now { enter((phase + 1) % Self.gains.count, now: now) }
        case .probe:
            // The rate in this time is not a measurement.
            noteIdle(inFlightByteCount: inFlightByteCount)
            if phaseEnd <= now { enter(2, now: now) }
        }
    }

    private mutating func enter(_ phase: Int, now: MeshInstant) {
        mode = .cycle(phase)
        phaseEnd = now.advanced(by: max(Self.minimumPhase, leastRoundTrip.value ?? .zero))
    }

    private mutating func count(_ packet: SentPacket, isLost: Bool) {
        // A packet that counted as lost was acknowledged.
        if packet.state == .lost, !isLost {
            wholeLoss.takeBack()
            switch packet.stamp.pressure {
            case .relaxed: relaxedLoss.takeBack()
            case .even: evenLoss.takeBack()
            case .pressing: break
            }
            return
        }
        wholeLoss.add(isLost)
        switch packet.stamp.pressure {
        case .relaxed: relaxedLoss.add(isLost)
        case .even: evenLoss.add(isLost)
        case .pressing: break
        }
    }
}

/// The largest value of the last ten rounds.
private struct RecentMaximum {
    private static let roundCount = 10

    private var maxima = [Double](repeating: 0, count: Self.roundCount)
    private var round = 0
    private(set) var maximum = 0.0

    mutating func add(_ value: Double) {
        maxima[round] = max(maxima[round], value)
        maximum = max(maximum, value)
    }

    /// Begins the next round.
    mutating func advance() {
        maximum = maxima.max() ?? 0
        round = (round + 1) % Self.roundCount
        maxima[round] = 0
    }
}

/// The shortest round trip.
///
/// It expires if none was as short for ten seconds.
private struct LeastRoundTrip {
    private static let life = Duration.seconds(10)

    private(set) var value: Duration?
    private var seenAt = MeshInstant.zero

    func isOld(now: MeshInstant) -> Bool {
        seenAt.advanced(by: Self.life) <= now
    }

    mutating func add(_ sample: Duration, now: MeshInstant) {
        guard value.map({ sample <= $0 }) ?? true || isOld(now: now) else { return }
        value = sample
        seenAt = now
    }
}

/// The smoothed fraction of lost packets.
///
/// The latest packets count most.
private struct LossAverage {
    /// The number of packets over which the average spreads.
    private let weight: Double
    private(set) var value = 0.0

    init(weight: Double) {
        self.weight = weight
    }

    mutating func add(_ isLost: Bool) {
        value += ((isLost ? 1 : 0) - value) / weight
    }

    /// Reverts the loss of a packet that was only late.
    mutating func takeBack() {
        value = max(0, value - 1 / weight)
    }
}
