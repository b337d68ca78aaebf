import Bytes

/// The machine that spreads envelopes over the links of one node.
///
/// It forwards new envelopes, stores them, and sends them to neighbours that lack them.
///
/// New envelopes follow a tree that the links form without any node knowing the whole tree. Each link is eager or lazy.
/// Eager links carry every new envelope at once; lazy links carry only announcements, with which envelopes that the
/// tree lost are requested.
///
/// Invariants: `links` is sorted by id; an envelope is forwarded once, when it is first seen, and is afterwards sent only
/// on request.
///
/// Source: PROTOCOL §5 flooding and store.
package struct Router: Sendable {
    let configuration: RouterConfiguration
    let cryptography: any MeshCryptography
    var random: MeshRandom
    /// The envelopes stored for others.
    package internal(set) var store: EnvelopeStore
    /// The envelopes that the store did not take but that may be requested.
    package internal(set) var unstored: UnstoredEnvelopes
    var submissions: SubmissionTable
    /// The short ids of the envelopes that new neighbours are offered first, with this node's own at the end.
    var firstOffers: [UInt64] = []
    /// The short id of the one among them that this node published last.
    var ownFirstOffer: UInt64?
    var links: [RouterLink] = []
    /// The envelopes that neighbours named and that have not arrived.
    package internal(set) var wanted: Wanted
    /// The envelopes from links that wait for forwarding.
    package internal(set) var relay: RelayBudget
    /// The rate of all that links bring unrequested; nothing waits for it.
    var intake: RelayBudget
    /// The probes of this node and of others, within their own rate.
    package internal(set) var probes: RelayBudget
    /// The rate of all that neighbours are asked for because they offered it.
    var asking: TokenBucket
    /// The time at which the next neighbour is asked for more, if that rate is used up.
    var askDue = MeshInstant.distantFuture
    /// The link that is asked first at the next turn.
    var askTurn = 0
    /// The rate of all that is sent to neighbours that want it.
    var serving: TokenBucket
    /// The same rate for what neighbours ask for by GRAFT, so that they keep nobody waiting who wants more.
    var grafting: TokenBucket
    /// The link that is served first at the next turn.
    var servingTurn = 0
    /// The rate of first messages that all links deliver unrequested.
    var firstMessages: TokenBucket
    /// The reading of others' shelves after an absence.
    var catchUp: CatchUp
    /// The posts that were sent in the last minute.
    var posts = PostLoad()
    /// The posts that go to whole segments.
    var pushes: PushSchedule
    /// The segments with so many nodes that the pieces of objects go to some of them only.
    var crowdedSegments: Set<InterfaceID> = []
    /// The time until which probes go by links, because too many are pushed.
    var probePushesResume = MeshInstant.zero
    /// Whether neighbours push own posts, so that no push comes from their author.
    package var pushesThroughNeighbors = false
    /// Whether this node has a gateway, which is to hear of its kinds of envelope.
    var hasGateway = false
    /// The counters since the start.
    package internal(set) var counters = RouterCounters()

    /// Creates a router without links and envelopes.
    package init(
        configuration: RouterConfiguration,
        cryptography: any MeshCryptography,
        random: MeshRandom,
        now: MeshInstant
    ) {
        self.configuration = configuration
        self.cryptography = cryptography
        self.random = random
        store = EnvelopeStore(limits: configuration.store, kinds: configuration.kinds)
        store.notesChanges = configuration.reportsStoreChanges
        unstored = UnstoredEnvelopes(
            countLimit: configuration.unstoredCount,
            byteLimit: configuration.unstoredByteCount
        )
        submissions = SubmissionTable(limit: configuration.submissionLimit)
        wanted = Wanted(limit: configuration.namedLimit, announcedLimit: configuration.announcedLimit)
        relay = RelayBudget(
            rate: configuration.relayRate,
            queueLimit: configuration.relayQueueLimit
        )
        intake = RelayBudget(rate: configuration.intakeRate, queueLimit: 0)
        probes = RelayBudget(
            rate: configuration.probeRate,
            queueLimit: configuration.probeQueueLimit,
            patience: configuration.probePatience
        )
        catchUp = CatchUp(configuration: configuration, now: now)
        asking = TokenBucket(rate: configuration.askRate, burst: configuration.askBurst)
        pushes = PushSchedule(configuration: configuration)
        serving = TokenBucket(rate: configuration.servedRate, burst: configuration.servedBurst)
        grafting = serving
        firstMessages = TokenBucket(
            rate: configuration.nodeFirstMessageRate,
            burst: configuration.nodeFirstMessageBurst
        )
        store.setShelf(place: UInt16.random(in: .min ... .max, using: &self.random), depth: 0)
    }

    // MARK: - Reading

    /// The store summary for neighbours.
    package var summary: StoreSummary { store.summary }

    /// Whether posts take so much that messages to one peer should not be posted.
    package func isBusy(now: MeshInstant) -> Bool {
        posts.byteCount(now: now) >= configuration.busyPostByteCount
    }

    /// The time of the next action.
    package var nextDeadline: MeshInstant {
        var deadline = min(min(store.nextDeadline, askDue), min(treeDeadline, servingDeadline))
        deadline = min(deadline, pushes.nextDeadline, catchUp.nextLook)
        for index in links.indices {
            deadline = min(deadline, requestDeadline(at: index), comparisonDeadline(at: index))
        }
        return deadline
    }

    /// Computes the id of an envelope with this content.
    package func envelopeID(kind: EnvelopeKind, body: [UInt8]) -> EnvelopeID {
        let envelope = Envelope(kind: kind, life: 0, body: body)
        return cryptography.envelopeID(kindByte: envelope.kindByte, body: body[...])
    }

    func index(of link: LinkID) -> Int? {
        links.firstIndex { $0.id == link }
    }

    // MARK: - Links

    /// Handles a link that came up.
    ///
    /// The link is eager, but in a crowd not if it is spare and others are eager: the first envelope would go on all links
    /// of all hosts. The end that dialled will compare both ends' stores.
    package mutating func linkUp(
        _ link: LinkID,
        node: NodeID,
        dialledHere: Bool,
        segment: InterfaceID? = nil,
        crowdFactor: Int = 1,
        isSpare: Bool = false,
        now: MeshInstant,
        over sender: inout some LinkSending
    ) {
        guard index(of: link) == nil else { return }
        var entry = RouterLink(
            id: link,
            node: node,
            dialledHere: dialledHere,
            summary: summary,
            configuration: configuration,
            now: now
        )
        (entry.segment, entry.crowdFactor, entry.isSpare) = (segment, crowdFactor, isSpare)
        entry.isEager =
            crowdFactor == 1 || !isSpare || links.count { $0.isEager } < configuration.crowdEagerCount
        let place = links.firstIndex { $0.id > link } ?? links.endIndex
        links.insert(entry, at: place)
        wanted.add(link)
        relay.add(link, now: now)
        intake.add(link, now: now)
        probes.add(link, now: now)
        offerUncovered(at: place, now: now, over: &sender)
        sendFirstOffers(at: place, now: now, over: &sender)
    }

    /// Sets the crowd factor of a link's segment.
    ///
    /// A spare link that has brought nothing leaves the tree when its segment becomes crowded.
    package mutating func setCrowdFactor(_ factor: Int, of link: LinkID) {
        guard let index = index(of: link), links[index].crowdFactor != factor else { return }
        let becomesCrowded = links[index].crowdFactor == 1
        links[index].crowdFactor = factor
        if becomesCrowded, links[index].isSpare, links[index].isEager,
            links[index].lastEnvelope == links[index].since,
            links.count(where: { $0.isEager }) > configuration.crowdEagerCount
        {
            links[index].isEager = false
        }
    }

    /// Handles a link that ended.
    ///
    /// Requests on it go to other links.
    package mutating func linkDown(_ link: LinkID, now: MeshInstant, over sender: inout some LinkSending) {
        guard let index = index(of: link) else { return }
        links.remove(at: index)
        noteMissing(now: now)
        _ = relay.remove(link, now: now)
        _ = intake.remove(link, now: now)
        // Another link may still bring the probes that have not gone on.
        for shortID in probes.remove(link, now: now) { store.forget(shortID) }
        wanted.remove(link, now: now)
        sendRequests(now: now, over: &sender)
    }

    /// Handles a link that refused something and has room again.
    package mutating func writable(_ link: LinkID, now: MeshInstant, over sender: inout some LinkSending) {
        guard let index = index(of: link) else { return }
        if let firstRefused = links[index].firstRefused {
            links[index].firstRefused = nil
            links[index].offerCursor = min(firstRefused, links[index].offerCursor ?? firstRefused)
        }
        links[index].isWantRefused = false
        sendRequests(at: index, now: now, over: &sender)
        serve(at: index, now: now, over: &sender)
        sendOffers(at: index, now: now, over: &sender)
        sendSymbols(at: index, now: now, over: &sender)
    }

    /// Handles a neighbour's store summary.
    package mutating func status(
        _ summary: StoreSummary,
        from link: LinkID,
        now: MeshInstant,
        into effects: inout [RouterEffect]
    ) {
        guard let index = index(of: link), links[index].remote != summary else { return }
        if links[index].remote == nil {
            links[index].comparison.differedAtFirst = links[index].firstSummary.difference(to: summary) != nil
        }
        noteCompany(showing: summary, at: index, now: now)
        reviewDifferences(now: now)
        if summary == self.summary {
            reportHeld(in: store.shelf, before: store.nextSequence, except: [], into: &effects)
        }
    }

    /// Handles that a message with one of this node's tags left.
    package mutating func transmitted(_ tag: UInt64, into effects: inout [RouterEffect]) {
        guard let id = submissions.transmit(tag) else { return }
        effects.append(.transmitted(id))
    }

    /// Handles that a message with one of this node's tags was acknowledged.
    package mutating func acknowledged(_ tag: UInt64, on link: LinkID, into effects: inout [RouterEffect]) {
        guard submissions.contains(tag) else { return }
        if let index = index(of: link) {
            links[index].acknowledged.insert(tag)
        }
        reportCarried(tag, into: &effects)
    }

    /// Reports that a neighbour holds an own envelope, whatever the source of that knowledge.
    mutating func reportCarried(_ shortID: UInt64, into effects: inout [RouterEffect]) {
        transmitted(shortID, into: &effects)
        guard let id = submissions.carry(shortID) else { return }
        effects.append(.carried(id))
    }

    // MARK: - Messages and time

    /// Handles a message from a link: a whole envelope, a message of the tree, or a part of a store comparison.
    package mutating func receive(
        _ message: [UInt8],
        lane: Lane,
        from link: LinkID,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        guard let index = index(of: link) else { return }
        if let first = message.first, first >> 4 == Envelope.version {
            return receiveEnvelope(message, lane: lane, at: index, now: now, over: &sender, into: &effects)
        }
        if let first = message.first, TreeMessage.isType(first) {
            return receiveTree(message, lane: lane, at: index, now: now, over: &sender, into: &effects)
        }
        guard let sync = SyncMessage(decoding: message) else {
            return effects.append(.dropped(.malformedMessage))
        }
        receive(sync, at: index, now: now, over: &sender, into: &effects)
    }

    /// Performs everything that is due: drops envelopes without life, forwards and requests others, gives up on silent
    /// neighbours, compares stores that differ.
    package mutating func tick(
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        guard now >= nextDeadline else { return }
        let before = summary
        store.expire(now: now)
        noteStoreChange(since: before, now: now)
        keepTree(now: now, over: &sender, into: &effects)
        sendPushes(now: now, into: &effects)
        expireRequests(now: now, over: &sender)
        askWaiting(now: now, over: &sender)
        serveWaiting(now: now, over: &sender)
        compareStores(now: now, over: &sender)
        catchUp(now: now, over: &sender, into: &effects)
    }

    mutating func noteStoreChange(since before: StoreSummary, now: MeshInstant) {
        if summary != before { reviewDifferences(now: now) }
    }
}
