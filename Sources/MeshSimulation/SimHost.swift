public import MeshCore

/// An envelope that arrived at a host.
public struct SimDelivery: Sendable, Equatable {
    /// The envelope as it arrived, with one more hop.
    public let envelope: Envelope
    /// The envelope's id.
    public let id: EnvelopeID
    /// The time of arrival.
    public let time: MeshInstant
}

/// One host: its engine while it is on, and the effects that its shell has seen.
struct SimHost: Sendable {
    private(set) var configuration: MeshConfiguration
    private(set) var cryptography: any MeshCryptography
    private let address: IPAddress
    private(set) var engine: MeshEngine?
    /// Whether the host has an engine.
    ///
    /// This is cheaper to read than the engine itself.
    private(set) var isOn = false
    /// The number of starts.
    ///
    /// Datagrams to an earlier start find its sockets closed.
    var incarnation = 0
    /// The time of the next valid tick.
    var wake = MeshInstant.distantFuture
    private var ticks = (time: MeshInstant.zero, count: 0)
    var deliveries: [SimDelivery] = []
    var deliveryCounts: [EnvelopeID: Int] = [:]
    var reports: [MeshEffect] = []
    /// The effects that wait for the host's program; nil for a host without one, whose deliveries and reports are kept.
    var outputs: [MeshEffect]?
    var sent = SimTraffic()
    /// The datagrams that wait for a hostile host, which has no engine; nil for an honest one.
    private(set) var received: [RawDatagram]?
    /// Whether the machine sleeps.
    ///
    /// A sleeping machine receives nothing and does nothing when a deadline comes.
    private(set) var isAsleep = false

    init(number: Int, configuration: MeshConfiguration, cryptography: any MeshCryptography) {
        address = Self.address(of: number)
        self.configuration = configuration
        self.cryptography = cryptography
    }

    /// Sets up a host that is off for its program.
    mutating func prepare(_ configuration: MeshConfiguration, _ cryptography: any MeshCryptography) {
        self.configuration = configuration
        self.cryptography = cryptography
        outputs = []
    }

    mutating func start(random: MeshRandom, now: MeshInstant) {
        incarnation += 1
        wake = .distantFuture
        engine = MeshEngine(configuration: configuration, cryptography: cryptography, random: random, now: now)
        isOn = true
    }

    /// Opens the sockets of a hostile host, which has no engine.
    mutating func startRaw() {
        incarnation += 1
        isOn = true
        received = []
    }

    /// Keeps a datagram for a hostile host; returns false at an honest one.
    mutating func keep(_ datagram: RawDatagram) -> Bool {
        received?.append(datagram) != nil
    }

    /// Takes the datagrams that a hostile host has received.
    mutating func takeReceived() -> [RawDatagram] {
        guard let datagrams = received, !datagrams.isEmpty else { return [] }
        received = []
        return datagrams
    }

    /// Records a wake-up of the host; returns the number of wake-ups at this instant.
    mutating func countTick(at now: MeshInstant) -> Int {
        wake = .distantFuture
        ticks = ticks.time == now ? (now, ticks.count + 1) : (now, 1)
        return ticks.count
    }

    mutating func stop() {
        engine = nil
        isOn = false
        isAsleep = false
    }

    mutating func sleep() { isAsleep = isOn }

    /// Ends the sleep; returns false if the host was not asleep.
    mutating func wakeUp() -> Bool {
        guard isAsleep else { return false }
        isAsleep = false
        // The tick that was due during the sleep did not happen.
        wake = .distantFuture
        return true
    }

    /// Passes an event to the engine; returns the new wake-up time if it is earlier than the previous one.
    mutating func handle(_ event: MeshEvent, now: MeshInstant, into effects: inout [MeshEffect]) -> MeshInstant? {
        engine?.handle(event, at: now, into: &effects)
        guard let deadline = engine?.nextDeadline, deadline < wake else { return nil }
        wake = max(deadline, now)
        return wake
    }

