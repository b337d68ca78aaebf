import ChatCrypto
import MeshCore

extension ChatEngine {
    /// Handles an envelope that was never here before; one for another node changes nothing.
    mutating func receive(_ envelope: Envelope) throws {
        switch envelope.kind {
        case .bundle: try receiveBundle(envelope.body)
        case .sealed, .prekey: try receiveSealed(envelope)
        case .release: try receiveRelease(envelope.body)
        case .probe: receiveHello(envelope.body)
        case .chunk: try receiveFragment(envelope.body)
        case .room: try receiveRoomPacket(envelope.body)
        // Live messages are for linked nodes; of other kinds the policy lets none pass.
        default: break
        }
    }

    /// Notes a peer by its prekey bundle, and seals what waited for these keys.
    private mutating func receiveBundle(_ bytes: [UInt8]) throws {
        // A member of a room knows its members only, and their prekey bundles are not public.
        guard room == nil, let bundle = try? PrekeyBundle(verifying: bytes),
            !trust.isOwn(bundle.identity.id), peers.isChange(bundle, at: step.time.seconds)
        else { return }
        if trust.accepts(bundle) { discovered(bundle.identity, bundle) }
        contacts.see(bundle, at: step.time.seconds)
        try settleContacts()
        try sealWaiting(for: bundle.identity.id)
    }

    /// Opens an envelope for this node; a blocked sender's message uses up its key and is lost.
    private mutating func receiveSealed(_ envelope: Envelope) throws {
        let packet = InboundPacket(kind: envelope.kind == .prekey ? .prekey : .sealed, body: envelope.body)
        guard let (opened, generation) = open(packet, at: step.time.seconds) else {
            return try receiveGroupMessage(envelope)
        }
        let sender = opened.sender
        guard !isRequestFull(of: sender.id), trust.state(of: sender.id) != .revoked else { return }
        let content = opened.isEnd ? nil : MessageContent.decode(opened.content)
        // Groups know this node by its present identity only.
        let control = generation == identityHistory.generation ? content.flatMap { controlMessage(in: $0) } : nil
        // An envelope that arrives too early stays unopened and is tried again later.
        if let control, try isEarly(control, from: sender.id) {
            prekeyMessages.forget(SealedEnvelope(kind: envelope.kind, body: envelope.body).id)
            return
        }
        if case .statement(let statement) = content?.body,
            try receiveFromUnknownPeer(statement, from: sender.id)
        {
            return
        }
        guard !opened.isPrekeyMessage || isWorthSession(content, control, from: sender.id) else { return }
        let sentAt = content.map { UInt32(clamping: $0.sentAt / 1_000) }
        let beganAgain = opened.isPrekeyMessage && sessions.isAnswered(by: sender.id)
        guard commit(opened, of: generation, sentAt: sentAt) else { return }
        if sessions.isPrekeyCrowded {
            let soon = step.time.monotonic.advanced(by: ChatLimits.crowdedPrekeyLife)
            nextHousekeeping = min(nextHousekeeping, soon)
        }
        guard trust.mayReceive(from: sender.id) else { return }
        discovered(sender, nil)
        contacts.meet(sender, at: step.time.seconds)
        try settleContacts()
        // Like a receipt, a release reveals that this node is present: an unknown peer's waits until the user accepts.
        if isNotified(sender.id, of: content?.body), let deliveryProof = opened.deliveryProof {
            step.perform(.submit(kind: .release, body: deliveryProof.bytes, life: ChatLimits.releaseLife))
        }
        guard let content else { return }
        contacts.takeProfile(in: opened.content, of: sender.id)
        try settleContacts()
        try take(content, control, from: opened, for: identityHistory.id(of: generation))
        if beganAgain { try follow(sender.id) }
    }

