public import MeshCore

/// An envelope that came to a host.
public struct SimDelivery: Sendable, Equatable {
    /// The envelope as it came, with one more hop.
    public let envelope: Envelope
    /// Its name.
    public let id: EnvelopeID
    /// When it came.
    public let time: MeshInstant
}

/// One host: its engine while it is on, and what its shell has seen.
struct SimHost: Sendable {
    let configuration: MeshConfiguration
    let cryptography: any MeshCryptography
    private let address: IPAddress
    private(set) var engine: MeshEngine?
    /// Whether there is an engine; cheaper to ask than the engine itself.
    private(set) var isOn = false
    /// Counts the starts; datagrams to an earlier one find its sockets closed.
    var incarnation = 0
    /// The time of the tick that counts.
    var wake = MeshInstant.distantFuture
    private var ticks = (time: MeshInstant.zero, count: 0)
    var deliveries: [SimDelivery] = []
    var deliveryCounts: [EnvelopeID: Int] = [:]
    var reports: [MeshEffect] = []
    var sent = SimTraffic()
    /// Whether the machine sleeps: nothing comes in, and nothing is done when it is due.
    private(set) var isAsleep = false

    init(number: Int, configuration: MeshConfiguration, cryptography: any MeshCryptography) {
        address = Self.address(of: number)
        self.configuration = configuration
        self.cryptography = cryptography
    }

    mutating func start(random: MeshRandom, now: MeshInstant) {
        incarnation += 1
        wake = .distantFuture
        engine = MeshEngine(configuration: configuration, cryptography: cryptography, random: random, now: now)
        isOn = true
    }

    /// Notes that the host woke; how often it has at this instant.
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

    /// Ends the sleep; false if there was none.
    mutating func wakeUp() -> Bool {
        guard isAsleep else { return false }
        isAsleep = false
        // The one that was due meanwhile did not come.
        wake = .distantFuture
        return true
    }

    /// Hands an event to the engine; the time at which the host is to be woken, if that is earlier than it was.
    mutating func handle(_ event: MeshEvent, now: MeshInstant, into effects: inout [MeshEffect]) -> MeshInstant? {
        engine?.handle(event, at: now, into: &effects)
        guard let deadline = engine?.nextDeadline, deadline < wake else { return nil }
        wake = max(deadline, now)
        return wake
    }

    /// Where the host is reached on a segment since its last start: other ports at every start.
    func endpoint(on segment: Int) -> Endpoint {
        let port = UInt16(40_000 + incarnation % 20_000)
        return Endpoint(interface: SimSegment.interface(segment), address: address, port: port)
    }

    /// 10.x.y.z with the host's number.
    private static func address(of number: Int) -> IPAddress {
        let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        guard let address = IPAddress(bytes: [10] + bytes) else { preconditionFailure("an address has 4 bytes") }
        return address
    }

    /// The host that an address belongs to.
    static func number(at address: IPAddress) -> Int {
        address.bytes.dropFirst().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// One segment: what it does to datagrams, and who is on it.
struct SimSegment: Sendable {
    var quality: SegmentQuality
    /// Sorted.
    var members: [Int] = []
    /// The state of burst loss, and when it last had the chance to turn.
    private var isBad = false
    private var turnedAt = MeshInstant.zero

    /// What leads to each host.
    private var ports: [Int: SimPort] = [:]

    init(quality: SegmentQuality) {
        self.quality = quality
    }

    /// When a datagram to a host has left the segment's queue; nil if the queue is full.
    mutating func departure(of byteCount: Int, to host: Int, now: MeshInstant) -> MeshInstant? {
        guard let rate = quality.rate else { return now }
        return ports[host, default: SimPort()].departure(
            of: byteCount,
            rate: rate,
            queueLimit: quality.queueLimit,
            now: now
        )
    }

    /// Every host knows a segment by the same interface.
    static func interface(_ segment: Int) -> InterfaceID {
        InterfaceID(index: UInt32(segment + 1), family: .v4)
    }

    /// Whether the next datagram is lost.
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

    /// How many full datagrams could have gone since the last one, it included.
    private func turnCount(now: MeshInstant) -> Int {
        guard let rate = quality.rate else { return 1 }
        let seconds = Double(now.nanoseconds - turnedAt.nanoseconds) / 1e9
        return min(max(1, Int(seconds * Double(rate) / Double(quality.mtu))), Self.maximumTurnCount)
    }

    /// How long the next datagram takes.
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

    /// Units: bytes of IPv4 and UDP header.
    private static let headerByteCount = 28
    /// After so many chances to turn, the state no longer depends on what it was.
    private static let maximumTurnCount = 1_000
}

/// What is to come in a network.
enum SimEvent: Sendable {
    case tick(host: Int)
    case datagram([UInt8], host: Int, incarnation: Int, segment: Int, source: Endpoint, isMulticast: Bool)
}
