extension Router {
    /// Spreads an envelope of this node.
    ///
    /// The same content again goes only to neighbours that have not acknowledged it, and is reported again.
    package mutating func submit(
        kind: EnvelopeKind,
        body: [UInt8],
        life: UInt16,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        let envelope = Envelope(
            kind: kind,
            hops: UInt8.random(in: 0...7, using: &random),
            life: min(life, kind.maximumLife),
            body: body
        )
        guard Envelope(decoding: envelope.encoded()[...]) != nil, StoragePolicy.isWellFormed(envelope) else {
            return effects.append(.dropped(.malformedMessage))
        }
        guard envelope.life > 0 else { return effects.append(.dropped(.expired)) }
        let id = envelopeID(kind: kind, body: body)
        if let forgotten = submissions.insert(id) {
            for index in links.indices { links[index].acknowledged.remove(forgotten) }
        }
        if store[id.shortID] != nil {
            store.adopt(id.shortID, now: now)
            store.raise(id.shortID, life: envelope.life, now: now)
            flood(
                id.shortID,
                envelope,
                lane: lane(for: kind, arrived: .interactive),
                except: nil,
                now: now,
                over: &sender
            )
            return
        }
        take(envelope, id: id, from: nil, lane: .interactive, now: now, over: &sender, into: &effects)
    }

    /// Takes an envelope off a link; its id, whatever became of it, if it has one.
    mutating func receiveEnvelope(
        _ message: [UInt8],
        lane: Lane,
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) -> EnvelopeID? {
        guard links[index].allowance.take(now: now) else {
            effects.append(.dropped(.limited))
            return nil
        }
        guard var envelope = Envelope(decoding: message[...]), StoragePolicy.isWellFormed(envelope) else {
            effects.append(.dropped(.malformedMessage))
            return nil
        }
        let id = envelopeID(kind: envelope.kind, body: envelope.body)
        envelope.life = min(envelope.life, envelope.kind.maximumLife)
        // Neither is remembered: hops and life can be forged, and a better copy may follow.
        guard envelope.life > 0, envelope.hops < .max - 1 else {
            effects.append(.dropped(.expired))
            return id
        }
        envelope.hops += 1
        if knows(id.shortID, now: now) {
            store.raise(id.shortID, life: envelope.life, now: now)
            reportCarried(id.shortID, into: &effects)
            effects.append(.dropped(.duplicate))
        } else {
            take(envelope, id: id, from: links[index], lane: lane, now: now, over: &sender, into: &effects)
        }
        return id
    }

    /// Takes in an envelope that was never here: delivers, stores and floods it.
    private mutating func take(
        _ envelope: Envelope,
        id: EnvelopeID,
        from link: RouterLink?,
        lane arrived: Lane,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        let before = summary
        defer { noteStoreChange(since: before, now: now) }
        let releaseHash = releaseHash(of: envelope)
        if let releaseHash, envelope.kind == .release {
            store.release(releaseHash, now: now)
        } else if let releaseHash, store.isReleased(releaseHash) {
            store.bury(id.shortID, life: envelope.life, now: now)
            return effects.append(.dropped(.released))
        }
        if link != nil {
            effects.append(.deliver(envelope, id: id))
        }
        if !envelope.kind.isStored {
            seen.insert(id.shortID, now: now)
        } else if !store.insert(envelope, id: id, releaseHash: releaseHash, origin: link?.node, now: now) {
            effects.append(.dropped(.storeFull))
        }
        let lane = lane(for: envelope.kind, arrived: arrived)
        let refusals = flood(id.shortID, envelope, lane: lane, except: link?.id, now: now, over: &sender)
        if refusals > 0 { effects.append(.dropped(.laneFull)) }
    }

    /// Sends an envelope on every link but the one it came by; the number of links that had no room.
    @discardableResult
    private mutating func flood(
        _ shortID: UInt64,
        _ envelope: Envelope,
        lane: Lane,
        except origin: LinkID?,
        now: MeshInstant,
        over sender: inout some LinkSending
    ) -> Int {
        let message = envelope.encoded()
        let tag = submissions.contains(shortID) ? shortID : 0
        var refusals = 0
        for index in links.indices where links[index].id != origin && !links[index].acknowledged.contains(shortID) {
            guard !sender.send(message, lane: lane, tag: tag, on: links[index].id, now: now) else { continue }
            refusals += 1
            if let sequence = store[shortID]?.sequence {
                links[index].firstRefused = min(sequence, links[index].firstRefused ?? sequence)
            }
        }
        return refusals
    }

    private func lane(for kind: EnvelopeKind, arrived: Lane) -> Lane {
        switch kind {
        case .release: .control
        case .chunk: .background
        default: arrived == .background ? .background : .interactive
        }
    }

    func releaseHash(of envelope: Envelope) -> [UInt8]? {
        switch envelope.kind {
        case .sealed, .prekey: Array(envelope.body.prefix(StoragePolicy.releaseByteCount))
        case .release: cryptography.releaseHash(preimage: envelope.body)
        default: nil
        }
    }
}
