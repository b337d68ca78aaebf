package import ChatCrypto
import MeshCore
import SwiftProtobuf

extension ChatEngine {
    /// Writes a text to the outbox and the history, and sends it if the peer's keys are known.
    ///
    /// - Parameters:
    ///   - files: What goes with it, sealed in the folder already.
    ///   - longText: The text itself, sealed in the folder, where it is too long for a content.
    package mutating func send(
        _ text: String,
        files: [SealedFile] = [],
        longText: SealedFile? = nil,
        _ options: MessageOptions = MessageOptions(),
        to peer: PeerID
    ) throws -> Message {
        let objects = MessageObjects(files: files, longText: longText, text: text)
        let (body, context) = try compose(text, objects, options, to: .direct(peer))
        clearDraft(in: .direct(peer))
        return try post(.text(body), context, objects, to: peer, accepts: options.acceptsStranger)
    }

    /// What a text says and how, once nothing forbids to send it.
    func compose(
        _ text: String,
        _ objects: MessageObjects,
        _ options: MessageOptions,
        to conversation: ConversationID
    ) throws -> (body: MessageContent.Text, context: MessageContext) {
        let textLimit = objects.longText == nil ? ChatLimits.textByteCount : ChatLimits.longTextByteCount
        try checkSending(text, objects.byteCounts, textLimit: textLimit, to: conversation)
        guard blobs.takeRoom(for: objects.byteCounts) else { throw noRoom }
        let body = MessageContent.Text(
            objects.longText == nil ? text : "",
            files: objects.files.map(\.reference),
            longText: objects.longText?.reference
        )
        return (body, try context(options, naming: body.text, in: conversation))
    }

    /// Puts what was checked into the history and the outbox.
    ///
    /// - Parameter accepts: Whether a stranger becomes a contact by it.
    mutating func post(
        _ body: MessageContent.Body,
        _ context: MessageContext,
        _ objects: MessageObjects = MessageObjects(),
        to peer: PeerID,
        accepts: Bool = true
    ) throws -> Message {
        if accepts, trust.state(of: peer) == .unknown {
            try decide(.accept, about: peer)
        }
        var state = conversations[peer] ?? newConversation(with: peer)
        let decoded = MessageContent.Decoded(
            body,
            sentAt: step.time.wall,
            order: state.record.nextOrder,
            context: context
        )
        let content = withProfile(MessageContent.message(decoded, salt: randomBytes(16)))
        let id = MessageContent.id(of: content, from: ownID, to: peer)
        state.record.nextOrder += 1
        conversations[peer] = state
        keepFiles(objects.all, of: id, to: .direct(peer))
        var record = outgoingRecord(id, content, to: peer, at: step.time)
        record.longText = objects.shownText
        guard let message = try place(record, saying: decoded, in: peer) else {
            throw ChatError(.notFound, "The message was not kept.")
        }
        queue(id, content, to: peer)
        try sealWaiting(for: peer)
        return message
    }

    /// Puts a message, a change, a note for a member of a group, or a statement, into the outbox.
    ///
    /// - Parameter generation: The identity that it is to be sealed by; nil for the present one.
    mutating func queue(
        _ id: MessageID,
        _ content: [UInt8],
        to peer: PeerID,
        isNote: Bool = false,
        as generation: UInt32? = nil
    ) {
        var entry = ProtoOutboxRecord()
        entry.generation = generation ?? standing.generation
        entry.id = .bytes(id.bytes)
        entry.peer = .bytes(peer.bytes)
        entry.content = .bytes(content)
        entry.createdAt = step.time.wall
        entry.number = outbox.nextNumber
        entry.note = isNote
        step.put(.outbox, id.bytes, entry)
        outbox.add(
            Outbox.Entry(
                id: id,
                peer: peer,
                number: entry.number,
                isReceipt: false,
                isNote: isNote,
                generation: entry.generation,
                createdAt: step.time.wall
            )
        )
    }

    /// Refuses what cannot be sent to this conversation, or not now.
    package func checkSending(
        _ text: String,
        _ fileByteCounts: [UInt64],
        textLimit: Int,
        to conversation: ConversationID
    ) throws {
        guard !text.isEmpty || !fileByteCounts.isEmpty else { throw ChatError(.empty, "There is no text to send.") }
        guard text.utf8.count <= textLimit else {
            var error = ChatError(.tooLarge, "A text holds at most \(textLimit) bytes; send it in parts.")
            error.limit = textLimit
            throw error
        }
        guard blobs.hasRoom(for: fileByteCounts) else { throw noRoom }
        try checkWriting(to: conversation)
    }

