extension Router {
    // MARK: - When

    // A link is large, and these functions run after every event. They read single fields, because reading a whole link
    // copies it.

    /// Returns the time at which a link's comparison continues: it begins, or a stalled one is given up.
    func comparisonDeadline(at index: Int) -> MeshInstant {
        let progress = min(links[index].comparison.lastSymbols, links[index].comparison.lastAsk)
        let start = comparisonStart(at: index)
        guard progress != .distantFuture else { return start }
        return min(start, progress.advanced(by: configuration.requestTimeout))
    }

    /// Returns the time at which this end begins a comparison.
    ///
    /// No comparison begins while the last one still has envelopes to move. If the stores have not changed since the last
    /// comparison, they differ only by envelopes that one end had and does not want again. Stores
    /// that changed are compared once they rest, because envelopes in transit make them differ too. If they never rest,
    /// the comparison begins after five times that period from the moment at which they began to differ.
    private func comparisonStart(at index: Int) -> MeshInstant {
        guard links[index].comparison.asks, let differsSince = links[index].comparison.differsSince,
            let present = links[index].comparison.present, links[index].comparison.lastSymbols == .distantFuture,
            links[index].offerCursor == nil, links[index].served.isEmpty, links[index].reading?.isOpen != true,
            wanted.namedCount(.offered, by: links[index].id) == 0,
            links[index].comparison.isUnfinished || links[index].comparison.last != present.summaries
        else { return .distantFuture }
        let first = links[index].comparison.first
        let next = links[index].comparison.next
        if links[index].comparison.last == nil, links[index].comparison.differedAtFirst, isShort(present.summaries) {
            return differsSince
        }
        guard differsSince > first else { return max(next, first) }
        let patience = configuration.comparisonPatience * links[index].crowdFactor
        let latest = differsSince.advanced(by: patience + patience + patience + patience + patience)
        return max(next, min(present.since.advanced(by: patience), latest))
    }

    /// Updates the state of the differences on all links.
    mutating func reviewDifferences(now: MeshInstant) {
        let own = summary
        for index in links.indices {
            links[index].comparison.note(own: own, remote: links[index].remote, now: now)
        }
    }

    /// Begins the comparisons that are due, and gives up the stalled ones.
    mutating func compareStores(now: MeshInstant, over sender: inout some LinkSending) {
        let limit = now.advanced(by: .zero - configuration.requestTimeout)
        for index in links.indices {
            if links[index].comparison.lastSymbols <= limit {
                links[index].comparison.endAsking()
                counters.failedComparisons += 1
            }
            if links[index].comparison.lastAsk <= limit { links[index].comparison.endAnswering() }
            if comparisonStart(at: index) <= now { beginComparison(at: index, now: now, over: &sender) }
        }
    }

    // MARK: - Asking

    private mutating func beginComparison(at index: Int, now: MeshInstant, over sender: inout some LinkSending) {
        guard let remote = links[index].remote else { return }
        let summaries = LinkComparison.Summaries(own: summary, remote: remote)
        guard let range = summaries.difference else { return }
        links[index].comparison.begin(summaries, in: store, configuration: configuration, now: now)
        counters.comparisons += 1
        let salt = random.next()
        if Self.isListShorter(summaries, in: range) {
            offerEverything(in: range, comparison: salt, at: index, now: now, over: &sender)
            return
        }
        let ask = SyncMessage.ask(salt: salt, place: 0, range: range)
        guard sender.send(ask.encoded(), lane: .control, tag: 0, on: links[index].id, now: now) else { return }
        links[index].comparison.asking = LinkComparison.Asking(
            salt: salt,
            range: range,
            decoder: SymbolDecoder(
                store.offers(in: range, from: 0, limit: .max).shortIDs,
                hash: SaltedHash(salt: salt, cryptography: cryptography)
            ),
            end: store.nextSequence
        )
        links[index].comparison.lastSymbols = now
    }

    /// Returns whether the first comparison on a link need not wait for what is under way, since a list is as short.
    private func isShort(_ summaries: LinkComparison.Summaries) -> Bool {
        summaries.difference.map { Self.isListShorter(summaries, in: $0) } ?? false
            && summaries.own.count + summaries.remote.count <= Self.shortListLimit
    }

