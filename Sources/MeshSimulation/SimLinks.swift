public import MeshCore

/// A mesh of routers and stores in virtual time, on links that carry whole messages.
///
/// It runs the production code of flooding, storing and store comparison, but not that of discovery and links. It
/// handles a thousand times as many nodes as ``SimNet`` in the same time, and shows how envelopes spread. Hosts are
/// identified by their numbers.
/// The same seed and the same calls give the same run, bit for bit. All hosts are on from the start.
public struct SimLinks: Sendable {
    var clock = SimClock<SimLinkEvent>()
    var hosts: [SimLinkHost] = []
    var random: SplitMix64
    let quality: SimLinkQuality
    private var outbox: SimLinkOutbox
    private var scratch: [RouterEffect] = []
    var trace = Checksum(seed: 0)
    /// The host whose message is being received.
    private var sender: Int?
    private var spreadByID: [EnvelopeID: Int] = [:]

    /// The envelopes submitted so far, in order.
    public private(set) var spreads: [SimSpread] = []
    /// The first copies that arrived at hosts since the last call of ``forgetCounts()``, in order.
    public private(set) var arrivals: [SimArrival] = []
    /// The traffic on the links since the last call of ``forgetCounts()``.
    public internal(set) var counters = SimLinkCounters()
    /// The number of events handled since the start.
    public private(set) var eventCount = 0

    /// Creates a mesh in which every link has just come up.
    public init(
        _ overlay: SimOverlay,
        seed: UInt64,
        quality: SimLinkQuality = SimLinkQuality(),
        configuration: MeshConfiguration = .simulated,
        cryptography: any MeshCryptography = NullCryptography()
    ) {
        self.quality = quality
        random = SplitMix64(seed: seed)
        outbox = SimLinkOutbox(measuredRoundTrip: quality.roundTrip)
        for _ in overlay.neighbours {
            let router = Router(
                configuration: configuration.router,
                cryptography: cryptography,
                random: MeshRandom(seed: random.next()),
                now: .zero
            )
            hosts.append(SimLinkHost(router: router))
        }
        for (host, neighbours) in overlay.neighbours.enumerated() {
            for other in neighbours where other > host { connect(host, other) }
        }
    }

    // MARK: - Reading

    /// The current virtual time.
    public var now: MeshInstant { clock.now }

    /// A hash over every message of every host so far.
    public var traceHash: UInt64 { trace.value }

    /// The numbers of all hosts.
    public var hostNumbers: Range<Int> { hosts.indices }

    /// Returns whether a host is on.
    public func isOn(_ host: Int) -> Bool { hosts[host].isOn }

    /// Returns the number of envelopes that a host stores.
    public func storedCount(at host: Int) -> Int { hosts[host].router.store.count }

    /// Returns the hosts that links connect with a host, including itself, ascending.
    ///
    /// Paths do not lead through hosts that are off.
    public func reachable(from host: Int) -> [Int] {
        guard hosts[host].isOn else { return [] }
        var reached: Set<Int> = [host]
        var edge = [host]
        while let next = edge.popLast() {
            for peer in hosts[next].peers where peer.isUp && hosts[peer.host].isOn {
                if reached.insert(peer.host).inserted { edge.append(peer.host) }
            }
        }
        return reached.sorted()
    }

    /// Returns the latency that the given fraction of all first copies did not exceed; nil if none arrived.
    public func latency(of part: Double) -> Duration? {
        guard !arrivals.isEmpty else { return nil }
        let sorted = arrivals.map(\.latency).sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }

    /// Resets the counters, after the tree has formed.
    public mutating func forgetCounts() {
        counters = SimLinkCounters()
        arrivals.removeAll()
    }

    // MARK: - Changing

    /// Creates a link between two hosts.
    public mutating func connect(_ host: Int, _ other: Int) {
        precondition(host != other, "a link has two ends")
        let (near, far) = (hosts[host].nextLink, hosts[other].nextLink)
        hosts[host].peers.append(.init(host: other, link: far))
        hosts[other].peers.append(.init(host: host, link: near))
        for (host, link, peer, dials) in [(host, near, other, true), (other, far, host, false)] {
            act(host) { router, outbox, _, now in
                router.linkUp(link, node: NodeID(UInt64(peer)), dialledHere: dials, now: now, over: &outbox)
            }
            sendStatus(of: host, on: link)
        }
    }

    /// Closes the links between two hosts.
    public mutating func disconnect(_ host: Int, _ other: Int) {
        for link in hosts[host].links where hosts[host][link].host == other {
            let far = hosts[host][link].link
            end(link, of: host)
            end(far, of: other)
        }
    }

