extension SessionTable {
    /// Opens a packet from any peer, without a change of state.
    ///
    /// The result is nil if the packet is for another peer, damaged, forged, opened before or this node's own. The
    /// caller cannot distinguish these cases.
    ///
    /// - Parameters:
    ///   - packet: the packet.
    ///   - now: seconds since 1970 by the local clock.
    ///   - isKnown: whether this node knows a peer. A prekey accepts few prekey messages of unknown peers.
    ///   - mayDecapsulate: asked before the costly part of a prekey message that is for this node and new. If the answer
    ///     is false, the result is nil, and the packet can be tried again.
    public func open(
        _ packet: InboundPacket,
        at now: UInt32,
        isKnown: (PeerID) -> Bool = { _ in false },
        mayDecapsulate: () -> Bool = { true }
    ) -> OpenedMessage? {
        let kind = packet.kind
        guard kind.isBucket(bodyByteCount: packet.body.count),
            let message = MessageSeal(packet.body[kind.prefixByteCount...])
        else { return nil }
        guard kind == .prekey else {
            for peer in order {
                for session in peers[peer]?.sessions.reversed() ?? [] {
                    if let opened = open(message, of: packet, on: session, at: now) { return opened }
                }
            }
            return nil
        }
        let prekeyMessage = packet.body[DeliveryProofHash.byteCount..<kind.prefixByteCount]
        guard let seen = replays[Array(prekeyMessage.prefix(PrekeyMessage.ephemeralByteCount))] else {
            let prekeyMessage = try? OpenedPrekeyMessage(
                prekeyMessage,
                recipient: identity,
                prekeys: prekeys,
                mayDecapsulate: mayDecapsulate
            )
            return prekeyMessage.flatMap { openFirst(message, of: packet, $0, at: now, isKnown: isKnown) }
        }
        guard seen.prekeyMessageHash == SHA256.hash(Array(prekeyMessage)), let session = peers[seen.peer]?[seen.session]
        else {
            return nil
        }
        return open(message, of: packet, on: session, at: now)
    }

    /// Applies the change that a message makes: the session's state, a new session, or the end of one.
    ///
    /// If the peer's sessions have changed since the message was opened, the method opens the message again.
    ///
    /// - Parameters:
    ///   - opened: the message.
    ///   - sentAt: the sender's time inside the content, in seconds since 1970; nil if there is none.
    /// - Returns: the change that has to be durable before the content is shown or confirmed.
    /// - Throws: `stale` if the message no longer opens, because it or its session was handled in the meantime.
    public mutating func commit(_ opened: OpenedMessage, sentAt: UInt32?) throws(CryptoError) -> SessionChange {
        var opened = opened
        if peers[opened.sender.id]?.revision != opened.revision {
            let wasKnown = opened.replay.map { !$0.isOfUnknownPeer } ?? false
            guard let again = open(opened.packet, at: opened.openedAt, isKnown: { _ in wasKnown }) else {
                throw CryptoError(.stale, "The message can no longer be opened.")
            }
            opened = again
        }
        var sessions = peers[opened.sender.id] ?? PeerSessions(peer: opened.sender)
        if opened.replay != nil {
            sessions.accept(opened.session, at: opened.openedAt)
        } else {
            sessions.update(opened.session)
            if let sentAt { sessions.peerSent(on: opened.sessionID, sentAt: sentAt, at: opened.openedAt) }
        }
        if opened.isEnd { sessions.remove(opened.sessionID) }
        var change = put(sessions, used: [opened.sessionID])
        if let replay = opened.replay {
            replays.insert(replay)
            change.save(replay)
        }
        return change
    }

    private func open(
        _ message: MessageSeal,
        of packet: InboundPacket,
        on session: Session,
        replay: ReplayCache.Entry? = nil,
        at now: UInt32
    ) -> OpenedMessage? {
        guard let opened = session.ratchet.open(message, at: now) else { return nil }
        guard let contents = Self.contents(of: opened.items, kind: packet.kind) else { return nil }
        let isStored = packet.kind.uncountedByteCount > 0
        // A relay that changed the release hash would make an envelope that no node can release.
        guard !isStored || opened.deliveryProof.hash.elementsEqual(packet.body.prefix(DeliveryProofHash.byteCount))
        else {
            return nil
        }
        var next = session
        next.received(opened.next, at: now)
        return OpenedMessage(
            contents: contents,
            sender: session.peer,
            sessionID: session.id,
            isPrekeyMessage: replay != nil,
            deliveryProof: isStored ? opened.deliveryProof : nil,
            session: next,
            replay: replay,
            revision: peers[session.peer.id]?.revision,
            packet: packet,
            openedAt: now
        )
    }

    /// The contents of a message, none if the message ends the session; nil for items that are wrong.
    private static func contents(of items: ArraySlice<UInt8>, kind: CarrierKind) -> [[UInt8]]? {
        guard !items.isEmpty else { return [] }
        return kind == .probe ? [Array(items)] : MessageItems.decode(items)
    }

    private func openFirst(
        _ message: MessageSeal,
        of packet: InboundPacket,
        _ opened: OpenedPrekeyMessage,
        at now: UInt32,
        isKnown: (PeerID) -> Bool
    ) -> OpenedMessage? {
        // Each accepted prekey message has to be remembered as long as its prekey exists.
        let count = replays.count(of: opened.sender.id, under: opened.prekey.bundle.sequence)
        guard count < SessionLimits.messagesPerPeerAndPrekey else { return nil }
        let isOfUnknownPeer = !isKnown(opened.sender.id)
        guard !isOfUnknownPeer || hasCapacityForUnknownPeer(opened) else { return nil }
        return open(
            message,
            of: packet,
            on: Session(accepting: opened, at: now),
            replay: ReplayCache.Entry(
                prekeyMessage: Array(packet.body[DeliveryProofHash.byteCount..<packet.kind.prefixByteCount]),
                opened: opened,
                isOfUnknownPeer: isOfUnknownPeer
            ),
            at: now
        )
    }

    /// Whether the prekey message of an unknown peer may be accepted.
    private func hasCapacityForUnknownPeer(_ prekeyMessage: OpenedPrekeyMessage) -> Bool {
        let isRoomForPeer = peers[prekeyMessage.sender.id] != nil || peers.count < SessionLimits.maximumPeers
        let count = replays.unknownPeerCount(under: prekeyMessage.prekey.bundle.sequence)
        return isRoomForPeer && count < SessionLimits.unknownPeerMessagesPerPrekey
    }
}