    /// Returns whether a list of all ids is shorter than the code of the difference, as far as the difference is known.
    static func isListShorter(_ summaries: LinkComparison.Summaries, in range: Shelf) -> Bool {
        let (own, remote) = (summaries.own.count(in: range), summaries.remote.count(in: range))
        let list = 8 * (own + remote)
        let leastDifference = abs(own - remote)
        // A symbol takes 18 bytes, and 3 ids need 4 symbols.
        return list <= 18 * max(firstSymbolCount, leastDifference * 4 / 3)
    }

    /// Asks the neighbour to offer all its envelopes of a range, and offers all of this node's.
    private mutating func offerEverything(
        in range: Shelf,
        comparison salt: UInt64,
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending
    ) {
        links[index].comparison.endAsking()
        let ask = SyncMessage.ask(salt: salt, place: SyncMessage.Ending.failed, range: range)
        guard sender.send(ask.encoded(), lane: .control, tag: 0, on: links[index].id, now: now) else { return }
        links[index].offerRange = range
        (links[index].offerCursor, links[index].offerSalt) = (0, nil)
        sendOffers(at: index, now: now, over: &sender)
    }

    /// Handles a part of the code of the neighbour's store.
    mutating func receiveSymbols(
        _ symbols: [CodedSymbol],
        at place: Int,
        salt: UInt64,
        on index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        guard var asking = links[index].comparison.asking, asking.salt == salt,
            place >= asking.decoder.symbolCount, asking.early.count < Self.earlyLimit
        else { return }
        // The value is put back at the end. A second owner in the meantime would make every change copy the whole
        // value.
        links[index].comparison.endAsking()
        counters.comparisonSymbols += symbols.count
        asking.early[place] = symbols
        var progress = SymbolDecoder.Progress.incomplete
        while progress == .incomplete, let next = asking.early.removeValue(forKey: asking.decoder.symbolCount) {
            for symbol in next where progress == .incomplete { progress = asking.decoder.add(symbol) }
        }
        let count = asking.decoder.symbolCount
        switch progress {
        case .complete:
            finish(asking, at: index, now: now, over: &sender, into: &effects)
        case .incomplete where count < SymbolPositions.limit:
            if count > place {
                let ask = SyncMessage.ask(salt: salt, place: UInt16(count), range: asking.range)
                _ = sender.send(ask.encoded(), lane: .control, tag: 0, on: links[index].id, now: now)
            }
            links[index].comparison.asking = asking
            links[index].comparison.lastSymbols = now
        case .incomplete, .senseless:
            counters.failedComparisons += 1
            offerEverything(in: asking.range, comparison: salt, at: index, now: now, over: &sender)
        }
    }

    /// Offers the envelopes that the neighbour lacks, and treats those that this node lacks as offered.
    private mutating func finish(
        _ asking: LinkComparison.Asking,
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        let link = links[index].id
        let ask = SyncMessage.ask(salt: asking.salt, place: SyncMessage.Ending.found, range: asking.range)
        _ = sender.send(ask.encoded(), lane: .control, tag: 0, on: link, now: now)
        let surplus = asking.decoder.surplus.filter { store[$0] != nil }
        for start in stride(from: 0, to: surplus.count, by: SyncMessage.idLimit) {
            let page = Array(surplus[start..<min(start + SyncMessage.idLimit, surplus.count)])
            guard sender.send(SyncMessage.offer(page).encoded(), lane: .background, tag: 0, on: link, now: now) else {
                // The next comparison handles the envelopes that the full lane refused.
                links[index].comparison.isUnfinished = true
                break
            }
        }
        reportHeld(in: asking.range, before: asking.end, except: Set(surplus), into: &effects)
        receiveOffer(asking.decoder.missing, at: index, now: now, over: &sender, into: &effects)
    }