    /// Switches a host off for good without notice.
    ///
    /// Its neighbours notice when they send to it.
    public mutating func crash(_ host: Int) {
        hosts[host].isOn = false
    }

    /// Submits an envelope from a host; returns its index in the spreads.
    @discardableResult
    public mutating func submit(
        _ kind: EnvelopeKind = .sealed,
        body: [UInt8],
        life: UInt16 = 360,
        from host: Int
    ) -> Int {
        let id = hosts[host].router.envelopeID(kind: kind, body: body)
        spreads.append(SimSpread(id: id, author: host, start: now))
        spreadByID[id] = spreads.count - 1
        act(host) { router, outbox, effects, now in
            router.submit(kind: kind, body: body, life: life, now: now, over: &outbox, into: &effects)
        }
        return spreads.count - 1
    }

    /// Delivers a message to a host on the link of one of its neighbours, which need not have sent it.
    ///
    /// For tests of abuse.
    public mutating func inject(_ message: [UInt8], lane: Lane = .interactive, to host: Int, from neighbour: Int) {
        guard let link = hosts[host].links.first(where: { hosts[host][$0].host == neighbour }) else { return }
        receive(message, lane: lane, host: host, link: link)
    }

    // MARK: - Running

    /// Runs until a time, including events at that time.
    public mutating func run(until end: MeshInstant) {
        while let event = clock.next(until: end) {
            eventCount += 1
            perform(event)
        }
    }

    /// Runs for a duration.
    public mutating func run(for duration: Duration) {
        run(until: now.advanced(by: duration))
    }

    private mutating func perform(_ event: SimLinkEvent) {
        switch event {
        case .tick(let host):
            // An earlier deadline may have made this tick stale.
            guard hosts[host].wake == now else { return }
            hosts[host].noteTick(at: now)
            act(host) { router, outbox, effects, now in router.tick(now: now, over: &outbox, into: &effects) }
        case .message(let bytes, let lane, let tag, let host, let link):
            guard hosts[host].isOn, hosts[host][link].isUp else { return }
            if tag != 0 { acknowledge(tag, from: host, on: link) }
            receive(bytes, lane: lane, host: host, link: link)
        case .acknowledgement(let tag, let host, let link):
            act(host) { router, _, effects, _ in router.acknowledged(tag, on: link, into: &effects) }
        case .status(let summary, let host, let link):
            act(host) { router, _, effects, now in router.status(summary, from: link, now: now, into: &effects) }
        case .sendStatus(let host):
            hosts[host].noteStatusSent(now: now)
            for link in hosts[host].links { sendStatus(of: host, on: link) }
        case .linkDown(let host, let link):
            end(link, of: host)
        }
    }

    private mutating func receive(_ message: [UInt8], lane: Lane, host: Int, link: LinkID) {
        sender = hosts[host][link].host
        defer { sender = nil }
        act(host) { router, outbox, effects, now in
            router.receive(message, lane: lane, from: link, now: now, over: &outbox, into: &effects)
        }
    }

    private mutating func end(_ link: LinkID, of host: Int) {
        guard hosts[host][link].isUp else { return }
        hosts[host][link].isUp = false
        act(host) { router, outbox, _, now in router.linkDown(link, now: now, over: &outbox) }
    }

    /// Runs an operation on a router, and carries out its effects.
    private mutating func act(
        _ host: Int,
        _ body: (inout Router, inout SimLinkOutbox, inout [RouterEffect], MeshInstant) -> Void
    ) {
        guard hosts[host].isOn else { return }
        scratch.removeAll(keepingCapacity: true)
        outbox.messages.removeAll(keepingCapacity: true)
        body(&hosts[host].router, &outbox, &scratch, now)
        for message in outbox.messages { transmit(message, from: host) }
        for effect in scratch { apply(effect, of: host) }
        if let wake = hosts[host].nextWake(now: now) { clock.schedule(.tick(host: host), at: wake) }
        if let due = hosts[host].nextStatus(now: now) { clock.schedule(.sendStatus(host: host), at: due) }
    }

    private mutating func apply(_ effect: RouterEffect, of host: Int) {
        switch effect {
        case .deliver(_, let id):
            guard let spread = spreadByID[id] else { return }
            spreads[spread].arrivalCount += 1
            counters.arrivals += 1
            let latency = spreads[spread].start.duration(to: now)
            let hops = 1 + (sender.flatMap { hosts[$0].distances[spread] } ?? 0)
            hosts[host].distances[spread] = hops
            arrivals.append(SimArrival(spread: spread, host: host, hops: hops, latency: latency))
        case .dropped(let reason): counters.drops[reason, default: 0] += 1
        case .far, .trail, .push, .transmitted, .carried, .handOver, .seekShelf, .shelfRead: break
        }
    }

}
