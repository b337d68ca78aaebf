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
        case .ask(let salt, SyncMessage.Ending.found, _, _): receiveEnd(salt, at: index)
        case .ask(let salt, SyncMessage.Ending.failed, let range, let hours):
            let since = now.advanced(by: .zero - .seconds(3_600) * Int(hours))
            let first = hours > 0 ? store.arrivals.sequence(since: since) : 0
            offer(range, from: first, salt: salt, at: index, now: now, over: &sender, into: &effects)
        case .ask(let salt, let place, let range, _):
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
                return endOffers(at: index, now: now, over: &sender)
            }
            let message = SyncMessage.offer(page.shortIDs).encoded()
            guard sender.send(message, lane: .background, tag: 0, on: links[index].id, now: now) else { return }
            links[index].offerCursor = page.next
        }
    }

    /// Tells a neighbour that asked for offers that these were all, as far as the lane accepts it.
    private mutating func endOffers(at index: Int, now: MeshInstant, over sender: inout some LinkSending) {
        if let salt = links[index].offerSalt {
            let (link, range) = (links[index].id, links[index].offerRange)
            let end = SyncMessage.ask(salt: salt, place: SyncMessage.Ending.found, range: range).encoded()
            guard sender.send(end, lane: .background, tag: 0, on: link, now: now) else { return }
        }
        (links[index].offerCursor, links[index].offerSalt) = (nil, nil)
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

    /// Offers a new neighbour this node's own envelopes that its shelf does not cover and that nobody is known to hold.
    ///
    /// A comparison names the others.
    func offerUncovered(at index: Int, now: MeshInstant, over sender: inout some LinkSending) {
        let outside = submissions.uncarried.filter {
            store[$0].map { !store.shelf.covers($0.place) && $0.isOffered } ?? false
        }.sorted()
        for start in stride(from: 0, to: outside.count, by: SyncMessage.idLimit) {
            let page = Array(outside[start..<min(start + SyncMessage.idLimit, outside.count)])
            let message = SyncMessage.offer(page).encoded()
            guard sender.send(message, lane: .background, tag: 0, on: links[index].id, now: now) else { return }
        }
    }

    /// Records that the neighbour wants envelopes, which go in the order in which it wants them.
    mutating func receiveWant(
        _ shortIDs: [UInt64],
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending
    ) {
        for shortID in shortIDs where store[shortID] != nil {
            if links[index].served.append(shortID, limit: configuration.servedLimit) { counters.comparisonMoves += 1 }
        }
        serve(at: index, now: now, over: &sender)
    }

    /// Sends the envelopes that the neighbour wants, as far as the lane accepts them, when no other neighbour waits.
    mutating func serve(at index: Int, now: MeshInstant, over sender: inout some LinkSending) {
        guard servingDeadline == .distantFuture else {
            links[index].awaitsServing = !links[index].served.isEmpty
            return
        }
        serveNow(at: index, now: now, over: &sender)
    }

    /// Sends neighbours what they want when the rate allows it, each time beginning with the next that waits.
    mutating func serveWaiting(now: MeshInstant, over sender: inout some LinkSending) {
        guard servingDeadline <= now else { return }
        var first: Int?
        for offset in links.indices {
            let index = (servingTurn + offset) % links.count
            guard links[index].awaitsServing else { continue }
            first = first ?? index
            links[index].awaitsServing = false
            serveNow(at: index, now: now, over: &sender)
        }
        if let first { servingTurn = first + 1 }
    }

    /// The time at which a neighbour that waits for the rate gets more; one envelope of any size can go then.
    package var servingDeadline: MeshInstant {
        for index in links.indices where links[index].awaitsServing {
            return serving.nextTokens(Envelope.maximumByteCount)
        }
        return .distantFuture
    }

    private mutating func serveNow(at index: Int, now: MeshInstant, over sender: inout some LinkSending) {
        let link = links[index].id
        while let shortID = links[index].served.first {
            if let message = store[shortID]?.message(now: now) {
                let charge = max(EnvelopeStore.leastCharge, message.count)
                guard serving.nextTokens(charge) <= now else {
                    links[index].awaitsServing = true
                    return
                }
                let tag = submissions.contains(shortID) ? shortID : 0
                guard sender.send(message, lane: .background, tag: tag, on: link, now: now) else { return }
                serving.spend(charge, now: now)
            }
            links[index].served.removeFirst()
        }
    }
}
