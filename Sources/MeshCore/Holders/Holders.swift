import Bytes

/// The machine that hands the pieces of large objects to some nodes of a crowd, and fetches them from there.
///
/// In a crowd the tree would bring every piece to every node. Instead its author searches for some nodes that keep it,
/// and whoever wants it searches for those. Both searches flood a few bytes, and all pieces go along paths, each only
/// when it is asked for.
///
/// Invariant: every own label in use is in `searches`, `collections` or `gifts`; only that of a fetch can be in the
/// first two. Source: PROTOCOL §5.5 holders.
struct Holders: Sendable {
    private struct Search: Sendable {
        let tag: ObjectTag
        let seek: Seek
        let due: MeshInstant
        var answers: [Keeper] = []
    }

    /// A node that keeps what it is offered.
    private struct Keeper: Sendable {
        let peer: PathLabel
        /// The link by which it answered.
        let link: LinkID
        let shelf: Shelf
    }

    private struct Fetch: Sendable {
        var due: MeshInstant
        /// The pieces that came by themselves.
        var pieceCount = 0
    }

    let configuration: HolderConfiguration
    private let cryptography: any MeshCryptography
    private var random: MeshRandom
    private var handOvers: HandOvers
    private var fetches: [ObjectTag: Fetch] = [:]
    private var searches: [PathLabel: Search] = [:]
    private var collections: [PathLabel: PieceCollection] = [:]
    private var gifts: Gifts
    /// The nodes that answered the last search, and the time until which they get further objects.
    private var keepers: (all: [Keeper], end: MeshInstant) = ([], .zero)
    /// The rate of answers to searches.
    private var answering: TokenBucket
    private var effects: [HolderEffect] = []

    init(configuration: HolderConfiguration, cryptography: any MeshCryptography, random: MeshRandom) {
        self.configuration = configuration
        self.cryptography = cryptography
        self.random = random
        handOvers = HandOvers(configuration: configuration)
        gifts = Gifts(configuration: configuration)
        answering = TokenBucket(rate: configuration.answerRate, burst: configuration.answerBurst)
    }

    /// The time at which `tick` has something to do.
    var nextDeadline: MeshInstant {
        var deadline = min(handOvers.nextDeadline, gifts.nextDeadline)
        if searches.count < configuration.searchLimit {
            for fetch in fetches.values { deadline = min(deadline, fetch.due) }
        }
        for search in searches.values { deadline = min(deadline, search.due) }
        for collection in collections.values { deadline = min(deadline, collection.nextDeadline) }
        return deadline
    }

    /// Whether there are effects since the last call of `takeEffects`.
    var hasEffects: Bool { !effects.isEmpty }

    /// Returns the effects since the last call.
    mutating func takeEffects() -> [HolderEffect] {
        defer { effects = [] }
        return effects
    }

    /// Returns whether a label is one to which others send to this machine.
    func owns(_ label: PathLabel) -> Bool {
        searches[label] != nil || collections[label] != nil || gifts.owns(label)
    }

    // MARK: - Requests of this node

    /// Notes a piece that some nodes should keep, in a moment, when more pieces of its object are here.
    mutating func handOver(_ tag: ObjectTag, isOwn: Bool, now: MeshInstant) {
        handOvers.add(tag, isOwn: isOwn, now: now)
    }

    /// Notes an object that this node lacks pieces of, and fetches it in a moment, unless pieces come by themselves.
    mutating func fetch(_ tag: ObjectTag, inCrowd: Bool, now: MeshInstant) {
        guard fetches[tag] == nil, fetches.count < configuration.fetchLimit,
            !collections.values.contains(where: { $0.fetched == tag }),
            !searches.values.contains(where: { $0.seek.purpose == .fetch && $0.tag == tag })
        else { return }
        let delay = inCrowd ? configuration.crowdFetchDelay : configuration.fetchDelay
        fetches[tag] = Fetch(due: now.advanced(by: delay))
    }

