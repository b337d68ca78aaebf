import ChatCrypto
import MeshCore

extension ChatEngine {
    /// Takes an envelope that was never here before; what is not for this node changes nothing.
    mutating func receive(_ envelope: Envelope) throws {
        switch envelope.kind {
        case .bundle: try receiveBundle(envelope.body)
        case .sealed, .prekey: try receiveSealed(envelope)
        case .release: try receiveRelease(envelope.body)
        case .probe: receiveHello(envelope.body)
        case .chunk: try receivePiece(envelope.body)
        case .room: try receiveRoomPacket(envelope.body)
        case .live: break
        }
    }

    /// Notes who is there, and seals what waited for these keys.
    private mutating func receiveBundle(_ bytes: [UInt8]) throws {
        // Who is in a room knows nobody but its people, whose bundles are not for everybody.
        guard room == nil, let bundle = try? IdentityBundle(verifying: bytes),
            bundle.isUsable(at: step.time.seconds),
            !trust.isOwn(bundle.identity.id)
        else { return }
        let peer = bundle.identity.id
        if let known = peers[peer]?.bundle, !bundle.supersedes(known),
            known.isUsable(at: step.time.seconds) || known == bundle
        {
            return
        }
        let isAccepted = trust.accepts(bundle)
        let earlierName = trust[peer]?.name
        let change = trust.see(bundle, at: step.time.seconds)
        if isAccepted {
            heard(bundle.identity, bundle)
        }
        try settle(change)
        // A stranger is in no record, so that another name of one is no change of trust; it is told all the same.
        if change.saved.isEmpty, change.events.isEmpty, trust[peer]?.name != earlierName,
            let contact = contact(peer, at: step.time)
        {
            step.perform(.tell(.contact(contact)))
        }
        try sealWaiting(for: peer)
    }

    /// Opens what is for this node; a blocked sender's message uses up its key and is gone.
    private mutating func receiveSealed(_ envelope: Envelope) throws {
        let packet = InboundPacket(kind: envelope.kind == .prekey ? .prekey : .sealed, body: envelope.body)
        guard let (opened, generation) = open(packet, at: step.time.seconds) else {
            return try receiveGroupMessage(envelope)
        }
        let sender = opened.sender
        guard !isRequestFull(of: sender.id), trust.state(of: sender.id) != .revoked else { return }
        let content = opened.isEnd ? nil : MessageContent.decode(opened.content)
        // Groups know this node by its present identity alone.
        let note = generation == standing.generation ? content.flatMap { groupNote(in: $0) } : nil
        // What comes too early is left unopened, and tried again when it can be of use.
        if let note, isEarly(note, from: sender.id) { return }
        if case .statement(let statement) = content?.body,
            try takeFromStranger(statement, from: sender.id)
        {
            return
        }
        guard !opened.isFirstFlight || isWorthSession(content, note, from: sender.id) else { return }
        let sentAt = content.map { UInt32(clamping: $0.sentAt / 1_000) }
        let beganAgain = opened.isFirstFlight && sessions.isAnswered(by: sender.id)
        guard commit(opened, of: generation, sentAt: sentAt) else { return }
        if sessions.isPrekeyCrowded {
            let soon = step.time.monotonic.advanced(by: ChatLimits.crowdedPrekeyLife)
            nextHousekeeping = min(nextHousekeeping, soon)
        }
        guard trust.mayReceive(from: sender.id) else { return }
        heard(sender, nil)
        try settle(trust.meet(sender, at: step.time.seconds))
        // Like a receipt, a release tells that somebody is there: a stranger's waits until the user accepts.
        if isTold(sender.id, of: content?.body), let preimage = opened.preimage {
            step.perform(.submit(kind: .release, body: preimage.bytes, life: ChatLimits.releaseLife))
        }
        guard let content else { return }
        noteProfile(in: opened.content, of: sender.id)
        try take(content, note, from: opened, for: id(of: generation))
        if beganAgain { try follow(sender.id) }
    }

    /// Takes what a session brought, for one of the user's identities.
    private mutating func take(
        _ content: MessageContent.Decoded,
        _ note: GroupNote?,
        from opened: OpenedMessage,
        for recipient: PeerID
    ) throws {
        let sender = opened.sender.id
        switch content.body {
        case .groupNote:
            guard let note else { return }
            try take(note, opened.preimage, from: sender)
        case .statement(let statement):
            try take(statement, from: sender)
        case .text, .poll, .timer, .unknown:
            // Those who are in a room talk there and nowhere else.
            guard room == nil else { return }
            let preimage = isAccepted(sender) ? [] : opened.preimage?.bytes ?? []
            let id = MessageContent.id(of: opened.content, from: sender, to: recipient)
            try receiveMessage(id, opened.content, content, preimage, from: sender)
        case .change:
            try receiveChange(opened, content, for: recipient)
        case .receipt(let delivered, let read):
            // What went to somebody's earlier identity may be confirmed by the present one.
            for peer in [sender] + trust.predecessors(of: sender) {
                try confirm(delivered + read, by: peer)
                for id in read { try record(.read, of: id, to: peer) }
            }
            try confirmPosts(delivered: delivered, read: read, by: sender)
        }
    }

    /// Whether a first flight is worth a session: a stranger's that brings nothing to show would only leave one behind.
    private func isWorthSession(
        _ content: MessageContent.Decoded?,
        _ note: GroupNote?,
        from sender: PeerID
    ) -> Bool {
        trust.state(of: sender) != .unknown || room == nil && content?.body.isMessage == true
            || isWorthSession(note, from: sender)
    }

