/// The exchange with holders, between the paths and the store.
extension MeshEngine {
    /// The parts of this node that decide whether it keeps an object.
    var surroundings: Surroundings {
        Surroundings(
            store: router.machine.store,
            visibleCount: discovery.machine.visibleCount,
            holderCount: holders.machine.configuration.holderCount
        )
    }

    /// Spreads an envelope of this node, or has some nodes of a crowd keep it.
    mutating func submit(_ kind: EnvelopeKind, _ body: [UInt8], life: UInt16, handsOver: Bool, now: MeshInstant) {
        submittedID = router.machine.submit(
            kind: kind,
            body: body,
            life: life,
            handsOver: handsOver,
            now: now,
            over: &links,
            into: &routerEffects
        )
    }

    /// Fetches what this node lacks of objects, if nothing comes by itself.
    mutating func fetchPieces(_ tags: [[UInt8]], now: MeshInstant) {
        for tag in tags.compactMap(ObjectTag.init(of:)) {
            holders.machine.fetch(tag, inCrowd: segments.values.contains(true), now: now)
        }
    }

    /// Ends the fetches of objects that are whole.
    mutating func endFetch(_ tags: [[UInt8]]) {
        for tag in tags.compactMap(ObjectTag.init(of:)) { holders.machine.endFetch(tag) }
    }

    /// Handles a new envelope that matters for holders; returns true if it is for nobody else.
    mutating func noteForHolders(_ envelope: Envelope, _ id: EnvelopeID, now: MeshInstant) -> Bool {
        guard envelope.kind == .probe else {
            let isPiece = router.machine.configuration.kinds[envelope.kind]?.isPlacedByBody == true
            if isPiece, let tag = ObjectTag(of: envelope.body) { holders.machine.noteArrival(tag, now: now) }
            return false
        }
        guard let seek = Seek(decoding: envelope.body) else { return false }
        holders.machine.receiveSeek(seek, as: PathLabel(trailOf: id), surroundings, now: now)
        return true
    }

    /// Handles what happens on the paths of holders; returns true if it is for nobody else.
    mutating func takeForHolders(_ effect: PathEffect, now: MeshInstant) -> Bool {
        switch effect {
        case .received(let message, let link):
            guard holders.machine.owns(message.to) else { return false }
            let router = router.machine
            holders.machine.receive(message, over: link, surroundings, now: now, identify: router.pieceID)
            return true
        case .lost(let label):
            holders.machine.lose(label, now: now)
            return false
        case .refused, .ready, .dropped: return false
        }
    }

    /// Carries out what the exchange with holders wants.
    mutating func settleHolders(now: MeshInstant) {
        while holders.machine.hasEffects {
            for effect in holders.machine.takeEffects() { carryOut(effect, now: now) }
        }
    }

    private mutating func carryOut(_ effect: HolderEffect, now: MeshInstant) {
        switch effect {
        case .seek(let seek, let tag): flood(seek, for: tag, now: now)
        case .send(let message):
            guard mayAnswer(message.to, now: now) else { return }
            // It does not count as a path of this node, and is soon forgotten.
            if let own = message.from { paths.note(Trail(label: own, hop: .here, isProbe: false), now: now) }
            sendOnPath(message, now: now)
        case .end(let label): paths.forgetOwn(label)
        case .take(let piece, let id, let keeps, let label):
            router.machine.takePiece(piece, id, keeps: keeps, now: now, into: &routerEffects)
            guard keeps, router.machine.store[id.shortID] == nil, let tag = ObjectTag(of: piece.body) else { return }
            holders.machine.refuse(tag, at: label)
        case .confirm(let peer, let label): holders.machine.confirm(to: peer, at: label, surroundings)
        }
    }

    private mutating func flood(_ seek: Seek, for tag: ObjectTag, now: MeshInstant) {
        let body = seek.encoded()
        guard router.machine.admitsProbe(byteCount: body.count, now: now) else {
            return holders.machine.postpone(seek, for: tag, now: now)
        }
        let label = PathLabel(trailOf: envelopeID(kind: .probe, body: body))
        holders.machine.noteSearch(seek, for: tag, as: label, now: now)
        openPath(hello: body, now: now)
    }

    /// Returns whether this node may answer to a label.
    ///
    /// Many nodes answer a search, so they dial nobody for a push but nodes that they see there.
    private func mayAnswer(_ label: PathLabel, now: MeshInstant) -> Bool {
        guard let pusher = paths.pusher(of: label, now: now) else { return true }
        return discovery.machine.sees(pusher.node, at: pusher.endpoint)
    }
}