    /// Notes a piece that came by itself: more may be on their way.
    mutating func noteArrival(_ tag: ObjectTag, now: MeshInstant) {
        guard let fetch = fetches[tag], fetch.pieceCount < configuration.awaitedPieceCount else { return }
        fetches[tag] = Fetch(due: now.advanced(by: configuration.fetchDelay), pieceCount: fetch.pieceCount + 1)
    }

    /// Notes that an object is whole.
    mutating func endFetch(_ tag: ObjectTag) {
        fetches[tag] = nil
        searches = searches.filter { $0.value.seek.purpose == .keep || $0.value.tag != tag }
        for label in collections.keys.sorted() where collections[label]?.fetched == tag { collections[label] = nil }
    }

    // MARK: - Time

    /// Begins searches, ends those whose answers are here, and asks again for what did not come.
    mutating func tick(_ node: Surroundings, now: MeshInstant) {
        for label in searches.keys.sorted() {
            if let search = searches[label], search.due <= now { end(search, at: label, node, now: now) }
        }
        for step in handOvers.takeDue(depth: node.depth, now: now) { perform(step, node, now: now) }
        let due = fetches.filter { $0.value.due <= now }.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
        for (tag, _) in due.prefix(max(0, configuration.searchLimit - searches.count)) {
            let number = random.next()
            let hash = cryptography.shortHash(of: tag.value, salt: number)
            effects.append(.seek(.holders(of: tag, number: number, tagHash: hash), for: tag))
        }
        for label in collections.keys.sorted() { ask(at: label, now: now) }
        give(node, now: now)
        endLabels(gifts.expire(now: now))
    }

    private mutating func perform(_ step: HandOvers.Step, _ node: Surroundings, now: MeshInstant) {
        switch step {
        case .count(let tag): handOvers.end(tag, count: gifts.keptCount(of: tag), now: now)
        case .offer(let tag, let depth, let seeksAnew):
            guard !node.store.pieces(of: tag).isEmpty else { return handOvers.forget(tag) }
            let able = keepers.end > now ? keepers.all.filter { $0.shelf.covers(tag.place) } : []
            if !seeksAnew, able.count >= configuration.leastHolderCount, !handOvers.isFull {
                offer(tag, to: able, node, now: now)
                keepers.end = now.advanced(by: configuration.keeperLife)
                handOvers.noteOffer(of: tag, count: able.count, searched: depth, crowd: node.depth, now: now)
            } else if handOvers.isSearching || handOvers.isFull {
                handOvers.postpone(tag, by: configuration.answerPatience, now: now)
            } else {
                handOvers.noteSearch(for: tag)
                effects.append(.seek(.keepers(of: tag.place, depth: depth, number: random.next()), for: tag))
            }
        }
    }

    /// Notes the label under which a search of this node went out.
    mutating func noteSearch(_ seek: Seek, for tag: ObjectTag, as label: PathLabel, now: MeshInstant) {
        if seek.purpose == .fetch { fetches[tag] = nil }
        searches[label] = Search(tag: tag, seek: seek, due: now.advanced(by: configuration.answerPatience))
    }

    /// Notes that a search of this node may not go out now: it goes later.
    mutating func postpone(_ seek: Seek, for tag: ObjectTag, now: MeshInstant) {
        switch seek.purpose {
        case .keep: handOvers.postpone(tag, by: configuration.fetchDelay, now: now)
        case .fetch:
            let due = now.advanced(by: configuration.fetchDelay)
            fetches[tag]?.due = due
        }
    }

    private mutating func end(_ search: Search, at label: PathLabel, _ node: Surroundings, now: MeshInstant) {
        searches[label] = nil
        guard search.seek.purpose == .keep else { return }
        let chosen = choose(among: search.answers)
        if chosen.count >= configuration.leastHolderCount {
            keepers = (chosen, now.advanced(by: configuration.keeperLife))
        }
        offer(search.tag, to: chosen, node, now: now)
        let (depth, crowd) = (search.seek.depth, node.depth)
        handOvers.noteOffer(of: search.tag, count: chosen.count, searched: depth, crowd: crowd, now: now)
    }

