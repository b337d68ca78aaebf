/// One node of the mesh as a pure machine: events in, effects out, without socket, clock or task.
///
/// It combines four machines, which communicate only through their effects. Discovery finds neighbours and decides
/// which nodes to dial. The link table makes links and carries messages. The router spreads envelopes over the links.
/// The path relay carries payloads along paths.
/// The shell carries out the effects in order, sleeps until `nextDeadline` and then sends `.tick`.
public struct MeshEngine: Sendable {
    var discovery: RememberedDeadline<Discovery>
    var links: LinkLayer
    var router: RememberedDeadline<Router>
    var paths: PathRelay
    var holders: RememberedDeadline<Holders>

    /// The node's current id.
    public private(set) var nodeID: NodeID
    private var hasLeft = false
    private var drops: [DropReason: Int] = [:]
    var counters = MeshCounters()
    /// The size of the messages received on links.
    ///
    /// Units: bytes.
    private var receivedByteCounts = LaneCounts()
    /// The times at which neighbours get the state of the store.
    var statuses: StatusSchedule
    /// The segments as the router knows them, and whether each is crowded.
    var segments: [InterfaceID: Bool] = [:]
    /// The crowd factors of the segments, by interface, as links and router know them.
    var crowdFactors: [UInt32: Int] = [:]

    let storeByteLimit: Int
    var discoveryEffects: [DiscoveryEffect] = []
    var routerEffects: [RouterEffect] = []
    var pathEffects: [PathEffect] = []
    private var spareLinkEffects: [LinkEffect] = []
    private var spareRouterEffects: [RouterEffect] = []

    /// Creates a node without interfaces.
    ///
    /// Its id and every choice come from `random`.
    public init(
        configuration: MeshConfiguration,
        cryptography: any MeshCryptography,
        random: MeshRandom,
        now: MeshInstant
    ) {
        var random = random
        let nodeKey = cryptography.nodeKey(seed: random.next())
        nodeID = cryptography.nodeID(of: nodeKey.publicKey)
        var discoveryConfiguration = configuration.discovery
        discoveryConfiguration.acceptLimit = configuration.acceptLimit
        discoveryConfiguration.maximumLinkCount = configuration.link.maximumLinkCount
        discovery = RememberedDeadline(
            Discovery(
                nodeID: nodeID,
                configuration: discoveryConfiguration,
                cryptography: cryptography,
                random: random.branch(),
                now: now
            )
        )
        var linkConfiguration = configuration.link
        linkConfiguration.acceptLimit = configuration.acceptLimit
        links = LinkLayer(
            table: LinkTable(
                nodeKey: nodeKey,
                configuration: linkConfiguration,
                cryptography: cryptography,
                random: random.branch()
            )
        )
        router = RememberedDeadline(
            Router(
                configuration: configuration.router,
                cryptography: cryptography,
                random: random,
                now: now
            )
        )
        paths = PathRelay(configuration: configuration.path)
        holders = RememberedDeadline(
            Holders(configuration: configuration.holders, cryptography: cryptography, random: random.branch())
        )
        statuses = StatusSchedule(router.machine.summary, configuration: linkConfiguration, random: random.branch())
        storeByteLimit = max(1, configuration.store.byteCount)
        sendStatus(now: now)
        updateDeadline()
    }

    // MARK: - Reading

    /// The time at which the shell must send `.tick`.
    public private(set) var nextDeadline = MeshInstant.distantFuture

    /// The state of the node at this moment.
    public var snapshot: MeshSnapshot {
        var counters = counters
        counters.sentByteCounts = links.sentByteCounts.byLane
        counters.receivedByteCounts = receivedByteCounts.byLane
        counters.relayedCopies = links.relayedCount
        counters.sentLive = links.sentLiveCount
        counters.router = router.machine.counters
        counters.evictedEnvelopes = router.machine.store.evictedCount
        counters.releasedEnvelopes = router.machine.store.releasedCount
        counters.lostPaths = paths.lostCount
        return MeshSnapshot(
            nodeID: nodeID,
            links: links.table.links.map(discovery.machine.current),
            suspectLinkCount: links.table.established.count { $0.health == .suspect },
            neighbours: discovery.machine.neighbours,
            discoveryTimes: discovery.machine.discoveryTimes,
            openPathCount: paths.openCount,
            storedCount: router.machine.store.count,
            storedByteCount: router.machine.store.byteCount,
            drops: drops,
            counters: counters
        )
    }