    /// Handles content from a session, for one of the user's identities.
    private mutating func take(
        _ content: MessageContent.Decoded,
        _ control: ControlMessage?,
        from opened: OpenedMessage,
        for recipient: PeerID
    ) throws {
        let sender = opened.sender.id
        switch content.body {
        case .groupNote:
            guard let control else { return }
            try take(control, opened.deliveryProof, from: sender)
        case .statement(let statement):
            try take(statement, from: sender)
        case .text, .poll, .timer, .unknown:
            // The members of a room talk in the room and nowhere else.
            guard room == nil else { return }
            let deliveryProof = isAccepted(sender) ? [] : opened.deliveryProof?.bytes ?? []
            let id = MessageContent.id(of: opened.content, from: sender, to: recipient)
            try receiveMessage(id, opened.content, content, deliveryProof, from: sender)
        case .change:
            try receiveChange(opened, content, for: recipient)
        case .receipt(let delivered, let read):
            try confirm(delivered: delivered, read: read, by: sender)
        }
    }

    /// Whether a prekey message is worth a session: one of an unknown peer that brings nothing to show would only leave
    /// a session behind.
    private func isWorthSession(
        _ content: MessageContent.Decoded?,
        _ control: ControlMessage?,
        from sender: PeerID
    ) -> Bool {
        trust.state(of: sender) != .unknown || room == nil && content?.body.isMessage == true
            || control.map { groups.isWorthSession($0, from: sender, among: self) } == true
    }

    /// Whether the release of its envelope may tell a sender that it has arrived.
    ///
    /// An unknown peer's messages wait until the user accepts; the control messages of groups are for their members.
    private func isNotified(_ sender: PeerID, of body: MessageContent.Body?) -> Bool {
        switch body {
        case .receipt, .groupNote: isAccepted(sender) || groups.isGroupMember(sender) || isApplicant(sender)
        // A contact that has changed has sent statements before, so that a release tells it nothing new.
        case .statement: isAccepted(sender) || trust.state(of: sender) == .changed
        default: isAccepted(sender)
        }
    }

    /// Whether an unknown peer has written as much as is accepted before the user accepts the peer.
    private func isRequestFull(of peer: PeerID) -> Bool {
        guard let record = conversations[.direct(peer)] else { return false }
        return record.isRequest && record.received >= ChatLimits.requestMessageCount
    }

    /// Removes an own receipt or control message whose release came back: the recipient has read it.
    private mutating func receiveRelease(_ deliveryProof: [UInt8]) throws {
        guard let deliveryProof = DeliveryProof(bytes: deliveryProof),
            let entry = outbox.receipt(proofHash: deliveryProof.hash)
        else { return }
        takeOut(entry.id)
        if entry.isControl, let peer = entry.peer { try sealWaiting(for: peer) }
    }

    private mutating func receiveMessage(
        _ id: MessageID,
        _ content: [UInt8],
        _ decoded: MessageContent.Decoded,
        _ deliveryProof: [UInt8],
        from peer: PeerID
    ) throws {
        let order = decoded.order
        guard !attachments.blobs.isIncomplete(id) else { return }
        addPendingReceipt(id, deliveryProof, to: peer, in: .direct(peer))
        if let question = decoded.context.replyTo { replies.end(question, by: peer) }
        let isKnown = try step.record(.messages, id.bytes) != nil
        guard !isKnown, !reorder.holds(id, of: peer) else { return }
        beginConversation(from: peer)
        conversations.noteReceived(.direct(peer), at: step.time.wall)

        var record = ProtoMessageRecord()
        record.id = .bytes(id.bytes)
        record.sender = .bytes(peer.bytes)
        record.conversation = .bytes(peer.bytes)
        record.content = .bytes(content)
        record.receivedAt = step.time.wall
        record.status = UInt32(DeliveryStatus.delivered.rank)
        guard order > conversations[.direct(peer)]?.expectedOrder ?? 1 else {
            try show(record, saying: decoded, of: peer)
            try showReady(of: peer)
            return
        }
        if isAccepted(peer), case .text(let text) = decoded.body, !text.attachments.isEmpty {
            receipts.suspend(id)
        }
        reorder.hold(record, id, order: order, of: peer, at: step.time.monotonic)
        try showOverdue()
    }

