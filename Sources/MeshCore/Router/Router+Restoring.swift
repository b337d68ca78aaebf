extension Router {
    /// Loads the records of a store log, before any link is up.
    ///
    /// A delivery proof removes the messages that it proves, as when it came.
    ///
    /// Envelopes from other nodes are delivered again, because it is unknown how far the node had processed them. They
    /// count as old.
    package mutating func restore(_ records: [StoreRecord], now: MeshInstant, into effects: inout [RouterEffect]) {
        store.notesChanges = false
        defer { store.notesChanges = configuration.reportsStoreChanges }
        for record in records {
            switch record {
            case .held(let envelope, let shortID, let isOwn, let isApart, let isFar):
                // The node that delivered it is no longer known. All such envelopes count as one neighbour's.
                let origin = isOwn ? nil : isFar ? Self.farNode : NodeID(0)
                restore(envelope, shortID: shortID, origin: origin, isApart: isApart, now: now, into: &effects)
            case .renewed(let shortID, let life, let isOwn):
                store.raise(shortID, life: life, now: now)
                if isOwn { store.adopt(shortID, now: now) }
            case .rested(let time): catchUp.noteRest(time)
            case .shelf(let place, let depth): store.setShelf(place: place, depth: depth)
            }
        }
    }

    /// Whether there are store changes for a log.
    var hasStoreChanges: Bool { store.hasChanges }

    /// Returns the store changes since the last call.
    mutating func takeStoreChanges() -> [StoreRecord] { store.takeChanges() }

    private mutating func restore(
        _ logged: Envelope,
        shortID: UInt64,
        origin: NodeID?,
        isApart: Bool,
        now: MeshInstant,
        into effects: inout [RouterEffect]
    ) {
        guard let rule = configuration.kinds.rule(for: logged), rule.storage == .disk else { return }
        var envelope = logged
        envelope.life = min(envelope.life, rule.longestLife)
        let id = envelopeID(kind: envelope.kind, body: envelope.body)
        guard id.shortID == shortID, envelope.life > 0, store[shortID] == nil else { return }
        let isOwn = origin == nil
        let hashes = proofHashes(of: envelope, rule)
        if rule.deliveryProof == .given {
            for hash in hashes { store.release(hash, now: now) }
        } else if hashes.contains(where: store.isReleased) {
            return
        }
        let isKept = store.insert(
            envelope,
            id: id,
            proofHashes: hashes,
            origin: origin,
            isOld: !isOwn && rule.hasFullLifeWhenFresh,
            isApart: isApart
                && ObjectTag(of: envelope.body).map { rule.isPlacedByBody && store.apart.hasRoom(for: $0) } == true,
            now: now
        )
        if isKept, !isOwn { effects.append(.deliver(envelope, id: id)) }
        if isKept, isOwn { handOver(shortID, into: &effects) }
    }
}
