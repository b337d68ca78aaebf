extension Router {
    // MARK: - Naming

    /// Waits for announced envelopes to arrive on the tree.
    ///
    /// Requests them at once if the tree will not deliver them, because a link of the tree itself announced them, or
    /// because no link here is in the tree.
    mutating func receiveAnnouncements(
        _ shortIDs: [UInt64],
        lane: Lane,
        at index: Int,
        now: MeshInstant,
        over sender: some LinkSending
    ) {
        let roundTrip = roundTrip(at: index, over: sender)
        let isTreeToBring = !links[index].isEager && links.contains { $0.isEager }
        let wait = isTreeToBring ? configuration.graftDelay * links[index].crowdFactor + roundTrip * 2 : .zero
        let retry = configuration.graftRetry * links[index].crowdFactor + roundTrip
        let (link, due) = (links[index].id, now.advanced(by: wait))
        for shortID in shortIDs where !store.knows(shortID) {
            wanted.announce(shortID, by: link, isFresh: lane.isFresh, due: due, retry: retry, now: now)
        }
    }

    mutating func receiveOffer(
        _ shortIDs: [UInt64],
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        for shortID in shortIDs {
            reportCarried(shortID, into: &effects)
            if store.wants(shortID) { wanted.offer(shortID, by: links[index].id, now: now) }
        }
        sendRequests(at: index, now: now, over: &sender)
    }

    // MARK: - Asking for what was announced

    /// Requests announced envelopes that have not arrived in time.
    mutating func graftDue(now: MeshInstant, over sender: inout some LinkSending) {
        var lots: [GraftLot] = []
        while let (shortID, entry) = wanted.takeTurn(now: now) {
            guard store.wants(shortID) else {
                wanted.settle(shortID)
                continue
            }
            if let asked = entry.asked {
                if let later = patience(with: asked, now: now, over: sender) {
                    wanted.put(shortID, off: later)
                    continue
                }
                wanted.giveUp(shortID)
            }
            askNext(for: shortID, now: now, over: &sender, into: &lots)
        }
        for link in links.map(\.id) { graftWaiting(from: link, now: now, over: sender, into: &lots) }
        send(lots, now: now, over: &sender)
    }

    /// The envelopes that one graft requests.
    private struct GraftLot {
        let link: LinkID
        let isFresh: Bool
        var shortIDs: [UInt64]
    }

    /// Asks the first holder that can be asked; else lets the envelope wait for the first one.
    private mutating func askNext(
        for shortID: UInt64,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into lots: inout [GraftLot]
    ) {
        var (first, offering): (Wanted.Holder?, Wanted.Holder?) = (nil, nil)
        for holder in wanted[shortID]?.holders ?? [] where index(of: holder.link) != nil {
            if holder.way == .announced, hasCapacity(of: holder.link) {
                return graft(shortID, from: holder.link, now: now, over: sender, into: &lots)
            }
            first = first ?? holder
            if holder.way == .offered { offering = offering ?? holder }
        }
        guard let next = offering ?? first else {
            wanted.settle(shortID)
            return
        }
        wanted.queue(shortID, at: next)
        if next.way == .offered, let index = index(of: next.link) { sendRequests(at: index, now: now, over: &sender) }
    }

    /// Returns whether a neighbour can be asked for more of what it announced.
    private func hasCapacity(of link: LinkID) -> Bool {
        wanted.askedCount(.announced, of: link) < configuration.graftLimit
            && (links.count < 2 || relay.hasCapacity(for: link))
    }

    private mutating func graft(
        _ shortID: UInt64,
        from link: LinkID,
        now: MeshInstant,
        over sender: some LinkSending,
        into lots: inout [GraftLot]
    ) {
        guard let index = index(of: link), let entry = wanted[shortID] else { return }
        links[index].becomeEager()
        let wait =
            entry.holders.count > 1
            ? configuration.graftRetry * links[index].crowdFactor + roundTrip(at: index, over: sender)
            : configuration.graftPatience
        wanted.ask(link, for: shortID, now: now, due: now.advanced(by: wait))
        let isFresh = entry.isFresh
        if let place = lots.lastIndex(where: { $0.link == link && $0.isFresh == isFresh }),
            lots[place].shortIDs.count < TreeMessage.idLimit
        {
            lots[place].shortIDs.append(shortID)
        } else {
            lots.append(GraftLot(link: link, isFresh: isFresh, shortIDs: [shortID]))
        }
    }

    private mutating func send(_ lots: [GraftLot], now: MeshInstant, over sender: inout some LinkSending) {
        for lot in lots {
            let message = TreeMessage.graft(lot.shortIDs).encoded()
            // If the lane refuses the graft, the neighbour has not been asked. Its turn then ends like that of a silent
            // neighbour.
            if sender.send(message, lane: lot.isFresh ? .control : .background, tag: 0, on: lot.link, now: now) {
                counters.grafts += lot.shortIDs.count
            }
        }
    }

    /// Returns the time until which the asked neighbour may still deliver; nil if another must be asked.
    private func patience(
        with asked: (holder: Wanted.Holder, time: MeshInstant),
        now: MeshInstant,
        over sender: some LinkSending
    ) -> MeshInstant? {
        guard let index = index(of: asked.holder.link) else { return nil }
        let end = asked.time.advanced(by: configuration.graftPatience)
        let sign = links[index].lastEnvelope.advanced(
            by: configuration.graftRetry * links[index].crowdFactor + roundTrip(at: index, over: sender)
        )
        let later = min(sign, end)
        return later > now ? later : nil
    }

    /// Requests what waited for a neighbour that can be asked for more.
    private mutating func graftWaiting(
        from link: LinkID,
        now: MeshInstant,
        over sender: some LinkSending,
        into lots: inout [GraftLot]
    ) {
        while hasCapacity(of: link), let shortID = wanted.takeWaiting(.announced, of: link) {
            guard store.wants(shortID) else {
                wanted.settle(shortID)
                continue
            }
            graft(shortID, from: link, now: now, over: sender, into: &lots)
        }
    }

    // MARK: - Asking for what was offered

    mutating func sendRequests(now: MeshInstant, over sender: inout some LinkSending) {
        for index in links.indices {
            sendRequests(at: index, now: now, over: &sender)
        }
    }

    /// Asks neighbours for more when the rate of asking allows it, each time beginning with the next of them.
    mutating func askWaiting(now: MeshInstant, over sender: inout some LinkSending) {
        guard askDue <= now else { return }
        askDue = .distantFuture
        var first: Int?
        for offset in links.indices where askDue == .distantFuture {
            let index = (askTurn + offset) % links.count
            if sendRequests(at: index, now: now, over: &sender) { first = first ?? index }
        }
        if let first { askTurn = first + 1 }
    }

    /// Requests offered envelopes that are not requested from another neighbour, once half of the last batch has
    /// arrived, and unless the rate of asking is used up.
    ///
    /// - Returns: Whether anything was requested.
    @discardableResult
    mutating func sendRequests(at index: Int, now: MeshInstant, over sender: inout some LinkSending) -> Bool {
        guard askDue == .distantFuture else { return false }
        let link = links[index].id
        let askedCount = wanted.askedCount(.offered, of: link)
        guard !links[index].isWantRefused, askedCount <= configuration.requestLimit / 2 else { return false }
        let room = min(configuration.requestLimit - askedCount, SyncMessage.idLimit)
        var lot: [UInt64] = []
        while lot.count < room, let shortID = wanted.takeWaiting(.offered, of: link) {
            guard store.wants(shortID) else {
                wanted.settle(shortID)
                continue
            }
            guard asking.nextTokens(lot.count + 1) <= now else {
                wanted.queue(shortID, at: Wanted.Holder(link: link, way: .offered))
                askDue = now.advanced(by: configuration.askPause)
                break
            }
            wanted.ask(link, for: shortID, now: now, due: .distantFuture)
            lot.append(shortID)
        }
        guard !lot.isEmpty else { return false }
        guard sender.send(SyncMessage.want(lot).encoded(), lane: .control, tag: 0, on: link, now: now) else {
            links[index].isWantRefused = true
            wanted.putBack(lot, to: link)
            return false
        }
        asking.spend(lot.count, now: now)
        links[index].requestProgress = now
        counters.comparisonMoves += lot.count
        return true
    }

    /// Records that an envelope that a neighbour was asked for arrived, on whichever link, and asks for the next ones.
    mutating func noteSettled(
        _ shortID: UInt64,
        of asked: Wanted.Holder,
        now: MeshInstant,
        over sender: inout some LinkSending
    ) {
        guard let index = index(of: asked.link) else { return }
        guard asked.way == .offered else { return graftDue(now: now, over: &sender) }
        if store[shortID] != nil { links[index].comparison.noteBrought(shortID, now: now) }
        links[index].requestProgress = now
        sendRequests(at: index, now: now, over: &sender)
    }

    func requestDeadline(at index: Int) -> MeshInstant {
        guard wanted.askedCount(.offered, of: links[index].id) > 0 else { return .distantFuture }
        return links[index].requestProgress.advanced(by: configuration.requestTimeout)
    }

    /// Discards requests that a neighbour does not answer, so that others are asked.
    mutating func expireRequests(now: MeshInstant, over sender: inout some LinkSending) {
        var isAnySilent = false
        for index in links.indices where requestDeadline(at: index) <= now {
            wanted.giveUp(links[index].id, now: now)
            isAnySilent = true
        }
        if isAnySilent { sendRequests(now: now, over: &sender) }
    }
}
