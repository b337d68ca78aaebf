import ChatCrypto
import MeshCore

extension ChatEngine {
    /// Handles an envelope that was never here before; one for another node changes nothing.
    ///
    /// - Parameter trail: The label under which its author may be answered.
    mutating func receive(_ envelope: Envelope, trail: PathLabel? = nil) throws {
        switch envelope.kind {
        case .bundle: try receiveBundle(envelope.body)
        case .sealed, .prekey:
            if receivePostOfCarried(envelope) { return }
            try receiveSealed(envelope, along: trail.map { .trail($0) })
        case .release: try receiveRelease(envelope.body)
        case .probe: if let trail { receiveHello(envelope.body, from: trail) }
        case .chunk: try receiveFragment(envelope.body)
        case .room: try receiveRoomPacket(envelope.body)
        case .far, .farChunk: try receiveMail(envelope)
        case .gateway: hearGateway(envelope.body)
        // Live messages are for linked nodes; the other kinds are for later versions.
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
        try sendWaiting(to: bundle.identity.id)
    }

    /// Opens an envelope for this node; a blocked sender's message uses up its key and is lost.
    ///
    /// - Parameter route: The way by which it came; nil if that is unknown.
    mutating func receiveSealed(_ envelope: Envelope, along route: InboundRoute?) throws {
        let packet = InboundPacket(kind: envelope.kind == .prekey ? .prekey : .sealed, body: envelope.body)
        guard let (opened, generation) = open(packet, at: step.time.seconds) else {
            return try receiveGroupMessage(envelope, along: route)
        }
        let sender = opened.sender
        let tried = envelope.kind == .prekey ? SealedEnvelope(kind: envelope.kind, body: envelope.body).id : nil
        guard !isRequestFull(of: sender.id), trust.state(of: sender.id) != .revoked else {
            return prekeyMessages.setAside(tried)
        }
        // Groups know this node by its present identity only.
        let isPresent = generation == identityHistory.generation
        let items = opened.contents.map { ReceivedContent($0, mayControl: isPresent) }
        // An envelope that arrives too early stays unopened and is tried again later.
        if try items.contains(where: { try $0.control.map { try isEarly($0, from: sender.id) } ?? false }) {
            return prekeyMessages.forget(tried)
        }
        guard try !receiveFromUnknownPeer(items, from: sender.id) else { return }
        guard !opened.isPrekeyMessage || items.contains(where: { isWorthSession($0, from: sender.id) }) else {
            return prekeyMessages.setAside(tried)
        }
        let sentAt = items.compactMap { $0.decoded?.sentAt }.max().map { UInt32(clamping: $0 / 1_000) }
        let beganAgain = opened.isPrekeyMessage && sessions.isAnswered(by: sender.id)
        guard commit(opened, of: generation, sentAt: sentAt) else { return }
        if sessions.isPrekeyCrowded {
            let soon = step.time.monotonic.advanced(by: ChatLimits.crowdedPrekeyLife)
            nextHousekeeping = min(nextHousekeeping, soon)
        }
        guard trust.mayReceive(from: sender.id) else { return }
        note(route, of: sender.id)
        if opened.isPrekeyMessage {
            if route?.isFar == true, isAccepted(sender.id) { far.lookBack() }
            far.noteSession(opened.sessionID, at: step.time.monotonic)
        }
        see(sender, along: route)
        contacts.meet(sender, at: step.time.seconds)
        try settleContacts()
        try take(items, from: opened, along: route, for: identityHistory.id(of: generation))
        if beganAgain, !items.isEmpty { try follow(sender.id) }
        if opened.isPrekeyMessage, items.allSatisfy({ $0.decoded?.body.isConfirmed != true }) {
            try answerSession(of: sender.id)
        }
    }

    /// Handles a message of nothing but statements; true if their sender is unknown, so that the message is done with.
    private mutating func receiveFromUnknownPeer(_ items: [ReceivedContent], from sender: PeerID) throws -> Bool {
        let statements = items.compactMap { item -> IdentityStatement? in
            if case .statement(let statement)? = item.decoded?.body { statement } else { nil }
        }
        guard !items.isEmpty, statements.count == items.count else { return false }
        return try statements.reduce(false) { try receiveFromUnknownPeer($1, from: sender) || $0 }
    }

    /// Handles the contents of a session message in their order; one that is malformed is dropped and counted.
    private mutating func take(
        _ items: [ReceivedContent],
        from opened: OpenedMessage,
        along route: InboundRoute?,
        for recipient: PeerID
    ) throws {
        let sender = opened.sender.id
        let isCarried = route?.isWay == true
        let ids = items.map { $0.confirmedID(from: sender, to: recipient) }
        let confirmed = ids.compactMap(\.self)
        if !isCarried { carriedArrivals.notePosted(confirmed) }
        // Nobody keeps a carried message, so no release is needed to end it.
        let proof = isCarried ? nil : opened.deliveryProof.map { route?.mailbox?.proof(of: $0) ?? $0 }
        // Like a receipt, a release reveals that this node is present: an unknown peer's waits until the user accepts.
        if let known = opened.deliveryProof,
            items.isEmpty ? isAccepted(sender) : items.allSatisfy({ isNotified(sender, of: $0.decoded?.body) })
        {
            if isCarried {
                if !gatherRelease(known, of: items, by: sender) { releaseAlongWay(known, of: items, to: sender) }
                carriedArrivals.insert(.init(sender: sender, deliveryProof: known, contents: confirmed))
                // A message that was here before may have been posted.
                carriedArrivals.notePosted(try confirmed.filter { try isHere($0, from: sender) })
            } else if let mailbox = route?.mailbox {
                farReleases.append(mailbox.proof(of: known))
                noteFarArrival(known, of: confirmed, from: sender)
            } else {
                release(known, of: sender)
            }
        }
        for (item, id) in zip(items, ids) {
            guard let content = item.decoded else {
                refusedContentCount += 1
                continue
            }
            contacts.takeStatements(in: item.bytes, of: sender)
            try settleContacts()
            // Only a receipt names packs; the check saves each other content a copy of the engine.
            let named = content.body.isReceipt ? packs(namedIn: content.body) : []
            try take(item, content, id, proof, from: sender, for: recipient)
            releaseEnded(named, along: route, of: sender)
        }
        guard items.count > 1, let proofHash = opened.deliveryProof?.hash else { return }
        joinReceipts(for: confirmed, of: items, as: proofHash, to: sender, in: .direct(sender))
    }

    /// Returns whether a message of a peer came before.
    private func isHere(_ id: MessageID, from peer: PeerID) throws -> Bool {
        try receipts.recipient(of: id) != nil || reorder.holds(id, of: peer)
            || step.record(.messages, id.bytes) != nil
    }

    /// Names a whole message in its receipt, if all its contents were taken over.
    ///
    /// The files of an unknown peer's messages are expected only once the user accepts, so those messages stay apart.
    private mutating func joinReceipts(
        for confirmed: [MessageID],
        of items: [ReceivedContent],
        as proofHash: [UInt8],
        to sender: PeerID,
        in conversation: ConversationID
    ) {
        let isAccepted = isAccepted(sender)
        guard isAccepted || conversation.group != nil, items.allSatisfy({ $0.decoded != nil }) else { return }
        receipts.join(
            confirmed,
            as: proofHash,
            to: PendingReceipts.Recipient(peer: sender, isMember: conversation.group != nil),
            isAccepted: isAccepted,
            at: step.time.monotonic
        )
    }

    /// Handles content from a session, for one of the user's identities.
    ///
    /// - Parameter id: The name of a content that receipts confirm; nil for another.
    private mutating func take(
        _ item: ReceivedContent,
        _ content: MessageContent.Decoded,
        _ id: MessageID?,
        _ proof: DeliveryProof?,
        from sender: PeerID,
        for recipient: PeerID
    ) throws {
        switch content.body {
        case .groupNote:
            guard let control = item.control else { return }
            try take(control, proof, from: sender)
        case .statement(let statement):
            try take(statement, from: sender)
        case .text, .poll, .timer, .unknown:
            // The members of a room talk in the room and nowhere else.
            guard room == nil, let id else { return }
            let deliveryProof = isAccepted(sender) ? nil : proof
            try receiveMessage(id, item.bytes, content, deliveryProof, from: sender)
        case .change:
            try receiveChange(item.bytes, content, proof, from: sender, for: recipient)
        case .receipt(let receipt):
            try confirm(receipt, by: sender)
        }
    }

    /// Whether a prekey message is worth a session: one of an unknown peer that brings nothing to show would only leave
    /// a session behind, unless it confirms messages to a common group.
    private func isWorthSession(_ item: ReceivedContent, from sender: PeerID) -> Bool {
        trust.state(of: sender) != .unknown || room == nil && item.decoded?.body.isMessage == true
            || item.control.map { groups.isWorthSession($0, from: sender, among: self) } == true
            || item.decoded?.body.isReceipt == true && groups.isGroupMember(sender)
    }

    /// Whether an unknown peer has written as much as is accepted before the user accepts the peer.
    private func isRequestFull(of peer: PeerID) -> Bool {
        guard let record = conversations[.direct(peer)] else { return false }
        return record.isRequest && record.received >= ChatLimits.requestMessageCount
    }

    /// Removes own receipts and control messages whose release came back: the recipient has read them.
    ///
    /// - Parameter own: The label of this end, if it came along a way.
    mutating func receiveRelease(_ body: [UInt8], alongWayTo own: PathLabel? = nil) throws {
        for deliveryProof in DeliveryProof.all(in: body) {
            releaseMail(of: deliveryProof.hash)
            guard let pack = outbox.pack(proofHash: deliveryProof.hash) else { continue }
            if let own, case .direct(let peer) = pack.conversation {
                // Only the peer can know the proof, so they have used this label.
                ways.note(nil, of: peer, at: own, now: step.time.monotonic)
                _ = ways.confirm(pack.id, at: step.time.monotonic)
            }
            for id in pack.contents where outbox[id]?.isMessage == false { try takeOutArrived(id) }
            outbox.markDue(pack.conversation)
        }
    }

    private mutating func receiveMessage(
        _ id: MessageID,
        _ content: [UInt8],
        _ decoded: MessageContent.Decoded,
        _ deliveryProof: DeliveryProof?,
        from peer: PeerID
    ) throws {
        let order = decoded.order
        guard !attachments.blobs.isIncomplete(id) else { return }
        let carriage = decoded.mayFollowTrail ? ReceiptCarriage.kept : nil
        addPendingReceipt(id, deliveryProof, to: peer, in: .direct(peer), carriage: carriage)
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
        while let expected = conversations[.direct(peer)]?.expectedOrder,
            reorder.holdsNext(of: peer, expecting: expected)
        {
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
    mutating func receiveGroupMessage(_ envelope: Envelope, along route: InboundRoute? = nil) throws {
        guard envelope.kind == .sealed else { return }
        let opened = groups.open(envelope.body, at: step.time.seconds)
        try settleGroups()
        guard let opened else { return }
        guard let sender = opened.sender else { return try receiveNotice(opened) }
        if trust.mayReceive(from: sender), let identity = identity(of: sender) {
            note(route, of: sender)
            see(identity, along: route)
        }
        let items = opened.contents.map { ReceivedContent($0, mayControl: false) }
        for item in items {
            if item.decoded == nil { refusedContentCount += 1 }
            try receive(item, from: sender, sealedIn: opened.epoch, in: opened.group)
        }
        guard items.count > 1 else { return }
        let proofHash = Array(envelope.body.prefix(DeliveryProofHash.byteCount))
        let confirmed = items.filter { $0.decoded?.body.isConfirmed == true }
            .map { MessageContent.id(of: $0.bytes, from: sender, to: opened.group) }
        joinReceipts(for: confirmed, of: items, as: proofHash, to: sender, in: conversationID(of: opened.group))
    }

    /// Adds the receipt of a message to a group, if this member is one of those that confirm it.
    private mutating func confirm(
        _ id: MessageID,
        _ content: MessageContent.Decoded,
        to sender: PeerID,
        sealedIn epoch: UInt32,
        in group: GroupID
    ) {
        guard groups.confirming(id, sealedIn: epoch, in: group).contains(ownID) else { return }
        let carriage = content.mayFollowTrail && carries ? ReceiptCarriage.grouped : nil
        let delay = carriage != nil && isLarge(group) ? ChatLimits.gatheringDelay : ChatLimits.groupReceiptDelay
        addPendingReceipt(id, to: sender, in: conversationID(of: group), carriage: carriage, delay: delay)
    }

    /// Handles a notice, which any member can have made: only the signed operations in it count.
    private mutating func receiveNotice(_ notice: Membership.Opened) throws {
        for content in notice.contents {
            guard case .operations(notice.group, let operations) = ReceivedContent(content, mayControl: true).control
            else { continue }
            try withGroups { $0.receiveNotice(operations, of: notice.group, sealedIn: notice.epoch, among: $1) }
        }
    }

    private mutating func receive(
        _ item: ReceivedContent,
        from sender: PeerID,
        sealedIn epoch: UInt32,
        in group: GroupID
    ) throws {
        guard trust.mayReceive(from: sender), let decoded = item.decoded else { return }
        let content = item.bytes
        let id = MessageContent.id(of: content, from: sender, to: group)
        if case .change(let target, let change) = decoded.body {
            confirm(id, decoded, to: sender, sealedIn: epoch, in: group)
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
        confirm(id, decoded, to: sender, sealedIn: epoch, in: group)
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