    /// Refuses what cannot be written to a conversation now, whatever it is.
    func checkWriting(to conversation: ConversationID) throws {
        switch conversation {
        case .direct(let peer): try checkWriting(to: peer)
        case .group(let group), .room(let group): try checkWriting(to: group)
        }
    }

    /// Refuses what cannot be written to a peer now, whatever it is.
    func checkWriting(to peer: PeerID) throws {
        try checkOutbox()
        try checkTrust(in: peer)
    }

    /// Refuses another message where too many wait.
    func checkOutbox() throws {
        guard outbox.messageCount + groups.posts.count < ChatLimits.outboxCount else {
            throw ChatError(.limited, "\(ChatLimits.outboxCount) messages wait already; wait until some have arrived.")
        }
    }

    /// Refuses a peer that is not known, or that nothing may be sent to.
    func checkTrust(in peer: PeerID) throws {
        guard peer != ownID else { throw ChatError(.notFound, "That is this node's own id.") }
        guard let known = trust[peer] else { throw ChatError(.notFound, "No contact has this id.") }
        try checkStanding()
        guard trust.maySend(to: peer) else {
            var error = ChatError(.refusedByTrust, Self.refusal(of: known))
            error.trust = known.state
            throw error
        }
    }

    private static func refusal(of peer: ChatCrypto.KnownPeer) -> String {
        switch peer.state {
        case .changed where peer.isContested:
            "Several new identities claim to be this contact's. Compare the safety number with 'verify'."
        case .changed where peer.successor != nil:
            "This contact goes on under a new identity. Compare the safety number with 'verify', or 'trust accept'."
        case .changed:
            "Another identity claims this contact's name. Compare the safety number with 'verify', or 'trust accept'."
        case .revoked: "This contact has revoked its identity; ask for the new one."
        case .blocked: "This contact is blocked; 'trust unblock' first."
        case .unknown, .tofu, .verified: "This contact has gone on to a new identity; write to that one."
        }
    }

    /// Seals and submits what waits for `peer`, as far as trust, keys and the window allow.
    mutating func sealWaiting(for peer: PeerID) throws {
        // What was written to somebody who has gone on since still goes to the old identity, which receives for a while.
        guard trust.maySend(to: peer) || isAccepted(peer) && trust.mayReceive(from: peer),
            let recipient = trust[peer]?.identity
        else { return }
        while outbox.inFlightCount(to: peer) < ChatLimits.inFlightCount, let id = outbox.firstWaiting(for: peer) {
            guard !step.isFull else {
                // The next step goes on at once.
                nextHousekeeping = step.time.monotonic
                return
            }
            guard var record = try step.message(.outbox, id.bytes, as: ProtoOutboxRecord.self) else {
                outbox.remove(id)
                continue
            }
            guard !record.content.isEmpty else {
                // It was deleted while it was on its way: only its deletion is sealed anew.
                outbox.remove(id)
                step.delete(.outbox, id.bytes)
                continue
            }
            let content = [UInt8](record.content)
            guard let sealed = seal(content, as: record.generation, to: recipient) else { return }
            record.kind = UInt32(sealed.kind.rawValue)
            record.body = .bytes(sealed.body)
            record.sealedAt = step.time.wall
            try launch(record, id)
            if doubted.contains(peer) {
                let soon = Duration.milliseconds(Int64(ChatLimits.doubtAge))
                nextHousekeeping = min(nextHousekeeping, step.time.monotonic.advanced(by: soon))
            }
        }
    }

    /// Seals content in the session of one of the user's identities with `recipient`; nil while it cannot be sealed.
    mutating func seal(
        _ content: [UInt8],
        as generation: UInt32,
        to recipient: PublicIdentity
    ) -> SealedMessage? {
        let now = step.time.seconds
        let bundle = peers[recipient.id]?.bundle
        let sealed = withSessions(of: generation) { sessions -> (message: SealedMessage, change: SessionChange)? in
            guard sessions.canSeal(to: recipient.id, at: now) || bundle?.isUsable(at: now) == true else { return nil }
            // What else can go wrong: the end of a chain, or a bundle in time whose key makes no secret; a better one
            // may come.
            return try? sessions.seal(content, to: recipient, bundle: bundle, at: now)
        }
        guard let (message, change) = sealed ?? nil else { return nil }
        records.write(change, of: generation, in: &step)
        return message
    }