    /// Shows the messages that do not wait for an earlier one any longer.
    mutating func showOverdue() throws {
        while !isStepFull, let peer = reorder.overdue(at: step.time.monotonic) {
            if let first = try reorder.removeFirst(of: peer, in: step) { try show(first, of: peer) }
            try showReady(of: peer)
        }
    }

    /// Shows all held messages of a peer whose predecessors have been shown.
    mutating func showReady(of peer: PeerID) throws {
        while let expected = conversations[.direct(peer)]?.expectedOrder {
            guard !isStepFull else {
                // The next step continues at once.
                nextHousekeeping = step.time.monotonic
                return
            }
            guard let next = try reorder.take(from: peer, expecting: expected, in: step) else { return }
            try show(next, of: peer)
        }
    }

    /// Shows a message that was held.
    private mutating func show(_ record: ProtoMessageRecord, of peer: PeerID) throws {
        guard let content = MessageContent.decode([UInt8](record.content)) else { return }
        try show(record, saying: content, of: peer)
    }

    private mutating func show(
        _ record: ProtoMessageRecord,
        saying content: MessageContent.Decoded,
        of peer: PeerID
    ) throws {
        guard conversations[.direct(peer)] != nil else { return }
        conversations.noteShown(content.order, in: .direct(peer))
        var record = record
        try absorbPending(into: &record)
        try place(record, saying: content, in: .direct(peer))
        guard case .text(let text) = content.body, !text.attachments.isEmpty else { return }
        if record.gone == 0 {
            try expectFiles(of: record, from: peer)
        } else if let id = MessageID(bytes: record.id) {
            confirmComplete(id)
        }
    }

    // MARK: - Groups

    /// Opens a message to a group; anything else changes nothing.
    mutating func receiveGroupMessage(_ envelope: Envelope) throws {
        guard envelope.kind == .sealed else { return }
        let opened = groups.open(envelope.body, at: step.time.seconds)
        try settleGroups()
        guard let opened else { return }
        try receive(opened.content, from: opened.sender, sealedIn: opened.epoch, in: opened.group)
    }

    private mutating func receive(
        _ content: [UInt8],
        from sender: PeerID,
        sealedIn epoch: UInt32,
        in group: GroupID
    ) throws {
        guard trust.mayReceive(from: sender), let decoded = MessageContent.decode(content) else { return }
        let id = MessageContent.id(of: content, from: sender, to: group)
        if case .change(let target, let change) = decoded.body {
            addPendingReceipt(id, to: sender, in: conversationID(of: group))
            let operation = ChangeOperation(
                id: id,
                author: sender,
                target: target,
                sentAt: decoded.sentAt,
                change
            )
            // Its key was accepted as that of a member only.
            try take(operation, from: content, in: conversationID(of: group))
            return try forwardEarlier(target, sealedIn: epoch, in: group)
        }
        guard decoded.body.isMessage, !attachments.blobs.isIncomplete(id) else { return }
        addPendingReceipt(id, to: sender, in: conversationID(of: group))
        if let question = decoded.context.replyTo { replies.end(question, by: sender) }
        guard try step.record(.messages, id.bytes) == nil else {
            return try authenticate(id, sealedIn: epoch, in: group)
        }
        var record = ProtoMessageRecord()
        record.id = .bytes(id.bytes)
        record.sender = .bytes(sender.bytes)
        record.conversation = .bytes(conversationID(of: group).bytes)
        record.content = .bytes(content)
        record.receivedAt = step.time.wall
        record.status = UInt32(DeliveryStatus.delivered.rank)
        record.epoch = epoch
        try absorbPending(into: &record)
        try place(record, saying: decoded, in: conversationID(of: group))
        try forwardEarlier(id, sealedIn: epoch, in: group)
        guard case .text(let text) = decoded.body, !text.attachments.isEmpty, record.gone == 0 else { return }
        try expectFiles(of: record, from: sender)
    }
}
