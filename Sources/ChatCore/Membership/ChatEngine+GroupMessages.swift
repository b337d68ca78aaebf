package import ChatCrypto
import MeshCore

/// Messages to groups: one envelope for all members, shown with the member whose key signed it.
extension ChatEngine {
    /// Writes a text to a group: it is sealed once for all members, and so are its files.
    ///
    /// - Parameters:
    ///   - files: What goes with it, sealed in the folder already.
    ///   - longText: The text itself, sealed in the folder, where it is too long for a content.
    package mutating func send(
        _ text: String,
        files: [SealedFile] = [],
        longText: SealedFile? = nil,
        _ options: MessageOptions = MessageOptions(),
        to group: GroupID
    ) throws -> Message {
        guard groups.membership(group) != nil else { throw Self.notMember(group, groups) }
        let objects = MessageObjects(files: files, longText: longText, text: text)
        let (body, context) = try compose(text, objects, options, to: conversationID(of: group))
        clearDraft(in: conversationID(of: group))
        return try post(.text(body), context, objects, to: group)
    }

    /// Puts what was checked into a group's history, sealed once for all members.
    mutating func post(
        _ body: MessageContent.Body,
        _ context: MessageContext,
        _ objects: MessageObjects = MessageObjects(),
        to group: GroupID
    ) throws -> Message {
        guard let order = groups.states[group]?.record.nextOrder else { throw Self.notMember(group, groups) }
        let decoded = MessageContent.Decoded(body, sentAt: step.time.wall, order: order, context: context)
        let content = MessageContent.message(decoded, salt: randomBytes(16))
        guard let message = try post(content, saying: decoded, objects, to: group).message else {
            throw ChatError(.notFound, "The message was not kept.")
        }
        return message
    }

    /// Seals a content for all members and spreads it until they have it; a change too has a place in the history, for
    /// there it is noted who has it, but is not shown.
    mutating func post(
        _ content: [UInt8],
        saying decoded: MessageContent.Decoded,
        _ objects: MessageObjects = MessageObjects(),
        to group: GroupID
    ) throws -> (id: MessageID, message: Message?) {
        guard var state = groups.states[group], let before = groups.membership(group) else {
            throw Self.notMember(group, groups)
        }
        let sealed: (message: SealedGroupMessage, newKey: SenderKeyMessage?)?
        do {
            let now = step.time.seconds
            sealed = try groups.table.update(group) { (session: inout GroupSession) throws(CryptoError) in
                try session.seal(content, at: now)
            }
        } catch {
            throw ChatError(refusal: error)
        }
        guard let sealed else { throw Self.notMember(group, groups) }
        if decoded.order > 0 { state.record.nextOrder += 1 }
        groups.states[group] = state
        if let key = sealed.newKey {
            for member in before.recipients { try send(key, of: before, to: member.identity) }
        }
        let id = MessageContent.id(of: content, from: ownID, to: group)
        var record = ProtoMessageRecord()
        record.id = .bytes(id.bytes)
        record.sender = .bytes(ownID.bytes)
        record.conversation = .bytes(conversationID(of: group).bytes)
        // A change is in its envelope already, and part of what it changes.
        record.content = .bytes(decoded.body.isMessage ? content : MessageContent.remains(of: content))
        record.receivedAt = step.time.wall
        record.outgoing = true
        record.receptions = before.recipients.map { member in
            var reception = ProtoReceptionRecord()
            reception.member = .bytes(member.identity.id.bytes)
            reception.status = UInt32(GroupReception.waiting.rawValue)
            return reception
        }
        record.longText = objects.shownText
        keepFiles(objects.all, of: id, to: conversationID(of: group))
        record.epoch = sealed.message.epoch
        let message = try place(record, saying: decoded, in: group)
        post(id, sealed.message.body, in: group)
        spreadFiles(of: id)
        return (id, message)
    }

    /// Refuses what cannot be written to this group, or not now.
    func checkWriting(to group: GroupID) throws {
        guard let session = groups.membership(group) else { throw Self.notMember(group, groups) }
        try checkStanding()
        guard session.log.fork == nil else { throw Self.frozen }
        guard !session.recipients.isEmpty else { throw ChatError(.notFound, "Nobody else is in the group.") }
        guard outbox.noteCount + session.recipients.count < ChatLimits.noteCount else { throw Self.tooManyNotes }
        try checkOutbox()
    }

    /// Opens what is for a group; anything else changes nothing.
    mutating func receiveGroupMessage(_ envelope: Envelope) throws {
        guard envelope.kind == .sealed,
            let opened = groups.table.open(
                InboundPacket(kind: .sealed, body: envelope.body),
                at: step.time.seconds
            )
        else { return }
        records.write(opened.change, in: &step)
        switch opened.opening {
        case .message(let content, let sender):
            try receive(content, from: sender.id, sealedIn: opened.epoch, in: opened.group)
        case .equivocation(let member):
            guard groups.accused.insert(GroupBook.Accusation(group: opened.group, member: member.id)).inserted else {
                return
            }
            step.perform(.tell(.group(opened.group, .equivocation(by: member.id))))
        case .needsKey, .refused: break
        }
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
            owe(id, to: sender, in: group)
            let operation = ChangeOperation(
                id: id,
                author: sender,
                target: target,
                sentAt: decoded.sentAt,
                change
            )
            // Its key was taken as that of a member alone.
            try take(operation, from: content, in: conversationID(of: group))
            return try handOn(target, sealedIn: epoch, in: group)
        }
        guard decoded.body.isMessage, !blobs.isIncomplete(id) else { return }
        owe(id, to: sender, in: group)
        if let question = decoded.context.replyTo { growing.end(question, by: sender) }
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
        try absorbEarly(into: &record)
        try place(record, saying: decoded, in: group)
        try handOn(id, sealedIn: epoch, in: group)
        guard case .text(let text) = decoded.body, !text.objects.isEmpty, record.gone == 0 else { return }
        try expectFiles(of: record, from: sender)
    }

    /// Puts a message at the end of its group's conversation and tells it; nil if it is not one to show.
    @discardableResult
    mutating func place(
        _ record: ProtoMessageRecord,
        saying content: MessageContent.Decoded,
        in group: GroupID
    ) throws -> Message? {
        let conversation = conversationID(of: group)
        let sequence = try takePlaceAtEnd(of: group)
        var state = groups.states[group] ?? GroupState(group)
        if content.body.isWritten, !record.outgoing { state.record.unread += 1 }
        groups.states[group] = state
        touch(group)
        let name = [UInt8](record.id)
        step.put(.messages, name, conversation: conversation, sequence: sequence, record)
        noteArrival(record, at: sequence, in: conversationID(of: group))
        if content.context.seconds > 0, record.gone == 0 {
            try keepTimer(of: record, seconds: content.context.seconds, at: sequence)
        }
        if case .timer(let seconds, let number) = content.body, let id = MessageID(bytes: record.id) {
            let setting = ConversationTimer(seconds: seconds, Revision(number, id))
            takeTimer(setting, of: PeerID(bytes: record.sender), in: conversationID(of: group))
        }
        let message = try message(from: record, saying: content)
        if let message { step.perform(.tell(.message(message))) }
        return message
    }

    /// The place after all messages of a group, which the next one gets.
    package mutating func takePlaceAtEnd(of group: GroupID) throws -> UInt64 {
        var state = groups.states[group] ?? GroupState(group)
        let place = try state.nextSequence ?? Self.place(after: highestPlace(in: group))
        state.nextSequence = place + 1
        groups.states[group] = state
        return place
    }
}