    static func envelopeID(_ kind: EnvelopeKind, _ body: [UInt8]) -> EnvelopeID {
        let name = EnvelopeName.bytes(kindByte: Envelope.version << 4 | kind.rawValue, body: body)
        guard let id = EnvelopeID(bytes: name) else { preconditionFailure("an envelope name of \(name.count) bytes") }
        return id
    }

    /// Notes a sealed entry durably and submits its envelope.
    mutating func launch(_ record: ProtoOutboxRecord, _ id: MessageID) throws {
        guard let kind = EnvelopeKind(rawValue: UInt8(clamping: record.kind)) else { return }
        let body = [UInt8](record.body)
        step.put(.outbox, id.bytes, record)
        outbox.markSealed(
            id,
            as: Self.envelopeID(kind, body),
            releaseHash: Array(body.prefix(16)),
            at: step.time.wall
        )
        step.perform(.submit(kind: kind, body: body, life: ChatLimits.sealedLife))
        spreadFiles(of: id)
    }

    /// Submits an entry's envelope once more: the same bytes, so the mesh spreads only what it has lost.
    mutating func resubmit(_ entry: Outbox.Entry) throws {
        guard let record = try step.message(.outbox, entry.id.bytes, as: ProtoOutboxRecord.self),
            let kind = EnvelopeKind(rawValue: UInt8(clamping: record.kind)), !record.body.isEmpty
        else { return }
        step.perform(.submit(kind: kind, body: [UInt8](record.body), life: ChatLimits.sealedLife))
        spreadFiles(of: entry.id)
    }

    /// Moves an own message's status forward, in outbox and history, and tells it.
    mutating func advance(
        _ envelope: EnvelopeID,
        to status: DeliveryStatus
    ) throws {
        if let post = groups.posts.post(envelope: envelope) {
            return try advance(post, to: status)
        }
        guard let entry = outbox.entry(envelope: envelope), entry.isMessage else { return }
        guard outbox.advance(entry.id, to: status) else { return }
        try record(status, of: entry.id, to: entry.peer)
    }

    /// Takes an own message that is not confirmed out of the outbox: it is not sent again.
    package mutating func cancel(_ id: MessageID) throws {
        if let post = groups.posts[id] { return try giveUp(post, .cancelled) }
        guard let entry = outbox[id], entry.isMessage else {
            throw ChatError(.notFound, "No message with this id waits in the outbox.")
        }
        try fail(entry, .cancelled)
        try sealWaiting(for: entry.peer)
    }

    /// Ends an entry that will not be confirmed any more.
    mutating func fail(
        _ entry: Outbox.Entry,
        _ reason: DeliveryFailure
    ) throws {
        outbox.remove(entry.id)
        step.delete(.outbox, entry.id.bytes)
        forgetLongText(of: entry.id)
        if entry.isMessage {
            try record(.failed(reason), of: entry.id, to: entry.peer)
        }
    }

    /// Writes a status to the history, never back, and tells it.
    mutating func record(
        _ reported: DeliveryStatus,
        of id: MessageID,
        to peer: PeerID
    ) throws {
        guard let (sequence, plaintext) = try step.record(.messages, id.bytes),
            case var record = try ChatStep.decode(plaintext, as: ProtoMessageRecord.self),
            record.outgoing, record.conversation.elementsEqual(peer.bytes)
        else { return }
        let known = DeliveryStatus(rank: Int(record.status), failure: record.failure)
        var status = known
        status.merge(reported)
        guard status != known else { return }
        record.status = UInt32(status.rank)
        if case .failed(let reason) = status { record.failure = reason.rawValue }
        let conversation = ConversationID.direct(peer)
        step.put(.messages, id.bytes, conversation: conversation, sequence: sequence, record)
        step.perform(.tell(.status(id, status)))
    }

    private func outgoingRecord(
        _ id: MessageID,
        _ content: [UInt8],
        to peer: PeerID,
        at time: ChatTime
    ) -> ProtoMessageRecord {
        var record = ProtoMessageRecord()
        record.id = .bytes(id.bytes)
        record.sender = .bytes(ownID.bytes)
        record.conversation = .bytes(peer.bytes)
        record.content = .bytes(content)
        record.receivedAt = time.wall
        record.outgoing = true
        return record
    }
}