    /// Returns the host's endpoint on a segment since its last start.
    ///
    /// Every start has a different port.
    func endpoint(on segment: Int) -> Endpoint {
        let port = UInt16(40_000 + incarnation % 20_000)
        return Endpoint(interface: SimSegment.interface(segment), address: address, port: port)
    }

    /// Returns the address 10.x.y.z for the host's number.
    private static func address(of number: Int) -> IPAddress {
        let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        guard let address = IPAddress(bytes: [10] + bytes) else { preconditionFailure("an address has 4 bytes") }
        return address
    }

    /// Returns the number of the host that has an address.
    static func number(at address: IPAddress) -> Int {
        address.bytes.dropFirst().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// One segment: its effect on datagrams and its hosts.
struct SimSegment: Sendable {
    var quality: SegmentQuality
    /// The host numbers, sorted.
    var members: [Int] = []
    /// The state of burst loss, and the time of its last possible change.
    private var isBad = false
    private var turnedAt = MeshInstant.zero

    /// The datagrams that wait for the shared channel, if there is one.
    var channelQueue = ChannelQueue()
    /// The port of each host.
    private var ports: [Int: SimPort] = [:]

    init(quality: SegmentQuality) {
        self.quality = quality
    }

    /// Returns the time at which a datagram to a host has left the segment's queue; nil if the queue is full.
    mutating func departure(of byteCount: Int, to host: Int, now: MeshInstant) -> MeshInstant? {
        guard let rate = quality.rate else { return now }
        return ports[host, default: SimPort()].departure(
            of: byteCount,
            rate: rate,
            queueLimit: quality.queueLimit,
            now: now
        )
    }

    /// Returns the interface of a segment.
    ///
    /// It is the same for every host.
    static func interface(_ segment: Int) -> InterfaceID {
        InterfaceID(index: UInt32(segment + 1), family: .v4)
    }

    /// Returns whether the next datagram is lost.
    mutating func loses(_ byteCount: Int, now: MeshInstant, using random: inout SplitMix64) -> Bool {
        guard byteCount + Self.headerByteCount <= quality.mtu else { return true }
        if let burst = quality.burst {
            for _ in 0..<turnCount(now: now) {
                let turn = isBad ? burst.recovery : burst.onset
                if Double.random(in: 0..<1, using: &random) < turn { isBad.toggle() }
            }
            turnedAt = now
            if isBad, Double.random(in: 0..<1, using: &random) < burst.loss { return true }
        }
        return quality.loss > 0 && Double.random(in: 0..<1, using: &random) < quality.loss
    }

    /// Returns the number of full datagrams that could have been sent since the last one, including it.
    private func turnCount(now: MeshInstant) -> Int {
        guard let rate = quality.rate else { return 1 }
        let seconds = Double(now.nanoseconds - turnedAt.nanoseconds) / 1e9
        return min(max(1, Int(seconds * Double(rate) / Double(quality.mtu))), Self.maximumTurnCount)
    }

    /// Returns the delay of the next datagram.
    func latency(using random: inout SplitMix64) -> Duration {
        var latency = quality.delay
        if quality.jitter > .zero {
            latency += quality.jitter * Double.random(in: 0..<1, using: &random)
        }
        if quality.reordering > 0, Double.random(in: 0..<1, using: &random) < quality.reordering {
            latency += quality.delay * 4
        }
        return latency
    }

    /// The size of the IPv4 and UDP headers.
    ///
    /// Units: bytes.
    private static let headerByteCount = 28
    /// The largest number of possible state changes that are computed.
    ///
    /// After that many, the state no longer depends on its start.
    private static let maximumTurnCount = 1_000
}

/// A future event in a network.
enum SimEvent: Sendable {
    case tick(host: Int)
    case datagram([UInt8], host: Int, incarnation: Int, segment: Int, source: Endpoint, isMulticast: Bool)
    case transmissionEnds(segment: Int, arrives: Bool)
}
