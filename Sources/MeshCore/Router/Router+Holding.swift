/// The pieces of large objects, which in a crowd go to some nodes instead of all.
///
/// Source: PROTOCOL §5.5 holders.
extension Router {
    /// Returns whether a piece of an object may go to some nodes of a crowd instead of all.
    func mayBeApart(_ envelope: Envelope, _ rule: KindRule) -> Bool {
        guard rule.isPlacedByBody, !crowdedSegments.isEmpty, let tag = ObjectTag(of: envelope.body) else {
            return false
        }
        return store.apart.hasRoom(for: tag)
    }

    /// Has an object handed over, if this piece of it is apart.
    func handOver(_ shortID: UInt64, into effects: inout [RouterEffect]) {
        guard let entry = store[shortID], entry.isApart, let tag = entry.tag else { return }
        effects.append(.handOver(tag, isOwn: entry.origin == nil))
    }

    /// Returns the id of a piece; nil if the envelope is none.
    func pieceID(of envelope: Envelope) -> EnvelopeID? {
        guard configuration.kinds.rule(for: envelope)?.isPlacedByBody == true else { return nil }
        return envelopeID(kind: envelope.kind, body: envelope.body)
    }

    /// Takes a piece that this node asked another for: to keep it for others, or only to deliver it.
    package mutating func takePiece(
        _ piece: Envelope,
        _ id: EnvelopeID,
        keeps: Bool,
        now: MeshInstant,
        into effects: inout [RouterEffect]
    ) {
        guard let rule = configuration.kinds.rule(for: piece), store[id.shortID] == nil else { return }
        guard keeps else {
            store.see(id.shortID)
            return effects.append(.deliver(piece, id: id))
        }
        guard let tag = ObjectTag(of: piece.body), store.keepsApart(tag.place), store.apart.hasRoom(for: tag)
        else { return }
        var envelope = piece
        envelope.life = min(envelope.life, rule.longestLife)
        let arrival = Arrival(envelope: envelope, rule: rule, id: id, isFresh: false, isApart: true)
        _ = take(arrival, from: Self.pushNode, now: now, into: &effects)
    }
}