    /// Whether a stranger has written as much as is taken before the user accepts.
    private func isRequestFull(of peer: PeerID) -> Bool {
        guard let record = conversations[peer]?.record else { return false }
        return record.request && record.received >= ChatLimits.requestMessageCount
    }

    /// An own receipt or note has been read when the release of its envelope comes back.
    private mutating func receiveRelease(_ preimage: [UInt8]) throws {
        guard let preimage = ReleasePreimage(bytes: preimage), let entry = outbox.receipt(releaseHash: preimage.hash)
        else { return }
        outbox.remove(entry.id)
        step.delete(.outbox, entry.id.bytes)
        if entry.isNote { try sealWaiting(for: entry.peer) }
    }

    private mutating func receiveMessage(
        _ id: MessageID,
        _ content: [UInt8],
        _ decoded: MessageContent.Decoded,
        _ preimage: [UInt8],
        from peer: PeerID
    ) throws {
        let order = decoded.order
        guard !blobs.isIncomplete(id) else { return }
        try owe(id, preimage, to: peer)
        if let question = decoded.context.replyTo { growing.end(question, by: peer) }
        let isKnown = try step.record(.messages, id.bytes) != nil
        guard !isKnown, !held.holds(id, of: peer) else { return }
        var state = try conversations[peer] ?? newConversationFromPeer(peer)
        state.record.received += 1
        state.record.changedAt = step.time.wall
        conversations[peer] = state
        step.put(.conversations, peer.bytes, state.record)

        var record = ProtoMessageRecord()
        record.id = .bytes(id.bytes)
        record.sender = .bytes(peer.bytes)
        record.conversation = .bytes(peer.bytes)
        record.content = .bytes(content)
        record.receivedAt = step.time.wall
        record.status = UInt32(DeliveryStatus.delivered.rank)
        guard order > state.record.expectedOrder else {
            try show(record, saying: decoded, of: peer)
            try showReady(of: peer)
            return
        }
        if isAccepted(peer), case .text(let text) = decoded.body, !text.objects.isEmpty { owed.drop(id, to: peer) }
        step.put(.held, id.bytes, record)
        held.hold(HoldBack.Held(order: order, id: id, since: step.time.monotonic), of: peer)
        while !step.isFull, let overdue = held.overdue(at: step.time.monotonic),
            let first = held.takeFirst(of: overdue)
        {
            try show(first, of: overdue)
            try showReady(of: overdue)
        }
    }

    /// Shows all of a peer's held messages whose predecessors have been shown.
    mutating func showReady(of peer: PeerID) throws {
        while let expected = conversations[peer]?.record.expectedOrder {
            guard !step.isFull else {
                // The next step goes on at once.
                nextHousekeeping = step.time.monotonic
                return
            }
            guard let next = held.take(from: peer, expecting: expected) else { return }
            try show(next, of: peer)
        }
    }

    /// Shows a message that was held.
    mutating func show(_ next: HoldBack.Held, of peer: PeerID) throws {
        let record = try step.message(.held, next.id.bytes, as: ProtoMessageRecord.self)
        step.delete(.held, next.id.bytes)
        guard let record, let content = MessageContent.decode([UInt8](record.content)) else { return }
        try show(record, saying: content, of: peer)
    }

    private mutating func show(
        _ record: ProtoMessageRecord,
        saying content: MessageContent.Decoded,
        of peer: PeerID
    ) throws {
        guard var state = conversations[peer] else { return }
        state.record.expectedOrder = max(state.record.expectedOrder, content.order + 1)
        if content.body.isWritten { state.record.unread += 1 }
        conversations[peer] = state
        var record = record
        try absorbEarly(into: &record)
        try place(record, saying: content, in: peer)
        guard case .text(let text) = content.body, !text.objects.isEmpty else { return }
        if record.gone == 0 {
            try expectFiles(of: record, from: peer)
        } else if let id = MessageID(bytes: record.id) {
            try confirmComplete(id, to: peer)
        }
    }

    /// Takes a receipt: the messages it names, if they went to its sender, have arrived.
    private mutating func confirm(
        _ ids: [MessageID],
        by peer: PeerID
    ) throws {
        for id in ids {
            guard let entry = outbox[id], entry.peer == peer, entry.isMessage else { continue }
            outbox.remove(id)
            step.delete(.outbox, id.bytes)
            forgetLongText(of: id)
            try record(.delivered, of: id, to: peer)
        }
        try sealWaiting(for: peer)
    }

    /// Notes that something came from a peer; forgets the stranger unseen for longest where there are too many.
    mutating func heard(
        _ identity: PublicIdentity,
        _ bundle: IdentityBundle?
    ) {
        let peer = identity.id
        if peers[peer] == nil, peers.count >= ChatLimits.bundleCount {
            let strangers = peers.filter { trust.state(of: $0.key) == .unknown && conversations[$0.key] == nil }
            if let oldest = strangers.min(by: { ($0.value.lastSeen, $0.key) < ($1.value.lastSeen, $1.key) }) {
                peers[oldest.key] = nil
                step.delete(.bundles, oldest.key.bytes)
            }
        }
        var known = peers[peer] ?? KnownPeer(identity: identity)
        known.bundle = bundle ?? known.bundle
        known.lastSeen = step.time.wall
        let isStored =
            known.lastSeen >= known.storedLastSeen
            && known.lastSeen - known.storedLastSeen < ChatLimits.lastSeenStep
        if bundle == nil, isStored {
            peers[peer] = known
            return
        }
        known.storedLastSeen = known.lastSeen
        peers[peer] = known
        putPeerRecord(of: known)
        if isFetching(from: peer) { step.perform(.transfer(.heard(peer))) }
    }
}