    /// Returns the id that an envelope with this content has on every node.
    public func envelopeID(kind: EnvelopeKind, body: [UInt8]) -> EnvelopeID {
        router.machine.envelopeID(kind: kind, body: body)
    }

    /// Returns everything that a log of the store must contain at this moment.
    package func storeRecords(at now: MeshInstant) -> [StoreRecord] {
        router.machine.store.records(now: now)
    }

    /// The approximate size of a log that holds these records and nothing else.
    ///
    /// Units: bytes.
    package var storeRecordByteCount: Int { router.machine.store.recordByteCount }

    /// Returns the stored envelopes of a kind whose labels begin with one of `beginnings`, in the order of arrival.
    public func storedEnvelopes(_ kind: EnvelopeKind, startingWith beginnings: [[UInt8]]) -> [Envelope] {
        router.machine.store.envelopes(kind, startingWith: beginnings)
    }

    /// The id of the last submitted envelope; nil if the last submission was not a valid envelope.
    public internal(set) var submittedID: EnvelopeID?

    // MARK: - Events

    /// Handles one event and appends its effects: a turn of one event.
    ///
    /// After `.leave` nothing happens any more.
    public mutating func handle(_ event: MeshEvent, at now: MeshInstant, into effects: inout [MeshEffect]) {
        take(event, at: now, into: &effects)
        endTurn(at: now, into: &effects)
    }

    /// Handles one event of a turn.
    ///
    /// Messages to neighbours over links wait for the end of the turn.
    ///
    /// Events that arrive together are therefore answered together, in fewer and fuller datagrams.
    public mutating func take(_ event: MeshEvent, at now: MeshInstant, into effects: inout [MeshEffect]) {
        guard !hasLeft else { return }
        if nextDeadline.duration(to: now) >= router.machine.configuration.absence {
            router.machine.wake(asleepSince: nextDeadline)
        }
        dispatch(event, now: now)
        settle(now: now, into: &effects)
        if case .leave = event { hasLeft = true }
    }

    /// Ends a turn: sends the messages that its events caused, and sets `nextDeadline`.
    public mutating func endTurn(at now: MeshInstant, into effects: inout [MeshEffect]) {
        while links.table.established.hasTouched {
            links.table.flush(now: now, into: &links.effects)
            settle(now: now, into: &effects)
        }
        if router.machine.hasStoreChanges { effects.append(.storeChanged(router.machine.takeStoreChanges())) }
        let summary = router.machine.summary
        statuses.note(summary, now: now)
        if discovery.machine.shelf != summary.shelf { discovery.machine.shelf = summary.shelf }
        noteDiscovery(now: now)
        updateDeadline()
    }

    private mutating func updateDeadline() {
        let own = min(discovery.deadline(), router.deadline())
        let shared = min(min(links.table.nextDeadline, paths.nextDeadline), holders.deadline())
        let earliest = min(own, shared, statuses.due)
        nextDeadline = hasLeft ? .distantFuture : earliest
    }

    private mutating func dispatch(_ event: MeshEvent, now: MeshInstant) {
        switch event {
        case .datagram(let bytes, let source, let isMulticast):
            receive(bytes, from: source, multicast: isMulticast, now: now)
        case .interfaceUp(let interface, let prefixes, let unicastPort):
            discovery.machine.interfaceUp(
                interface,
                prefixes: prefixes,
                unicastPort: unicastPort,
                now: now,
                into: &discoveryEffects
            )
        case .interfaceDown(let interface):
            discovery.machine.interfaceDown(interface, now: now, into: &discoveryEffects)
            links.table.interfaceDown(interface, now: now, into: &links.effects)
        case .tick: tick(now: now)
        case .submit(let kind, let body, let life): submit(kind, body, life: life, handsOver: false, now: now)
        case .handOver(let kind, let body, let life): submit(kind, body, life: life, handsOver: true, now: now)
        case .pushThroughNeighbors(let isOn): router.machine.pushesThroughNeighbors = isOn
        case .restore(let records):
            router.machine.restore(records, now: now, into: &routerEffects)
        case .openPath(let hello): openPath(hello: hello, now: now)
        case .sendOnPath(let message): sendOnPath(message, now: now)
        case .fetchPieces(let tags): fetchPieces(tags, now: now)
        case .endFetch(let tags): endFetch(tags)
        case .attachGateway: router.machine.attachGateway(now: now, into: &routerEffects)
        case .inject(let envelope):
            router.machine.inject(envelope, now: now, over: &links, into: &routerEffects)
        case .linkDirectly(let node):
            discovery.machine.linkDirectly(node, now: now, into: &discoveryEffects)
        case .addStaticPeer(let endpoint):
            discovery.machine.addStaticPeer(endpoint, now: now, into: &discoveryEffects)
        case .removeStaticPeer(let endpoint):
            discovery.machine.removeStaticPeer(endpoint)
        case .leave:
            discovery.machine.leave(now: now, into: &discoveryEffects)
            for link in links.table.links {
                links.table.close(link.id, reason: .left, now: now, into: &links.effects)
            }
        }
    }