    /// Reports as carried the own envelopes of a range before a store position, except for those that the neighbour lacks.
    mutating func reportHeld(
        in range: Shelf,
        before end: UInt64,
        except lacking: Set<UInt64>,
        into effects: inout [RouterEffect]
    ) {
        for shortID in submissions.uncarried {
            guard let entry = store[shortID], entry.isOffered, range.covers(entry.place), entry.sequence < end,
                !lacking.contains(shortID)
            else { continue }
            reportCarried(shortID, into: &effects)
        }
    }

    // MARK: - Answering

    /// Handles a neighbour's message that it begins a comparison, or needs more symbols.
    mutating func receiveAsk(
        _ place: UInt16,
        salt: UInt64,
        range: Shelf,
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        let isKnown = links[index].comparison.answering?.salt == salt
        switch place {
        case 0 where !isKnown:
            guard takeAnswer(at: index, now: now) else { return effects.append(.dropped(.limited)) }
            let hash = SaltedHash(salt: salt, cryptography: cryptography)
            links[index].comparison.answering = LinkComparison.Answering(
                salt: salt,
                encoder: SymbolEncoder(store.offers(in: range, from: 0, limit: .max).shortIDs, hash: hash),
                end: Self.symbolWindow(at: 0)
            )
            links[index].comparison.lastAsk = now
            sendSymbols(at: index, now: now, over: &sender)
        default:
            guard let answering = links[index].comparison.answering, isKnown,
                place <= answering.encoder.symbolCount
            else { return }
            let end = min(Int(place) + Self.symbolWindow(at: Int(place)), SymbolPositions.limit)
            links[index].comparison.answering?.end = max(answering.end, end)
            links[index].comparison.lastAsk = now
            sendSymbols(at: index, now: now, over: &sender)
        }
    }

    /// Offers what a store position and those after it hold of a range, and tells when that is all.
    mutating func offer(
        _ range: Shelf,
        from sequence: UInt64,
        salt: UInt64,
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        let isKnown = links[index].comparison.answering?.salt == salt
        guard isKnown || takeAnswer(at: index, now: now) else { return effects.append(.dropped(.limited)) }
        if isKnown { links[index].comparison.endAnswering() }
        links[index].offerRange = range
        (links[index].offerCursor, links[index].offerSalt) = (sequence, salt)
        sendOffers(at: index, now: now, over: &sender)
    }

    /// Handles the end of a comparison that the neighbour began, or of its offers.
    mutating func receiveEnd(_ salt: UInt64, at index: Int) {
        if links[index].comparison.answering?.salt == salt { links[index].comparison.endAnswering() }
        if links[index].reading?.salt == salt { links[index].reading?.isOffered = true }
    }

    /// Returns whether a neighbour may begin a comparison.
    ///
    /// An ask is small and its answer is large, so the rate is limited.
    private mutating func takeAnswer(at index: Int, now: MeshInstant) -> Bool {
        guard links[index].comparison.nextAnswer <= now else { return false }
        links[index].comparison.nextAnswer = now.advanced(by: configuration.answerInterval)
        return true
    }

    /// Sends the requested symbols, as far as the lane accepts them.
    mutating func sendSymbols(at index: Int, now: MeshInstant, over sender: inout some LinkSending) {
        guard var answering = links[index].comparison.answering else { return }
        // The value is put back at the end. A second owner in the meantime would make every change copy the whole
        // value.
        links[index].comparison.answering = nil
        while let message = answering.nextMessage() {
            guard sender.send(message, lane: .background, tag: 0, on: links[index].id, now: now) else {
                answering.refused = message
                break
            }
        }
        links[index].comparison.answering = answering
    }

    /// Returns the number of symbols in transit once all before a position have arrived.
    ///
    /// It is small at first, since most differences are small.
    static func symbolWindow(at place: Int) -> Int {
        max(firstSymbolCount, min(place, symbolMessagesAhead * SyncMessage.symbolLimit))
    }

    /// The largest number of ids that two new neighbours list at once.
    static let shortListLimit = 45
    /// The number of symbols at the start of a comparison.
    static let firstSymbolCount = 20
    /// The largest number of stored messages whose symbols arrived before earlier ones.
    ///
    /// It is more than can be in transit.
    static let earlyLimit = 8
    /// The number of full symbol messages in transit.
    static let symbolMessagesAhead = 2
}
