extension Router {
    /// Handles a message about the stores.
    mutating func receive(
        _ message: SyncMessage,
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        switch message {
        case .offer(let shortIDs):
            receiveOffer(shortIDs, at: index, now: now, over: &sender, into: &effects)
        case .want(let shortIDs):
            receiveWant(shortIDs, at: index, now: now, over: &sender)
        case .ask(let salt, let place, let range):
            receiveAsk(place, salt: salt, range: range, at: index, now: now, over: &sender, into: &effects)
        case .symbols(let salt, let place, let symbols):
            receiveSymbols(
                symbols,
                at: Int(place),
                salt: salt,
                on: index,
                now: now,
                over: &sender,
                into: &effects
            )
        }
    }

    // MARK: - Handing out

    /// Offers the envelopes that have not been offered yet, page by page, as far as the lane accepts them.
    mutating func sendOffers(at index: Int, now: MeshInstant, over sender: inout some LinkSending) {
        while let cursor = links[index].offerCursor {
            let page = store.offers(in: links[index].offerRange, from: cursor, limit: SyncMessage.idLimit)
            guard !page.shortIDs.isEmpty else {
                links[index].offerCursor = nil
                return
            }
            let message = SyncMessage.offer(page.shortIDs).encoded()
            guard sender.send(message, lane: .background, tag: 0, on: links[index].id, now: now) else { return }
            links[index].offerCursor = page.next
        }
    }

    /// Records an envelope that is offered to new neighbours first.
    ///
    /// The list keeps this node's own and the newest of the others.
    mutating func noteFirstOffer(_ shortID: UInt64, isOwn: Bool) {
        let own = ownFirstOffer
        firstOffers.removeAll { $0 == own || $0 == shortID }
        if isOwn { ownFirstOffer = shortID } else { firstOffers.append(shortID) }
        firstOffers.removeFirst(max(0, firstOffers.count - (configuration.firstOfferLimit - 1)))
        if let ownFirstOffer { firstOffers.append(ownFirstOffer) }
    }

    /// Offers a new neighbour this node's own introduction and the newest of others, so that first messages need not
    /// wait for a comparison.
    ///
    /// The page is ordered by id, so that it does not reveal which introduction is this node's own.
    func sendFirstOffers(at index: Int, now: MeshInstant, over sender: inout some LinkSending) {
        let page = firstOffers.filter { store[$0]?.isOffered == true }.sorted()
        guard !page.isEmpty else { return }
        _ = sender.send(
            SyncMessage.offer(page).encoded(),
            lane: .interactive,
            tag: 0,
            on: links[index].id,
            now: now
        )
    }

    mutating func receiveWant(
        _ shortIDs: [UInt64],
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending
    ) {
        var places = Set(links[index].wanted)
        for shortID in shortIDs where places.count < configuration.wantedLimit {
            if let entry = store[shortID] { places.insert(entry.sequence) }
        }
        counters.comparisonMoves += places.count - links[index].wanted.count
        links[index].wanted = places.sorted()
        sendWanted(at: index, now: now, over: &sender)
    }

    /// Sends the envelopes that the neighbour wants in the order of their arrival here, as far as the lane accepts
    /// them.
    mutating func sendWanted(at index: Int, now: MeshInstant, over sender: inout some LinkSending) {
        let link = links[index].id
        var sentCount = 0
        for place in links[index].wanted {
            if let entry = store.envelope(at: place), let message = entry.message(now: now) {
                let shortID = entry.id.shortID
                let tag = submissions.contains(shortID) ? shortID : 0
                guard sender.send(message, lane: .background, tag: tag, on: link, now: now) else { break }
            }
            sentCount += 1
        }
        links[index].wanted.removeFirst(sentCount)
    }

    // MARK: - Asking

    mutating func receiveOffer(
        _ shortIDs: [UInt64],
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        for shortID in shortIDs {
            reportCarried(shortID, into: &effects)
            guard store.wants(shortID), requests[shortID] != links[index].id,
                links[index].offered.count < configuration.offeredLimit
            else { continue }
            links[index].offered.append(shortID)
        }
        sendRequests(at: index, now: now, over: &sender)
    }

    /// Records that an envelope arrived, on whichever link.
    mutating func settleRequest(_ shortID: UInt64, now: MeshInstant, over sender: inout some LinkSending) {
        guard let link = requests.removeValue(forKey: shortID), let index = index(of: link) else { return }
        if store[shortID] != nil { links[index].comparison.noteBrought(shortID, now: now) }
        links[index].requestedCount -= 1
        links[index].requestProgress = now
        sendRequests(at: index, now: now, over: &sender)
    }

    mutating func sendRequests(now: MeshInstant, over sender: inout some LinkSending) {
        for index in links.indices {
            sendRequests(at: index, now: now, over: &sender)
        }
    }

    /// Requests offered envelopes that are not requested from another neighbour, once half of the last batch has
    /// arrived.
    mutating func sendRequests(at index: Int, now: MeshInstant, over sender: inout some LinkSending) {
        guard !links[index].offered.isEmpty, links[index].requestedCount <= configuration.requestLimit / 2 else {
            return
        }
        let room = min(configuration.requestLimit - links[index].requestedCount, SyncMessage.idLimit)
        let link = links[index].id
        var lot: [UInt64] = []
        var rest: [UInt64] = []
        var chosen: Set<UInt64> = []
        for shortID in links[index].offered where store.wants(shortID) && requests[shortID] != link {
            if lot.count < room, requests[shortID] == nil {
                if chosen.insert(shortID).inserted { lot.append(shortID) }
            } else {
                rest.append(shortID)
            }
        }
        guard !lot.isEmpty else {
            links[index].offered = rest
            return
        }
        guard sender.send(SyncMessage.want(lot).encoded(), lane: .control, tag: 0, on: link, now: now) else {
            links[index].offered = lot + rest
            return
        }
        for shortID in lot { requests[shortID] = link }
        links[index].offered = rest
        links[index].requestedCount += lot.count
        links[index].requestProgress = now
        counters.comparisonMoves += lot.count
    }

    mutating func forgetRequests(on link: LinkID) {
        requests = requests.filter { $0.value != link }
        if let index = index(of: link) { links[index].requestedCount = 0 }
    }

    func requestDeadline(at index: Int) -> MeshInstant {
        guard links[index].requestedCount > 0 else { return .distantFuture }
        return links[index].requestProgress.advanced(by: configuration.requestTimeout)
    }

    /// Discards requests that a neighbour does not answer, so that others are asked.
    mutating func expireRequests(now: MeshInstant, over sender: inout some LinkSending) {
        var isAnySilent = false
        for index in links.indices where requestDeadline(at: index) <= now {
            forgetRequests(on: links[index].id)
            isAnySilent = true
        }
        if isAnySilent { sendRequests(now: now, over: &sender) }
    }
}
