public import MeshCore

/// A network of whole nodes in virtual time.
///
/// It runs the production code down to every datagram, without the machine's sockets.
///
/// Hosts and segments are identified by their numbers, in the order of addition. The same seed and the same calls give
/// the same run, bit for bit. Hosts start switched off.
public struct SimNet: Sendable {
    var clock = SimClock<SimEvent>()
    var hosts: [SimHost] = []
    var segments: [SimSegment] = []
    var random: SplitMix64
    private var trace = SimTrace()
    /// The effects of the last event.
    var scratch: [MeshEffect] = []

    /// The largest number of wake-ups of a host at one instant.
    ///
    /// An engine whose deadline stays in the past would stop time.
    private static let tickLimit = 1_000

    /// The number of events that hosts have handled.
    public private(set) var eventCount = 0
    /// The parts of the network that only a scenario with whole nodes uses.
    var watch = SimWatch()
    /// The number of datagrams sent, one for each receiver.
    public internal(set) var datagramCount = 0
    /// The size of the datagrams sent, without IP and UDP headers.
    ///
    /// Units: bytes.
    public internal(set) var datagramByteCount = 0

    /// Creates an empty network.
    public init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// Creates a network of switched-off hosts.
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

    /// The current virtual time.
    public var now: MeshInstant { clock.now }

    /// A hash over every effect of every host so far.
    public var traceHash: UInt64 { trace.value }

    /// The numbers of all hosts.
    public var hostNumbers: Range<Int> { hosts.indices }

    /// Returns the snapshot of a host's engine; nil while the host is off.
    public func snapshot(of host: Int) -> MeshSnapshot? { hosts[host].engine?.snapshot }

    /// Returns the deliveries at a host since the start of the network, across restarts.
    public func deliveries(at host: Int) -> [SimDelivery] { hosts[host].deliveries }

    /// Returns the number of deliveries of this envelope at a host.
    public func deliveryCount(of id: EnvelopeID, at host: Int) -> Int { hosts[host].deliveryCounts[id] ?? 0 }

    /// Returns the effects of a host that are neither datagrams, deliveries nor drops, in order.
    public func reports(of host: Int) -> [MeshEffect] { hosts[host].reports }

    /// Returns the traffic that a host has sent since the start of the network, across restarts.
    ///
    /// A multicast counts once.
    public func sentTraffic(of host: Int) -> SimTraffic { hosts[host].sent }

    /// Returns the endpoint at which other hosts on a segment reach a host; nil while the host is off or not on the
    /// segment.
    public func endpoint(of host: Int, on segment: Int) -> Endpoint? {
        guard hosts[host].isOn, segments[segment].members.contains(host) else { return nil }
        return currentEndpoint(of: host, on: segment)
    }

    // MARK: - Running

    /// Runs until a time, including events at that time.
    public mutating func run(until end: MeshInstant) {
        while let event = clock.next(until: end) {
            perform(event)
        }
    }

    /// Runs for a duration.
    public mutating func run(for duration: Duration) {
        run(until: now.advanced(by: duration))
    }

    /// Runs until the condition holds, with a check every millisecond; returns false if it does not hold within
    /// `limit`.
    public mutating func run(for limit: Duration, until condition: (SimNet) -> Bool) -> Bool {
        let end = now.advanced(by: limit)
        while !condition(self) {
            guard now < end else { return false }
            run(until: min(end, now.advanced(by: .milliseconds(1))))
        }
        return true
    }

    /// Passes an event to a host now, as its shell would.
    ///
    /// Does nothing while the host is off.
    public mutating func send(_ event: MeshEvent, to host: Int) {
        guard hosts[host].isOn else { return }
        eventCount += 1
        scratch.removeAll(keepingCapacity: true)
        let now = now
        let begin = host == watch.timedHost ? ContinuousClock.now : nil
        let wake = hosts[host].handle(event, now: now, into: &scratch)
        if let begin { watch.handlingTime += begin.duration(to: .now) }
        for effect in scratch {
            trace.add(effect, host: host, at: now)
            apply(effect, of: host)
        }
        if let wake { clock.schedule(.tick(host: host), at: wake) }
    }

    /// Submits an envelope from a host; returns its id, or nil while the host is off.
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
            // An earlier deadline may have made this tick stale.
            guard hosts[host].wake == now, !hosts[host].isAsleep else { return }
            let tickCount = hosts[host].countTick(at: now)
            precondition(tickCount <= Self.tickLimit, "host \(host) never stops waking")
            send(.tick, to: host)
        case .datagram(let bytes, let host, let incarnation, let segment, let source, let isMulticast):
            guard hosts[host].incarnation == incarnation, !hosts[host].isAsleep,
                segments[segment].members.contains(host)
            else { return }
            let datagram = RawDatagram(bytes: bytes, source: source, receiver: host, isMulticast: isMulticast)
            if let listener = watch.listeners[host], !isMulticast { _ = hosts[listener].keep(datagram) }
            guard !hosts[host].keep(datagram) else { return }
            send(.datagram(bytes, from: source, multicast: isMulticast), to: host)
        case .transmissionEnds(let segment, let arrives): endTransmission(on: segment, arrives: arrives)
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
        case _ where hosts[host].outputs != nil && effect.concernsProgram: hosts[host].outputs?.append(effect)
        case .deliver(let envelope, let id):
            hosts[host].deliveries.append(SimDelivery(envelope: envelope, id: id, time: now))
            hosts[host].deliveryCounts[id, default: 0] += 1
            watch.note(SimWatch.Delivery(host: host, id: id, time: now))
        case .pathMessage(let message) where message.isEnvelope && watch.deliveries != nil:
            guard let envelope = Envelope(decoding: message.payload[...]), let engine = hosts[host].engine else {
                return
            }
            let id = engine.envelopeID(kind: envelope.kind, body: envelope.body)
            watch.note(SimWatch.Delivery(host: host, id: id, time: now, way: (message.to, message.from)))
        case .pathLost(let label) where watch.deliveries != nil: watch.noteLoss(of: label, by: host)
        case .transmitted, .carried, .linkUp, .linkDown, .pathMessage, .pathLost, .pathRefused, .pathReady:
            hosts[host].reports.append(effect)
        case .far(let far): watch.farReports?.append((host, far))
        case .dropped, .storeChanged: break
        }
    }
}
