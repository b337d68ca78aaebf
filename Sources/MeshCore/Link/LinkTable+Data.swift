extension LinkTable {
    /// Handles a sealed packet of a link, or the first packet of a link that was answered.
    mutating func receive(
        _ packet: LinkDatagram.DataPacket,
        from source: Endpoint,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        if let index = established.index(ofConnection: packet.connection) {
            let room = reassemblyRoom
            established[index].receive(
                packet,
                from: source,
                reassemblyRoom: room,
                now: now,
                random: &random,
                into: &effects
            )
            removeEnded(now: now, into: &effects)
        } else if let index = answers.firstIndex(where: { $0.connection == packet.connection }) {
            confirm(at: index, by: packet, from: source, now: now, into: &effects)
        } else {
            effects.append(.dropped(.unauthenticated))
        }
    }

    /// The size by which the incomplete messages of all links together may still grow.
    ///
    /// Units: bytes.
    private var reassemblyRoom: Int { configuration.reassemblyTotalByteLimit - established.reassemblyByteCount }

    /// Turns an answer into a link, if the packet proves that the initiator has the keys.
    private mutating func confirm(
        at index: Int,
        by packet: LinkDatagram.DataPacket,
        from source: Endpoint,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        let answer = answers[index]
        let establishment = Link.Establishment(
            id: nextLinkID(),
            node: answer.initiation.node,
            ownNode: answer.ownNode,
            localConnection: answer.connection,
            peerConnection: answer.initiation.connection,
            endpoint: answer.endpoint,
            dialledHere: false,
            cipher: answer.cipher,
            roundTrip: nil
        )
        var link = makeLink(establishment, now: now)
        var linkEffects: [LinkEffect] = []
        let isConfirmed = link.receive(
            packet,
            from: source,
            reassemblyRoom: reassemblyRoom,
            now: now,
            random: &random,
            into: &linkEffects
        )
        guard isConfirmed else {
            effects += linkEffects
            return
        }
        answers.remove(at: index)
        // The other side is notified, so that it does not keep half a link until it times out.
        guard !established.contains(where: { $0.crosses(handshakeOf: link.node, begunAt: answer.since, now: now) })
        else {
            link.close(reason: .closedHere, now: now, into: &effects)
            return
        }
        guard hasCapacity(for: link.node, from: link.endpoint) else {
            link.close(reason: .closedHere, now: now, into: &effects)
            effects.append(.dropped(.handshakeLimited))
            return
        }
        establish(link, now: now, into: &effects)
        effects += linkEffects
        removeEnded(now: now, into: &effects)
    }
}

extension Link {
    /// Returns whether another handshake, which `node` began, must yield because it crossed the one that made this
    /// link.
    ///
    /// Of two crossed dials the one from the lower node id survives. A peer that has sent on this link knows it and has
    /// given up its own dial. If it begins another handshake after that, it has lost the link.
    func crosses(handshakeOf node: NodeID, begunAt begin: MeshInstant, now: MeshInstant) -> Bool {
        guard self.node == node, dialledHere, ownNode < node else { return false }
        return begin <= since || !isConfirmed && since.duration(to: now) < configuration.crossingWindow
    }

    /// Whether anything has arrived on this link that was dialled here, except for the response, packet 0.
    private var isConfirmed: Bool { received.largest ?? 0 > 0 }
}
