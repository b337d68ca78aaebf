extension Router {
    // MARK: - Announcing

    /// Adds an envelope to the announcements for a neighbour.
    ///
    /// - Parameter isGift: Whether the neighbour may fetch it once without its counting.
    mutating func announce(
        _ shortID: UInt64,
        lane: Lane,
        isGift: Bool = true,
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending
    ) {
        let announcement = RouterLink.Announcement(shortID: shortID, isFresh: lane != .background, isGift: isGift)
        links[index].announcements.append(announcement)
        if links[index].announcements.count == TreeMessage.idLimit {
            sendAnnouncements(at: index, now: now, over: &sender)
        } else {
            let due = now.advanced(by: configuration.announceDelay * links[index].crowdFactor)
            links[index].announceDue = min(links[index].announceDue, due)
        }
    }

    /// Adds an envelope that was pushed to the announcements for a neighbour; they wait for many of them.
    mutating func announceLate(
        _ shortID: UInt64,
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending
    ) {
        let late = now.advanced(by: configuration.pushedAnnounceDelay * links[index].crowdFactor)
        let due = min(links[index].announceDue, late)
        announce(shortID, lane: .interactive, at: index, now: now, over: &sender)
        if !links[index].announcements.isEmpty { links[index].announceDue = due }
    }

    /// Announces to a neighbour the envelopes that it was not sent.
    private mutating func sendAnnouncements(at index: Int, now: MeshInstant, over sender: inout some LinkSending) {
        let announcements = links[index].announcements
        links[index].announcements.removeAll(keepingCapacity: true)
        links[index].announceDue = .distantFuture
        for isFresh in [true, false] {
            let alike = announcements.filter { $0.isFresh == isFresh }
            guard !alike.isEmpty else { continue }
            let shortIDs = alike.map(\.shortID)
            let message = TreeMessage.announce(shortIDs).encoded()
            let lane = isFresh ? Lane.interactive : .background
            let isSent = sender.send(message, lane: lane, tag: 0, on: links[index].id, now: now)
            for announcement in alike {
                if !isSent {
                    noteRefusal(of: announcement.shortID, at: index)
                } else if announcement.isGift {
                    links[index].announced.insert(announcement.shortID)
                }
            }
        }
    }

    /// Records that the full link refused an envelope or its announcement, so that it is offered later.
    mutating func noteRefusal(of shortID: UInt64, at index: Int) {
        guard let sequence = store[shortID]?.sequence else { return }
        links[index].firstRefused = min(sequence, links[index].firstRefused ?? sequence)
    }

    /// Records that a neighbour has an envelope.
    ///
    /// It is no longer announced there, and an own envelope counts as carried.
    mutating func noteHolder(_ shortID: UInt64, at index: Int, into effects: inout [RouterEffect]) {
        links[index].withdrawAnnouncement(of: shortID)
        if submissions.contains(shortID) { links[index].acknowledged.insert(shortID) }
        reportCarried(shortID, into: &effects)
    }

    // MARK: - Receiving

    mutating func receiveTree(
        _ message: [UInt8],
        lane: Lane,
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        switch TreeMessage(decoding: message) {
        case .announce(let shortIDs):
            receiveAnnouncements(shortIDs, lane: lane, at: index, now: now, over: sender)
            for shortID in shortIDs {
                noteHolder(shortID, at: index, into: &effects)
                if lane.isFresh { _ = refresh(shortID, at: index, now: now, over: &sender) }
            }
            graftDue(now: now, over: &sender)
        case .graft(let shortIDs):
            links[index].becomeEager()
            for shortID in shortIDs { answerGraft(shortID, lane: lane, at: index, now: now, over: &sender) }
        case .prune:
            links[index].isEager = false
        case nil:
            effects.append(.dropped(.malformedMessage))
        }
    }

    /// Sends an announced envelope that is still here, on the lane of its announcement.
    private mutating func answerGraft(
        _ shortID: UInt64,
        lane: Lane,
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending
    ) {
        guard let message = store[shortID]?.message(now: now) ?? unstored.message(shortID, now: now),
            let kind = message.first.flatMap(EnvelopeKind.init(firstByte:))
        else { return }
        // A node that asks for an old envelope as if it were fresh does not make it so.
        let arrived = store[shortID]?.isOld == true ? .background : lane
        let answerLane = configuration.kinds[kind]?.lane(arrived: arrived) ?? lane
        let tag = submissions.contains(shortID) ? shortID : 0
        links[index].withdrawAnnouncement(of: shortID)
        let charge = max(EnvelopeStore.leastCharge, message.count)
        guard links[index].announced.take(shortID) || grafting.take(charge, now: now) else {
            if store[shortID] != nil { receiveWant([shortID], at: index, now: now, over: &sender) }
            return
        }
        if !sender.send(message, lane: answerLane, tag: tag, on: links[index].id, now: now) {
            noteRefusal(of: shortID, at: index)
        }
    }

    /// Gives an envelope that is held as old its full life, because a neighbour that did not bring it has it as fresh.
    ///
    /// It is announced as fresh on all other links, once. So the first copy to arrive does not decide how long a mesh
    /// keeps an envelope. Returns whether it was old.
    mutating func refresh(
        _ shortID: UInt64,
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending
    ) -> Bool {
        guard let entry = store[shortID], entry.isOld, entry.origin != links[index].node,
            store.refresh(shortID, now: now)
        else { return false }
        for other in links.indices where other != index {
            // Whoever names old envelopes as fresh causes these, beside all rates.
            announce(shortID, lane: .interactive, isGift: false, at: other, now: now, over: &sender)
        }
        return true
    }

    // MARK: - Pruning and grafting

    /// Removes a link from the tree, because its envelope had already arrived on another link.
    mutating func prune(at index: Int, now: MeshInstant, over sender: inout some LinkSending) {
        let wasEager = links[index].isEager
        links[index].isEager = false
        // Envelopes in transit at the time of the prune are not the neighbour's fault.
        let roundTrip = roundTrip(at: index, over: sender)
        guard wasEager || links[index].lastPrune.map({ $0.advanced(by: roundTrip) <= now }) ?? true else { return }
        if sender.send(TreeMessage.prune.encoded(), lane: .control, tag: 0, on: links[index].id, now: now) {
            links[index].lastPrune = now
            counters.prunes += 1
        }
    }

    /// Keeps the link that delivered a first copy in the tree, or replaces it by a link whose other end had announced
    /// the envelope well before.
    ///
    /// Paths thereby become short, however the tree began.
    mutating func takePlace(
        behind index: Int,
        after named: Wanted.Entry?,
        now: MeshInstant,
        over sender: inout some LinkSending
    ) {
        links[index].becomeEager()
        guard let named, named.asked == nil, let holder = named.holders.first, holder.way == .announced,
            let better = self.index(of: holder.link), !links[better].isEager
        else { return }
        let gain = configuration.treeGain * links[better].crowdFactor + roundTrip(at: better, over: sender)
        let message = TreeMessage.graft([TreeMessage.nothing]).encoded()
        guard named.since.advanced(by: gain) <= now,
            sender.send(message, lane: .control, tag: 0, on: holder.link, now: now)
        else { return }
        links[better].becomeEager()
        prune(at: index, now: now, over: &sender)
    }

    func roundTrip(at index: Int, over sender: some LinkSending) -> Duration {
        sender.roundTrip(of: links[index].id) ?? configuration.assumedRoundTrip
    }

    // MARK: - Time

    /// The time of the tree's next action.
    var treeDeadline: MeshInstant {
        var deadline = min(wanted.nextDeadline, min(relay.nextDeadline, probes.nextDeadline))
        for index in links.indices { deadline = min(deadline, links[index].announceDue) }
        return deadline
    }

    /// Announces, requests and forwards everything that is due.
    mutating func keepTree(now: MeshInstant, over sender: inout some LinkSending, into effects: inout [RouterEffect]) {
        while let probe = probes.next(now: now) {
            passOnProbe(probe, now: now, over: &sender, into: &effects)
        }
        while let item = relay.next(now: now) {
            passOn(item, now: now, over: &sender, into: &effects)
        }
        graftDue(now: now, over: &sender)
        for index in links.indices where links[index].announceDue <= now {
            sendAnnouncements(at: index, now: now, over: &sender)
        }
    }
}