    private mutating func receive(_ bytes: [UInt8], from source: Endpoint, multicast: Bool, now: MeshInstant) {
        guard multicast || bytes.first == Self.firstBeaconByte else {
            if bytes.first == LinkDatagram.Initiation.type, !discovery.machine.isOnLink(source) {
                return links.effects.append(.dropped(.offLink))
            }
            return links.table.receive(bytes, from: source, now: now, into: &links.effects)
        }
        if multicast, segments[source.interface] != nil, PushDatagram.begins(bytes) {
            return receivePush(bytes, from: source, now: now)
        }
        discovery.machine.receiveBeacon(bytes, from: source, multicast: multicast, now: now, into: &discoveryEffects)
        if multicast, discovery.machine.heardAt(on: source.interface) == now {
            router.machine.noteMulticast(on: source.interface, now: now)
        }
    }

    private mutating func tick(now: MeshInstant) {
        // Asking for the deadline hides that an earlier event of this turn has changed discovery.
        noteDiscovery(now: now)
        if discovery.deadline() <= now {
            // The ends of a path know each other's nodes by the current ids and make direct links to those ids.
            discovery.machine.keepsNodeID = paths.hasOwn
            discovery.machine.tick(now: now, into: &discoveryEffects)
        }
        links.table.tick(now: now, into: &links.effects)
        if router.deadline() <= now { router.machine.tick(now: now, over: &links, into: &routerEffects) }
        paths.tick(now: now)
        if holders.deadline() <= now { holders.machine.tick(surroundings, now: now) }
        send(paths.pushTrails.takeOverdue(now: now), now: now)
        if statuses.due <= now { sendStatus(now: now) }
    }

    /// Sends the state of the store to all neighbours.
    private mutating func sendStatus(now: MeshInstant) {
        statuses.noteAnnounced(now: now)
        links.table.setStatus(status, now: now)
    }

    // MARK: - Effects of the parts

    /// Carries out the effects that the machines have for each other, until only effects for the shell are left.
    private mutating func settle(now: MeshInstant, into effects: inout [MeshEffect]) {
        settleHolders(now: now)
        while !discoveryEffects.isEmpty || !links.effects.isEmpty || !routerEffects.isEmpty || !pathEffects.isEmpty {
            for effect in Self.take(&discoveryEffects) { carryOut(effect, now: now, into: &effects) }
            settleLinks(now: now, into: &effects)
            settleRouter(now: now, into: &effects)
            for effect in Self.take(&pathEffects) { carryOut(effect, now: now, into: &effects) }
            settleHolders(now: now)
        }
    }

    // Nearly every event causes effects in these two lists, so the lists keep their memory.

    private mutating func settleLinks(now: MeshInstant, into effects: inout [MeshEffect]) {
        guard !links.effects.isEmpty else { return }
        var batch = Self.take(&spareLinkEffects)
        swap(&batch, &links.effects)
        for effect in batch { carryOut(effect, now: now, into: &effects) }
        batch.removeAll(keepingCapacity: true)
        swap(&batch, &spareLinkEffects)
    }

    private mutating func settleRouter(now: MeshInstant, into effects: inout [MeshEffect]) {
        guard !routerEffects.isEmpty else { return }
        var batch = Self.take(&spareRouterEffects)
        swap(&batch, &routerEffects)
        for effect in batch { carryOut(effect, now: now, into: &effects) }
        batch.removeAll(keepingCapacity: true)
        swap(&batch, &spareRouterEffects)
    }