    /// Chooses holders, by as many different links as possible.
    private func choose(among answers: [Keeper]) -> [Keeper] {
        var counts: [LinkID: Int] = [:]
        let ranked = answers.enumerated().map { place, keeper in
            defer { counts[keeper.link, default: 0] += 1 }
            return (rank: counts[keeper.link, default: 0], place: place, keeper: keeper)
        }
        let first = ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }
        return first.prefix(configuration.holderCount).map(\.keeper)
    }

    private mutating func offer(_ tag: ObjectTag, to keepers: [Keeper], _ node: Surroundings, now: MeshInstant) {
        let ids = Array(node.store.pieces(of: tag).prefix(configuration.keptPieceCount))
        guard !ids.isEmpty else { return }
        for keeper in keepers {
            let own = PathLabel(random.next())
            endLabels(gifts.add(tag, for: keeper.peer, under: own, isOffer: true, now: now))
            send(.offer(tag, ids), to: keeper.peer, from: own)
        }
    }

    // MARK: - Searches of others

    /// Answers a search, if this node has pieces of the object or will keep them.
    mutating func receiveSeek(_ seek: Seek, as label: PathLabel, _ node: Surroundings, now: MeshInstant) {
        switch seek.purpose {
        case .fetch:
            let tags = node.store.tags(inPlacesOf: seek.firstByte)
            guard
                let tag = tags.first(where: { cryptography.shortHash(of: $0.value, salt: seek.number) == seek.tagHash }
                ),
                answering.take(now: now)
            else { return }
            let ids = Array(node.store.pieces(of: tag).prefix(HolderMessage.idLimit))
            let own = PathLabel(random.next())
            endLabels(gifts.add(tag, for: label, under: own, isOffer: false, now: now))
            send(.offer(tag, ids), to: label, from: own)
        case .keep:
            guard Int(seek.depth) + configuration.depthSlack >= Int(node.depth),
                node.store.isNear(seek.place, depth: seek.depth), answering.take(now: now)
            else { return }
            let own = PathLabel(random.next())
            collect(PieceCollection(of: nil, end: now.advanced(by: configuration.silence)), under: own)
            send(.ready(node.store.apartShelf), to: label, from: own)
        }
    }

    /// Begins a collection; the one of its purpose that has been silent for longest makes room.
    private mutating func collect(_ collection: PieceCollection, under own: PathLabel) {
        let rivals = collections.filter { $0.value.keeps == collection.keeps }
        if rivals.count >= configuration.collectionLimit,
            let oldest = rivals.min(by: { ($0.value.end, $0.key) < ($1.value.end, $1.key) })?.key
        {
            endCollection(at: oldest)
        }
        collections[own] = collection
    }

    // MARK: - Payloads

    /// Handles a payload that came by a link for one of this machine's labels.
    mutating func receive(
        _ message: PathMessage,
        over link: LinkID,
        _ node: Surroundings,
        now: MeshInstant,
        identify: (Envelope) -> EnvelopeID?
    ) {
        switch HolderMessage(decoding: message.payload) {
        case .ready(let shelf): noteReady(message, shelf, over: link)
        case .offer(let tag, let ids): receiveOffer(ids, of: tag, message, over: link, node, now: now)
        case .want(let ids):
            gifts.ask(ids, at: message.to, now: now)
            give(node, now: now)
        case .piece(let bytes): takePiece(bytes, at: message.to, now: now, identify: identify)
        case nil: break
        }
    }

    private mutating func noteReady(_ message: PathMessage, _ shelf: Shelf, over link: LinkID) {
        if let tag = gifts.noteKept(at: message.to) { handOvers.noteKept(tag, count: gifts.keptCount(of: tag)) }
        guard let peer = message.from, let search = searches[message.to], search.seek.purpose == .keep,
            shelf.covers(search.tag.place),
            search.answers.count < configuration.answerLimit, !search.answers.contains(where: { $0.peer == peer }),
            search.answers.count(where: { $0.link == link }) < configuration.answersPerLink
        else { return }
        searches[message.to]?.answers.append(Keeper(peer: peer, link: link, shelf: shelf))
    }

    private mutating func receiveOffer(
        _ ids: [UInt64],
        of tag: ObjectTag,
        _ message: PathMessage,
        over link: LinkID,
        _ node: Surroundings,
        now: MeshInstant
    ) {
        let label = message.to
        guard let peer = message.from else { return }
        if let search = searches[label], search.seek.purpose == .fetch, search.tag == tag, collections[label] == nil {
            collect(PieceCollection(of: tag, end: now.advanced(by: configuration.silence)), under: label)
        }
        guard let collection = collections[label] else { return }
        let count = collection.keeps ? configuration.keptPieceCount : HolderMessage.idLimit
        let lacking = Array(ids.prefix(count).filter { node.store[$0] == nil })
        guard !collection.keeps || node.store.keepsApart(tag.place) else { return }
        if lacking.isEmpty {
            if collection.keeps { send(.ready(node.store.apartShelf), to: peer) }
        } else {
            var grown = collection
            guard grown.add(lacking, of: tag, at: peer, over: link, configuration) else { return }
            collections[label] = grown
            ask(at: label, now: now)
        }
    }

    private mutating func give(_ node: Surroundings, now: MeshInstant) {
        for (peer, message) in gifts.takeDue(from: node.store, now: now) { send(.piece(message), to: peer) }
    }

    private mutating func takePiece(
        _ bytes: [UInt8],
        at label: PathLabel,
        now: MeshInstant,
        identify: (Envelope) -> EnvelopeID?
    ) {
        guard let collection = collections[label], let envelope = Envelope(decoding: bytes[...]), envelope.life > 0,
            let tag = ObjectTag(of: envelope.body), let id = identify(envelope), collection.expects(id.shortID, of: tag)
        else { return }
        effects.append(.take(envelope, id, keeps: collection.keeps, at: label))
        var rest = collection
        let finished = rest.take(id.shortID, end: now.advanced(by: configuration.silence))
        collections[label] = rest
        if collection.keeps { effects += finished.map { .confirm($0, at: label) } }
        ask(at: label, now: now)
    }

    /// Notes that there was no room for a piece of an object that came to this label.
    mutating func refuse(_ tag: ObjectTag, at label: PathLabel) { collections[label]?.refuse(tag) }

    /// Confirms to a label that all pieces that it offered are kept, if they are.
    mutating func confirm(to peer: PathLabel, at label: PathLabel, _ node: Surroundings) {
        guard collections[label]?.isWhole(from: peer) == true else { return }
        send(.ready(node.store.apartShelf), to: peer)
    }

    /// Asks for the pieces that are missing, or ends the collection.
    private mutating func ask(at label: PathLabel, now: MeshInstant) {
        guard var collection = collections[label] else { return }
        guard collection.end > now, !collection.isDone || searches[label] != nil else {
            return endCollection(at: label)
        }
        let wants = collection.wants(configuration, now: now)
        collections[label] = collection
        for want in wants { send(.want(want.ids), to: want.peer) }
    }

    /// Notes that a label has become unreachable, and asks others for what it was to send.
    mutating func lose(_ peer: PathLabel, now: MeshInstant) {
        endLabels(gifts.lose(peer))
        keepers.all.removeAll { $0.peer == peer }
        for label in collections.keys.sorted() where collections[label]?.has(peer) == true {
            collections[label]?.lose(peer)
            ask(at: label, now: now)
        }
    }

    // MARK: - Labels

    private mutating func endCollection(at label: PathLabel) {
        let keeps = collections[label]?.keeps == true
        collections[label] = nil
        if keeps { endLabels([label]) }
    }

    private mutating func endLabels(_ labels: [PathLabel]) { effects += labels.map(HolderEffect.end) }

    private mutating func send(_ message: HolderMessage, to label: PathLabel, from own: PathLabel? = nil) {
        let hops = UInt8(random.next() % Self.firstHopsCount)
        let payload = message.encoded()
        effects.append(.send(PathMessage(to: label, from: own, hops: hops, isBulk: message.isBulk, payload: payload)))
    }

    /// The hop counts at which the payloads of an end begin.
    private static let firstHopsCount: UInt64 = 8
}
