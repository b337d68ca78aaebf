extension Router {
    /// Handles that the machine slept.
    mutating func wake(asleepSince since: MeshInstant) { catchUp.wake(asleepSince: since) }

    /// Notes what a neighbour shows of its store.
    mutating func noteCompany(showing summary: StoreSummary, at index: Int, now: MeshInstant) {
        let former = links[index].remote
        links[index].remote = summary
        guard summary.shelf.depth > 0 else { return noteMissing(now: now) }
        let isOld = links[index].since.advanced(by: configuration.meetingTime) <= now
        if former?.shelf.depth == 0, isOld { catchUp.stay() } else { catchUp.meet(now: now) }
    }

    /// Notes whether all neighbours whose stores are full have gone.
    mutating func noteMissing(now: MeshInstant) {
        if links.allSatisfy({ $0.remote?.shelf.depth ?? 0 == 0 }) { catchUp.part(now: now) }
    }

    /// Has neighbours offer what their shelves hold, if this node has come back, and looks for those whose shelves it has
    /// not read.
    mutating func catchUp(now: MeshInstant, over sender: inout some LinkSending, into effects: inout [RouterEffect]) {
        guard catchUp.takeLook(now: now) else { return }
        endReadings(now: now, into: &effects)
        let isAnyOpen = links.contains { $0.reading?.isOpen == true }
        guard catchUp.isOn(at: now) else {
            if isAnyOpen { catchUp.planLook(now: now) }
            for link in links where link.reading?.isOpen != true { effects.append(.shelfRead(link.id)) }
            return
        }
        catchUp.planLook(now: now)
        for index in links.indices where mayRead(index, now: now) { read(index, now: now, over: &sender) }
        let usual = usualDepth
        let ranges = links.compactMap { $0.reading?.isOpen == true ? $0.reading?.range : nil }
        let places = catchUp.leastRead(besides: ranges)
        if usual > 0, !places.isEmpty { effects.append(.seekShelf(places, depth: usual)) }
    }

    /// The median of the depths of the shelves of neighbours, if possible of those that this node dialled: others may
    /// have come in order to change it.
    private var usualDepth: UInt8 {
        let known = links.filter { $0.remote != nil }
        let dialled = known.filter { $0.comparison.asks }
        let depths = (dialled.isEmpty ? known : dialled).compactMap { $0.remote?.shelf.depth }.sorted()
        return depths.isEmpty ? 0 : depths[depths.count / 2]
    }

    /// Returns whether a neighbour's shelf should be read now.
    ///
    /// Of those that dialled this node it reads one at a time, so that they leave room for its own choice.
    private func mayRead(_ index: Int, now: MeshInstant) -> Bool {
        let isOwn = links[index].comparison.asks
        let openCount = links.count { $0.reading?.isOpen == true && $0.comparison.asks == isOwn }
        guard links[index].reading == nil, links[index].readingCount < configuration.readingRepeats,
            links[index].remote?.shelf.depth ?? 0 > 0, openCount < (isOwn ? configuration.readingLimit : 1),
            links[index].comparison.lastSymbols == .distantFuture
        else { return false }
        // The neighbour answers no second question so soon.
        let pause = configuration.answerInterval + configuration.readingDelay
        let isRested = links[index].comparison.lastBegan.map { $0.advanced(by: pause) <= now } ?? true
        return isRested && links[index].since.advanced(by: configuration.readingDelay) <= now
            && links[index].readAgain <= now
    }

    private mutating func read(_ index: Int, now: MeshInstant, over sender: inout some LinkSending) {
        guard let range = links[index].remote?.shelf else { return }
        let salt = random.next()
        let ask = SyncMessage.ask(salt: salt, place: SyncMessage.Ending.failed, range: range, hours: catchUp.hours)
        guard sender.send(ask.encoded(), lane: .control, tag: 0, on: links[index].id, now: now) else { return }
        links[index].reading = RouterLink.Reading(salt: salt, range: range, begin: now)
        links[index].readingCount += 1
        _ = wanted.takeCut(of: links[index].id)
        let pause = configuration.answerInterval + configuration.readingDelay
        links[index].readAgain = now.advanced(by: pause)
        links[index].comparison.postpone(until: now.advanced(by: pause))
    }

    /// Ends the readings of which all has arrived, or which take too long.
    ///
    /// A shelf that is larger than usual, or has changed, does not count as read: its node may have just started, and hold
    /// little. Nor does one of a node that dialled this one. Where more was offered than there was room for, the shelf is
    /// read again.
    private mutating func endReadings(now: MeshInstant, into effects: inout [RouterEffect]) {
        let usual = usualDepth
        for index in links.indices {
            guard let reading = links[index].reading, reading.isOpen else { continue }
            let isWhole = reading.isOffered && hasArrived(at: index, now: now)
            guard isWhole || reading.begin.advanced(by: configuration.readingTime) <= now else { continue }
            links[index].reading?.isOpen = false
            links[index].reading?.isLate = !isWhole
            if isWhole, wanted.takeCut(of: links[index].id), links[index].readingCount < configuration.readingRepeats {
                links[index].reading = nil
                continue
            }
            if isWhole, links[index].comparison.asks, reading.range.depth >= usual,
                links[index].remote?.shelf == reading.range
            {
                catchUp.noteRead(reading.range)
            }
            effects.append(.shelfRead(links[index].id))
        }
    }

    /// Returns whether all has arrived that a neighbour offered, except for what it no longer seems to have.
    private func hasArrived(at index: Int, now: MeshInstant) -> Bool {
        let link = links[index].id
        let namedCount = wanted.namedCount(.offered, by: link)
        return namedCount == 0
            || namedCount == wanted.askedCount(.offered, of: link)
                && links[index].requestProgress.advanced(by: configuration.readingSilence) <= now
    }

    /// Returns whether an envelope came only because this node reads the neighbour's shelf: its own does not cover it.
    func isRead(_ envelope: Envelope, _ rule: KindRule, id: EnvelopeID, at index: Int) -> Bool {
        guard let reading = links[index].reading, reading.isOpen || reading.isLate else { return false }
        let place = EnvelopeStore.place(of: envelope, rule, id: id)
        return reading.range.covers(place) && !store.shelf.covers(place)
    }
}
