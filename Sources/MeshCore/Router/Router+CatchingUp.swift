extension Router {
    /// Has neighbours offer what their shelves hold, if this node has come back, and looks for those whose shelves it has
    /// not read.
    mutating func catchUp(now: MeshInstant, over sender: inout some LinkSending, into effects: inout [RouterEffect]) {
        guard catchUp.takeLook(now: now) else { return }
        let usual = usualDepth
        noteReadings(usualDepth: usual, now: now, into: &effects)
        guard usual > 0 else { return }
        catchUp.planLook(now: now)
        for index in links.indices where mayRead(index, now: now) {
            read(index, now: now, over: &sender)
        }
        let readings = links.compactMap(\.reading).filter { !$0.isDone }
        let places = catchUp.leastRead(besides: readings.map(\.range))
        if !places.isEmpty { effects.append(.seekShelf(places, depth: usual)) }
    }

    /// The median of the depths of the neighbours' shelves; 0 without neighbours.
    ///
    /// A few who have just started, or who lie, do not change it much.
    private var usualDepth: UInt8 {
        let depths = links.compactMap { $0.remote?.shelf.depth }.sorted()
        return depths.isEmpty ? 0 : depths[depths.count / 2]
    }

    /// Returns whether a neighbour's shelf should be read now.
    private func mayRead(_ index: Int, now: MeshInstant) -> Bool {
        guard links[index].reading == nil, let depth = links[index].remote?.shelf.depth, depth > 0 else { return false }
        // The neighbour answers no second question so soon.
        let pause = configuration.answerInterval + configuration.readingDelay
        let isRested = links[index].comparison.lastBegan.map { $0.advanced(by: pause) <= now } ?? true
        return isRested && links[index].since.advanced(by: configuration.readingDelay) <= now
    }

    /// Asks a neighbour for all that its shelf holds; a comparison brings what the own shelf covers.
    private mutating func read(_ index: Int, now: MeshInstant, over sender: inout some LinkSending) {
        guard let range = links[index].remote?.shelf else { return }
        if store.shelf.depth <= range.depth, store.shelf.covers(range.prefix) {
            links[index].reading = RouterLink.Reading(range: range, begin: now)
            return
        }
        let ask = SyncMessage.ask(salt: random.next(), place: SyncMessage.Ending.failed, range: range)
        guard sender.send(ask.encoded(), lane: .control, tag: 0, on: links[index].id, now: now) else { return }
        links[index].reading = RouterLink.Reading(range: range, begin: now)
    }

    /// Notes the readings that have ended: all that the neighbour offered has arrived.
    ///
    /// A neighbour whose shelf is larger than usual, or still changes, may have just started, and hold little.
    private mutating func noteReadings(usualDepth: UInt8, now: MeshInstant, into effects: inout [RouterEffect]) {
        for index in links.indices {
            guard let reading = links[index].reading, !reading.isDone,
                reading.begin.advanced(by: configuration.readingDelay) <= now,
                wanted.namedCount(.offered, by: links[index].id) == 0
            else { continue }
            links[index].reading?.isDone = true
            if reading.range.depth >= usualDepth, links[index].remote?.shelf == reading.range {
                catchUp.noteRead(reading.range)
            }
            effects.append(.shelfRead(links[index].id))
        }
    }

    /// Returns whether an envelope came only because this node reads the neighbour's shelf: its own does not cover it.
    func isRead(_ envelope: Envelope, _ rule: KindRule, id: EnvelopeID, at index: Int) -> Bool {
        guard let range = links[index].reading?.range else { return false }
        let place = EnvelopeStore.place(of: envelope, rule, id: id)
        return range.covers(place) && !store.shelf.covers(place)
    }
}
