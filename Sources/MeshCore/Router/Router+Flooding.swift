extension Router {
    /// The envelope to forward to neighbours, with the links that it must not go to.
    struct ForwardedEnvelope {
        let shortID: UInt64
        let message: [UInt8]
        let lane: Lane
        /// Whether its kind is expensive to process.
        var isCostly = false
        /// The links whose other ends have the envelope.
        var holders: [LinkID] = []
        /// Whether the envelope goes on links that are lazy, too, and does not change the tree.
        var isProbe = false
    }

    /// A valid envelope that has come, or that this node has written.
    struct Arrival {
        var envelope: Envelope
        let rule: KindRule
        let id: EnvelopeID
        /// Whether its author wrote it a short time ago.
        var isFresh = true
        /// Whether this node asked for it.
        var isAsked = false
        /// Whether a comparison of stores named it.
        var isWanted = false
        /// Whether it came only because this node reads the neighbour's shelf, so that it is neither kept nor passed on.
        var isRead = false
        /// Whether it goes to some nodes of a crowd instead of all.
        var isApart = false
        /// The node that pushed it; nil if it came by a link.
        var pusher: Trail.Pusher?
    }

    /// Spreads an envelope of this node.
    ///
    /// The same content submitted again goes only to neighbours that are not known to have it, and is reported again.
    ///
    /// - Parameter handsOver: Whether a piece of an object goes to some nodes of a crowd instead of all.
    /// - Returns: The id of the envelope; nil if it is invalid.
    @discardableResult
    package mutating func submit(
        kind: EnvelopeKind,
        body: [UInt8],
        life: UInt16,
        handsOver: Bool = false,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) -> EnvelopeID? {
        let longest = configuration.kinds[kind]?.longestLife ?? 0
        let envelope = Envelope(kind: kind, life: min(life, longest), body: body)
        let message = envelope.encoded()
        guard !body.isEmpty, message.count <= Envelope.maximumByteCount,
            let rule = configuration.kinds.rule(for: envelope)
        else {
            effects.append(.dropped(.malformedMessage))
            return nil
        }
        guard envelope.life > 0 else {
            effects.append(.dropped(.expired))
            return nil
        }
        let id = envelopeID(kind: kind, body: body)
        if let forgotten = submissions.insert(id) {
            for index in links.indices { links[index].acknowledged.remove(forgotten) }
        }
        if kind == .probe, !probes.takeOwn(byteCount: message.count, now: now) {
            effects.append(.dropped(.limited))
            return id
        }
        if store[id.shortID] != nil {
            store.adopt(id.shortID, now: now)
            store.raise(id.shortID, life: envelope.life, now: now)
        } else {
            let isApart = handsOver && mayBeApart(envelope, rule)
            let arrival = Arrival(envelope: envelope, rule: rule, id: id, isApart: isApart)
            guard takeOwn(arrival, now: now, into: &effects) else { return id }
        }
        handOver(id.shortID, into: &effects)
        let forwarded = ForwardedEnvelope(
            shortID: id.shortID,
            message: message,
            lane: rule.lane(arrived: .interactive),
            isCostly: rule.isCostly,
            isProbe: kind == .probe
        )
        spread(forwarded, now: now, over: &sender, into: &effects)
        return id
    }

    /// Handles an envelope from a link.
    mutating func receiveEnvelope(
        _ message: [UInt8],
        lane: Lane,
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        let link = links[index].id
        // Only the hash identifies an envelope. It is not computed for envelopes that this node cannot have requested.
        let isExpecting = Wanted.Way.allCases.contains { wanted.askedCount($0, of: link) > 0 }
        guard isExpecting || admits(message, at: index, now: now, into: &effects) else { return }
        guard var envelope = Envelope(decoding: message[...]), let rule = configuration.kinds.rule(for: envelope) else {
            return effects.append(.dropped(.malformedMessage))
        }
        // It is not remembered: the life can be forged, and a better copy may follow.
        guard envelope.life > 0 else { return effects.append(.dropped(.expired)) }
        let id = envelopeID(kind: envelope.kind, body: envelope.body)
        let asked = wanted[id.shortID]?.asked?.holder
        let isAsked = asked?.link == link
        guard !isExpecting || isAsked || admits(message, at: index, now: now, into: &effects) else { return }
        links[index].lastEnvelope = now
        let named = wanted.settle(id.shortID)
        defer { if let asked { noteSettled(id.shortID, of: asked, now: now, over: &sender) } }
        let isFresh = lane.isFresh || named?.isFresh(besides: link) == true
        envelope.life = min(envelope.life, rule.longestLife)
        let isWanted = isAsked && asked?.way == .offered
        let arrival = Arrival(
            envelope: envelope,
            rule: rule,
            id: id,
            isFresh: isFresh,
            isAsked: isAsked,
            isWanted: isWanted,
            isRead: isWanted && !isFresh && isRead(envelope, rule, id: id, at: index)
        )
        if store.knows(id.shortID) {
            receiveCopy(arrival, after: named, at: index, now: now, over: &sender, into: &effects)
        } else {
            receiveFirst(arrival, after: named, at: index, now: now, over: &sender, into: &effects)
        }
    }

    mutating func receiveFirst(
        _ arrival: Arrival,
        after named: Wanted.Entry?,
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        let (link, node) = (links[index].id, links[index].node)
        var arrival = arrival
        if arrival.isFresh, arrival.rule.hasFullLifeWhenFresh { arrival.envelope.life = arrival.rule.longestLife }
        if arrival.envelope.kind == .probe {
            return receiveProbe(arrival, from: link, now: now, over: &sender, into: &effects)
        }
        let isOutside = links[index].segment.map(crowdedSegments.contains) != true
        arrival.isApart = isOutside && mayBeApart(arrival.envelope, arrival.rule)
        if !arrival.isAsked { takePlace(behind: index, after: named, now: now, over: &sender) }
        guard take(arrival, from: node, now: now, into: &effects) else { return }
        noteForGateway(arrival, from: link, into: &effects)
        if arrival.isFresh { noteTrail(of: arrival, from: link, into: &effects) }
        // On a crowded segment a copy that was asked for came late: the others have heard it.
        if arrival.isAsked, !arrival.isWanted { pushes.noteLate(arrival.id.shortID, on: links[index].segment) }
        if isOutside { handOver(arrival.id.shortID, into: &effects) }
        if arrival.isRead { catchUp.noteEnvelope(now: now) }
        let isYoung = links[index].since.advanced(by: configuration.meetingTime) > now
        guard !arrival.isWanted || !arrival.isRead && isYoung else { return store.noteUnspread(arrival.id.shortID) }
        relay(arrival, holders: [link] + (named?.holders.map(\.link) ?? []), now: now, over: &sender, into: &effects)
    }

    /// Returns whether a link may deliver an unrequested envelope.
    ///
    /// A refusal is counted.
    private mutating func admits(
        _ message: [UInt8],
        at index: Int,
        now: MeshInstant,
        into effects: inout [RouterEffect]
    ) -> Bool {
        let (link, byteCount) = (links[index].id, message.count)
        let isWithinLink =
            if isCostly(message) {
                links[index].inbound.takeFirstMessage(byteCount: byteCount, ofAll: &firstMessages, now: now)
            } else {
                links[index].inbound.take(byteCount: byteCount, now: now)
            }
        let isTaken = isWithinLink && intake.take(byteCount: byteCount, from: link, now: now)
        if !isTaken { effects.append(.dropped(.limited)) }
        return isTaken
    }

    /// Returns whether the kind of an encoded envelope is expensive to process.
    private func isCostly(_ message: [UInt8]) -> Bool {
        message.first.flatMap(EnvelopeKind.init(firstByte:)).flatMap { configuration.kinds[$0] }?.isCostly == true
    }

    /// Accepts an envelope of this node, and returns whether it may be forwarded.
    private mutating func takeOwn(_ arrival: Arrival, now: MeshInstant, into effects: inout [RouterEffect]) -> Bool {
        guard take(arrival, from: nil, now: now, into: &effects) else { return false }
        noteForGateway(arrival, from: nil, into: &effects)
        noteTrail(of: arrival, from: nil, into: &effects)
        return true
    }

    /// Accepts an envelope: delivers it if it is new here, and stores it; returns false if it must not be forwarded.
    mutating func take(
        _ arrival: Arrival,
        from origin: NodeID?,
        now: MeshInstant,
        into effects: inout [RouterEffect]
    ) -> Bool {
        let (envelope, rule, id) = (arrival.envelope, arrival.rule, arrival.id)
        let isKnown = store.knows(id.shortID)
        store.see(id.shortID)
        let before = summary
        defer { noteStoreChange(since: before, now: now) }
        let proofHashes = proofHashes(of: envelope, rule)
        if rule.deliveryProof == .given {
            for proofHash in proofHashes { store.release(proofHash, now: now) }
        } else if proofHashes.contains(where: store.isReleased) {
            effects.append(.dropped(.released))
            return false
        }
        if rule.isOfferedFirst, !arrival.isRead { noteFirstOffer(id.shortID, isOwn: origin == nil) }
        if origin != nil, !isKnown {
            effects.append(.deliver(envelope, id: id))
        }
        let isKept = store.insert(
            envelope,
            id: id,
            proofHashes: proofHashes,
            origin: origin,
            isOld: rule.hasFullLifeWhenFresh && !arrival.isFresh,
            isApart: arrival.isApart,
            now: now
        )
        let mayBeAsked = !isKept && !arrival.isRead && envelope.kind != .probe
        if mayBeAsked { unstored.insert(envelope, shortID: id.shortID, now: now) }
        return true
    }

    /// Notes the way back to the author of an envelope that was written a short time ago, if somebody may answer it.
    func noteTrail(of arrival: Arrival, from link: LinkID?, into effects: inout [RouterEffect]) {
        guard arrival.rule.leavesTrail else { return }
        let hop = arrival.pusher.map(Trail.Hop.pusher) ?? link.map(Trail.Hop.link) ?? .here
        let isProbe = arrival.envelope.kind == .probe
        effects.append(.trail(Trail(label: PathLabel(trailOf: arrival.id), hop: hop, isProbe: isProbe)))
    }

    // MARK: - Passing on

    /// Forwards an envelope from another node, within the budget of this node.
    mutating func relay(
        _ arrival: Arrival,
        holders: [LinkID],
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        guard let origin = holders.first,
            links.contains(where: { $0.id != origin }) || pushes.lacks(arrival.id.shortID)
        else { return }
        let (rule, shortID, message) = (arrival.rule, arrival.id.shortID, arrival.envelope.encoded())
        let lane = rule.lane(arrived: arrival.isFresh ? .interactive : .background)
        let forwarded = ForwardedEnvelope(
            shortID: shortID,
            message: message,
            lane: lane,
            isCostly: rule.isCostly,
            holders: holders
        )
        let byteCount = message.count
        let item = RelayBudget.Item(shortID: shortID, lane: lane, origin: origin, byteCount: byteCount, since: now)
        switch relay.admit(item, now: now) {
        case .atOnce: spread(forwarded, now: now, over: &sender, into: &effects)
        case .queued: break
        case .refused: effects.append(.dropped(.relayLimited))
        }
    }

    /// Forwards an envelope whose turn has come, unless it has been removed.
    mutating func passOn(
        _ item: RelayBudget.Item,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        guard let message = store[item.shortID]?.message(now: now) ?? unstored.message(item.shortID, now: now) else {
            return
        }
        let forwarded = ForwardedEnvelope(
            shortID: item.shortID,
            message: message,
            lane: item.lane,
            isCostly: isCostly(message),
            holders: [item.origin]
        )
        spread(forwarded, now: now, over: &sender, into: &effects)
    }

    /// Sends an envelope to the neighbours in the tree and announces it to the others, of a crowd to some of them.
    mutating func spread(
        _ forwarded: ForwardedEnvelope,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        let tag = submissions.contains(forwarded.shortID) ? forwarded.shortID : 0
        let pushed = push(forwarded, now: now)
        sendPushes(now: now, into: &effects)
        let unannounced = unannouncedLinks(besides: forwarded.holders, pushedOn: pushed)
        var isRefused = false
        let isApart = store[forwarded.shortID]?.isApart == true
        let beside = besidePushes(forwarded, on: pushed)
        for index in links.indices where !unannounced.contains(index) {
            let link = links[index].id
            if isApart, links[index].segment.map(crowdedSegments.contains) == true { continue }
            if let segment = links[index].segment, pushed.contains(segment), !beside.sent.contains(index) {
                guard beside.announced.contains(index) else { continue }
                announceLate(forwarded.shortID, at: index, now: now, over: &sender)
                continue
            }
            guard !forwarded.holders.contains(link), !links[index].acknowledged.contains(forwarded.shortID) else {
                continue
            }
            let isPushed =
                (links[index].isEager || beside.sent.contains(index))
                && links[index].takePush(of: forwarded.message, isCostly: forwarded.isCostly, now: now)
            links[index].wasAnnounced = links[index].wasAnnounced || !links[index].isEager
            guard isPushed || forwarded.isProbe else {
                announce(forwarded.shortID, lane: forwarded.lane, at: index, now: now, over: &sender)
                continue
            }
            guard !sender.send(forwarded.message, lane: forwarded.lane, tag: tag, on: link, now: now) else {
                posts.add(byteCount: forwarded.message.count, now: now)
                continue
            }
            isRefused = true
            noteRefusal(of: forwarded.shortID, at: index)
        }
        if isRefused { effects.append(.dropped(.laneFull)) }
    }

    /// Returns the lazy links of a crowd that an envelope is neither announced nor, as a probe, sent on.
    ///
    /// A link that carried no announcement yet carries the next one. Of the others one in as many as the crowd factor
    /// does, but at least one, at random. A node without an eager link announces on all, for nothing else brings on what
    /// it has.
    private mutating func unannouncedLinks(besides holders: [LinkID], pushedOn pushed: Set<InterfaceID>) -> [Int] {
        guard links.contains(where: { $0.crowdFactor > 1 }), links.contains(where: { $0.isEager }) else { return [] }
        let lazy = links.indices.filter { index in
            links[index].crowdFactor > 1 && !links[index].isEager && links[index].wasAnnounced
                && !holders.contains(links[index].id) && links[index].segment.map(pushed.contains) != true
        }
        guard let factor = lazy.map({ links[$0].crowdFactor }).max() else { return [] }
        let start = Int(random.next() % UInt64(lazy.count))
        let announcedCount = (lazy.count + factor - 1) / factor
        return (announcedCount..<lazy.count).map { lazy[(start + $0) % lazy.count] }
    }

    func proofHashes(of envelope: Envelope, _ rule: KindRule) -> [[UInt8]] {
        let (body, size) = (envelope.body, StoragePolicy.releaseByteCount)
        switch rule.deliveryProof {
        case .expected: return [Array(body.dropFirst(rule.proofOffset).prefix(size))]
        case .given:
            return stride(from: 0, to: body.count, by: size).map { start in
                cryptography.proofHash(deliveryProof: Array(body[start..<start + size]))
            }
        case .none: return []
        }
    }
}
