public import MeshCore

/// A network of whole nodes in virtual time: every datagram of the production code, none of the machine's sockets.
///
/// Hosts and segments go by their numbers, in the order they were added. The same seed and the same calls give the
/// same run, bit for bit. Hosts start switched off.
public struct SimNet: Sendable {
    var clock = SimClock<SimEvent>()
    var hosts: [SimHost] = []
    var segments: [SimSegment] = []
    var random: SplitMix64
    private var trace = SimTrace()
    private var scratch: [MeshEffect] = []

    /// How often a host may wake at one instant; an engine whose deadline stays in the past would stop time.
    private static let tickLimit = 1_000

    /// How many events have been handled by hosts.
    public private(set) var eventCount = 0
    /// How many datagrams have been sent, one for each receiver.
    public internal(set) var datagramCount = 0
    /// Units: bytes of datagrams sent, IP and UDP headers left out.
    public internal(set) var datagramByteCount = 0

    /// Makes an empty network.
    public init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// Makes a network of switched-off hosts.
    public init(
        _ topology: Topology,
        seed: UInt64,
        quality: SegmentQuality = SegmentQuality(),
        configuration: MeshConfiguration = .simulated,
        cryptography: any MeshCryptography = NullCryptography()
    ) {
        self.init(seed: seed)
        for _ in 0..<topology.hostCount {
            addHost(configuration: configuration, cryptography: cryptography)
        }
        for members in topology.segments {
            let segment = addSegment(quality)
            for host in members { attach(host, to: segment) }
        }
    }

    // MARK: - Reading

    /// The present.
    public var now: MeshInstant { clock.now }

    /// A hash over every effect of every host so far.
    public var traceHash: UInt64 { trace.value }

    /// The numbers of all hosts.
    public var hostNumbers: Range<Int> { hosts.indices }

    /// What a host's engine says of itself; nil while it is off.
    public func snapshot(of host: Int) -> MeshSnapshot? { hosts[host].engine?.snapshot }

    /// What came to a host since the beginning, restarts included.
    public func deliveries(at host: Int) -> [SimDelivery] { hosts[host].deliveries }

    /// How often this envelope was delivered to a host.
    public func deliveryCount(of id: EnvelopeID, at host: Int) -> Int { hosts[host].deliveryCounts[id] ?? 0 }

    /// The effects of a host that are neither datagrams nor deliveries nor drops, in order.
    public func reports(of host: Int) -> [MeshEffect] { hosts[host].reports }

    /// What a host has sent since the beginning, restarts included; a multicast counts once.
    public func sentTraffic(of host: Int) -> SimTraffic { hosts[host].sent }

    /// Where other hosts on a segment reach a host; nil while it is off or not on the segment.
    public func endpoint(of host: Int, on segment: Int) -> Endpoint? {
        guard hosts[host].isOn, segments[segment].members.contains(host) else { return nil }
        return currentEndpoint(of: host, on: segment)
    }

    // MARK: - Running

    /// Runs until a time, events at that time included.
    public mutating func run(until end: MeshInstant) {
        while let event = clock.next(until: end) {
            perform(event)
        }
    }

    /// Runs for so long.
    public mutating func run(for duration: Duration) {
        run(until: now.advanced(by: duration))
    }

    /// Runs until the condition holds, looked at each millisecond; false if it never does within `limit`.
    public mutating func run(for limit: Duration, until condition: (SimNet) -> Bool) -> Bool {
        let end = now.advanced(by: limit)
        while !condition(self) {
            guard now < end else { return false }
            run(until: min(end, now.advanced(by: .milliseconds(1))))
        }
        return true
    }

    /// Hands an event to a host now, as its shell would; nothing happens while it is off.
    public mutating func send(_ event: MeshEvent, to host: Int) {
        guard hosts[host].isOn else { return }
        eventCount += 1
        scratch.removeAll(keepingCapacity: true)
        let now = now
        let wake = hosts[host].handle(event, now: now, into: &scratch)
        for effect in scratch {
            trace.add(effect, host: host, at: now)
            apply(effect, of: host)
        }
        if let wake { clock.schedule(.tick(host: host), at: wake) }
    }

    /// Lets a host spread an envelope of its own; nil while it is off.
    @discardableResult
    public mutating func submit(
        _ kind: EnvelopeKind = .sealed,
        body: [UInt8],
        life: UInt16 = 360,
        from host: Int
    ) -> EnvelopeID? {
        let id = hosts[host].engine?.envelopeID(kind: kind, body: body)
        send(.submit(kind: kind, body: body, life: life), to: host)
        return id
    }

    private mutating func perform(_ event: SimEvent) {
        switch event {
        case .tick(let host):
            // An earlier deadline may have made this one stale.
            guard hosts[host].wake == now, !hosts[host].isAsleep else { return }
            let tickCount = hosts[host].countTick(at: now)
            precondition(tickCount <= Self.tickLimit, "host \(host) never stops waking")
            send(.tick, to: host)
        case .datagram(let bytes, let host, let incarnation, let segment, let source, let isMulticast):
            guard hosts[host].incarnation == incarnation, !hosts[host].isAsleep,
                segments[segment].members.contains(host)
            else { return }
            send(.datagram(bytes, from: source, multicast: isMulticast), to: host)
        }
    }

    private mutating func apply(_ effect: MeshEffect, of host: Int) {
        switch effect {
        case .send(let bytes, let endpoint):
            hosts[host].sent.add(bytes)
            transmit(bytes, from: host, to: endpoint)
        case .multicast(let bytes, let interface):
            hosts[host].sent.add(bytes)
            multicast(bytes, from: host, on: interface)
        case .deliver(let envelope, let id):
            hosts[host].deliveries.append(SimDelivery(envelope: envelope, id: id, time: now))
            hosts[host].deliveryCounts[id, default: 0] += 1
        case .transmitted, .carried, .linkUp, .linkDown, .pathMessage, .pathLost, .pathRefused, .pathReady:
            hosts[host].reports.append(effect)
        case .dropped, .storeChanged: break
        }
    }
}
