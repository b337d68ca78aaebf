extension LinkTable {
    /// Handles a sealed packet of a link, or message 3 of a handshake that was answered.
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
                into: &effects
            )
            removeEnded(now: now, into: &effects)
        } else if let index = answers.firstIndex(where: { $0.connection == packet.connection }) {
            confirm(at: index, by: packet, now: now, into: &effects)
        } else {
            effects.append(.dropped(.unauthenticated))
        }
    }

    /// The size by which the incomplete messages of all links together may still grow.
    ///
    /// Units: bytes.
    private var reassemblyRoom: Int { configuration.reassemblyTotalByteLimit - established.reassemblyByteCount }

    /// Turns an answer into a link, if the packet proves the key that belongs to the initiator's node id.
    ///
    /// Packets that overtook message 3 are dropped. The initiator sends them again.
    private mutating func confirm(
        at index: Int,
        by packet: LinkDatagram.DataPacket,
        now: MeshInstant,
        into effects: inout [LinkEffect]
    ) {
        guard let message = packet.thirdMessage else { return effects.append(.dropped(.unauthenticated)) }
        guard readAnswers.take(now: now) else { return effects.append(.dropped(.handshakeLimited)) }
        guard let (cipher, peerKey) = answers[index].finish(message) else {
            effects.append(.dropped(.unauthenticated))
            return
        }
        let answer = answers.remove(at: index)
        let node = answer.initiation.node
        let isDouble = established.contains { $0.node == node && $0.peerKey != peerKey }
        guard cryptography.nodeID(of: peerKey) == node, !isDouble else {
            effects.append(.dropped(.handshakeRefused))
            return
        }
        let establishment = Link.Establishment(
            id: nextLinkID(),
            node: node,
            peerKey: peerKey,
            ownNode: answer.ownNode,
            localConnection: answer.connection,
            peerConnection: answer.initiation.connection,
            endpoint: answer.endpoint,
            dialledHere: false,
            cipher: cipher,
            proof: nil,
            roundTrip: nil
        )
        var link = makeLink(establishment, now: now)
        // The other side is notified, so that it does not keep half a link until it times out.
        guard !established.contains(where: { $0.crosses(handshakeOf: node, begunAt: answer.since, now: now) })
        else {
            link.close(reason: .closedHere, now: now, into: &effects)
            return
        }
        guard hasAddressCapacity(for: node, at: link.endpoint),
            hasCapacity(for: node) || makeRoom(for: node, now: now, into: &effects)
        else {
            link.close(reason: .closedHere, now: now, into: &effects)
            effects.append(.dropped(.handshakeLimited))
            return
        }
        establish(link, now: now, into: &effects)
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

    /// Whether anything has arrived on this link that was dialled here.
    private var isConfirmed: Bool { proof == nil }
}