    private mutating func carryOut(_ effect: DiscoveryEffect, now: MeshInstant, into effects: inout [MeshEffect]) {
        switch effect {
        case .multicast(let bytes, let interface): effects.append(.multicast(bytes, on: interface))
        case .send(let bytes, let endpoint): effects.append(.send(bytes, to: endpoint))
        case .dial(let node, let endpoint): links.table.dial(node, at: endpoint, now: now, into: &links.effects)
        case .retryNow(let endpoint, let isAnswer):
            links.table.retryNow(endpoint, isAnswer: isAnswer, now: now, into: &links.effects)
        case .close(let link): links.table.close(link, reason: .closedHere, now: now, into: &links.effects)
        case .nodeIDExpired:
            nodeID = links.table.renewNodeKey()
            discovery.machine.takeNodeID(nodeID, now: now, into: &discoveryEffects)
        case .dropped(let reason): drop(reason, into: &effects)
        }
    }

    private mutating func carryOut(_ effect: LinkEffect, now: MeshInstant, into effects: inout [MeshEffect]) {
        switch effect {
        case .send(let bytes, let endpoint): effects.append(.send(bytes, to: endpoint))
        case .up(let info): linkUp(info, now: now, into: &effects)
        case .down(let link, let node, let reason):
            counters.linksEnded[reason, default: 0] += 1
            effects.append(.linkDown(link, node: node, reason: reason))
            discovery.machine.linkDown(link, node: node, reason: reason, now: now, into: &discoveryEffects)
            router.machine.linkDown(link, now: now, over: &links)
            paths.linkDown(link, now: now, over: &links, into: &pathEffects)
        case .dialFailed(let node, let endpoint):
            counters.failedDials += 1
            discovery.machine.dialFailed(node, endpoint, now: now, into: &discoveryEffects)
        case .answered(let endpoint): discovery.machine.answered(endpoint, now: now)
        case .message(let bytes, let lane, let link):
            receivedByteCounts[lane] += bytes.count
            receive(bytes, lane: lane, from: link, now: now)
        case .datagram(let bytes, let link):
            counters.receivedLive += 1
            paths.receiveLive(bytes, from: link, now: now, over: &links, into: &pathEffects)
        case .transmitted(let tag, _):
            router.machine.transmitted(tag, into: &routerEffects)
        case .acknowledged(let tag, let link):
            router.machine.acknowledged(tag, on: link, into: &routerEffects)
        case .status(let status, let link):
            router.machine.status(status.store, from: link, now: now, into: &routerEffects)
        case .writable(let link):
            router.machine.writable(link, now: now, over: &links)
            paths.writable(link, now: now, over: &links, into: &pathEffects)
        case .moved(let info): noteLink(info, now: now)
        case .dropped(let reason): drop(reason, into: &effects)
        }
    }

    private mutating func carryOut(_ effect: RouterEffect, now: MeshInstant, into effects: inout [MeshEffect]) {
        switch effect {
        case .deliver(let envelope, let id):
            guard !noteForHolders(envelope, id, now: now) else { return }
            counters.newEnvelopes += 1
            effects.append(.deliver(envelope, id: id))
        case .far(let envelope): effects.append(.far(envelope))
        case .transmitted(let id): effects.append(.transmitted(id))
        case .carried(let id): effects.append(.carried(id))
        case .trail(let trail): paths.note(trail, now: now)
        case .handOver(let tag, let isOwn): holders.machine.handOver(tag, isOwn: isOwn, now: now)
        case .seekShelf(let bytes, let depth):
            discovery.machine.linkToShelf(bytes, depth: depth, now: now, into: &discoveryEffects)
        case .shelfRead(let link):
            guard links.table.unusedLinks(now: now).contains(link) else { return }
            discovery.machine.endShelfLink(link, into: &discoveryEffects)
        case .push(let envelope, let segment): push(envelope, on: segment, into: &effects)
        case .dropped(let reason): drop(reason, into: &effects)
        }
    }

    private mutating func carryOut(_ effect: PathEffect, now: MeshInstant, into effects: inout [MeshEffect]) {
        guard !takeForHolders(effect, now: now) else { return }
        switch effect {
        case .received(let message, _): effects.append(.pathMessage(message))
        case .lost(let label): effects.append(.pathLost(label))
        case .refused(let label): effects.append(.pathRefused(label))
        case .ready(let label): effects.append(.pathReady(label))
        case .dropped(let reason): drop(reason, into: &effects)
        }
    }

    private mutating func drop(_ reason: DropReason, into effects: inout [MeshEffect]) {
        drops[reason, default: 0] += 1
        effects.append(.dropped(reason))
    }

    private static func take<Effect>(_ effects: inout [Effect]) -> [Effect] {
        let taken = effects
        effects = []
        return taken
    }

    /// The first byte of a beacon's magic.
    ///
    /// No link datagram begins with it.
    private static let firstBeaconByte = UInt8(ascii: "E")
}
