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
        to group: GroupID,
        in transaction: inout ChatTransaction
    ) throws -> Message {
        guard groups.membership(group) != nil else { throw Self.notMember(group, groups) }
        let objects = MessageObjects(files: files, longText: longText, text: text)
        let (body, context) = try compose(text, objects, options, to: conversationID(of: group), transaction)
        clearDraft(in: conversationID(of: group), in: &transaction)
        return try post(.text(body), context, objects, to: group, in: &transaction)
    }

    /// Puts what was checked into a group's history, sealed once for all members.
    mutating func post(
        _ body: MessageContent.Body,
        _ context: MessageContext,
        _ objects: MessageObjects = MessageObjects(),
        to group: GroupID,
        in transaction: inout ChatTransaction
    ) throws -> Message {
        guard let order = groups.states[group]?.record.nextOrder else { throw Self.notMember(group, groups) }
        let decoded = MessageContent.Decoded(body, sentAt: transaction.time.wall, order: order, context: context)
        let content = MessageContent.message(decoded, salt: randomBytes(16))
        guard let message = try post(content, saying: decoded, objects, to: group, in: &transaction).message else {
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
        to group: GroupID,
        in transaction: inout ChatTransaction
    ) throws -> (id: MessageID, message: Message?) {
        guard var state = groups.states[group], let before = groups.membership(group) else {
            throw Self.notMember(group, groups)
        }
        let sealed: (message: SealedGroupMessage, newKey: SenderKeyMessage?)?
        do {
            let now = transaction.time.seconds
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
            for member in before.recipients { try send(key, of: before, to: member.identity, in: &transaction) }
        }
        let id = MessageContent.id(of: content, from: ownID, to: group)
        var record = ProtoMessageRecord()
        record.id = .bytes(id.bytes)
        record.sender = .bytes(ownID.bytes)
        record.conversation = .bytes(conversationID(of: group).bytes)
        // A change is in its envelope already, and part of what it changes.
        record.content = .bytes(decoded.body.isMessage ? content : MessageContent.remains(of: content))
        record.receivedAt = transaction.time.wall
        record.outgoing = true
        record.receptions = before.recipients.map { member in
            var reception = ProtoReceptionRecord()
            reception.member = .bytes(member.identity.id.bytes)
            reception.status = UInt32(GroupReception.waiting.rawValue)
            return reception
        }
        record.longText = objects.shownText
        keepFiles(objects.all, of: id, to: conversationID(of: group), in: &transaction)
        record.epoch = sealed.message.epoch
        let message = try place(record, saying: decoded, in: group, &transaction)
        post(id, sealed.message.body, in: group, in: &transaction)
        spreadFiles(of: id, in: &transaction)
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
    mutating func receiveGroupMessage(_ envelope: Envelope, in transaction: inout ChatTransaction) throws {
        guard envelope.kind == .sealed,
            let opened = groups.table.open(
                InboundPacket(kind: .sealed, body: envelope.body),
                at: transaction.time.seconds
            )
        else { return }
        records.write(opened.change, in: &transaction)
        switch opened.opening {
        case .message(let content, let sender):
            try receive(content, from: sender.id, sealedIn: opened.epoch, in: opened.group, &transaction)
        case .equivocation(let member):
            guard groups.accused.insert(GroupBook.Accusation(group: opened.group, member: member.id)).inserted else {
                return
            }
            transaction.perform(.tell(.group(opened.group, .equivocation(by: member.id))))
        case .needsKey, .refused: break
        }
    }

    private mutating func receive(
        _ content: [UInt8],
        from sender: PeerID,
        sealedIn epoch: UInt32,
        in group: GroupID,
        _ transaction: inout ChatTransaction
    ) throws {
        guard trust.mayReceive(from: sender), let decoded = MessageContent.decode(content) else { return }
        let id = MessageContent.id(of: content, from: sender, to: group)
        if case .change(let target, let change) = decoded.body {
            owe(id, to: sender, in: group, &transaction)
            let operation = ChangeOperation(
                id: id,
                author: sender,
                target: target,
                sentAt: decoded.sentAt,
                change
            )
            // Its key was taken as that of a member alone.
            try take(operation, from: content, in: conversationID(of: group), &transaction)
            return try handOn(target, sealedIn: epoch, in: group, &transaction)
        }
        guard decoded.body.isMessage, !blobs.isIncomplete(id) else { return }
        owe(id, to: sender, in: group, &transaction)
        if let question = decoded.context.replyTo { growing.end(question, by: sender) }
        guard try transaction.record(.messages, id.bytes) == nil else {
            return try authenticate(id, sealedIn: epoch, in: group, &transaction)
        }
        var record = ProtoMessageRecord()
        record.id = .bytes(id.bytes)
        record.sender = .bytes(sender.bytes)
        record.conversation = .bytes(conversationID(of: group).bytes)
        record.content = .bytes(content)
        record.receivedAt = transaction.time.wall
        record.status = UInt32(DeliveryStatus.delivered.rank)
        record.epoch = epoch
        try absorbEarly(into: &record, &transaction)
        try place(record, saying: decoded, in: group, &transaction)
        try handOn(id, sealedIn: epoch, in: group, &transaction)
        guard case .text(let text) = decoded.body, !text.objects.isEmpty, record.gone == 0 else { return }
        try expectFiles(of: record, from: sender, in: &transaction)
    }

    /// Puts a message at the end of its group's conversation and tells it; nil if it is not one to show.
    @discardableResult
    mutating func place(
        _ record: ProtoMessageRecord,
        saying content: MessageContent.Decoded,
        in group: GroupID,
        _ transaction: inout ChatTransaction
    ) throws -> Message? {
        let conversation = conversationID(of: group)
        let sequence = try takePlaceAtEnd(of: group, in: transaction)
        var state = groups.states[group] ?? GroupState(group)
        if content.body.isWritten, !record.outgoing { state.record.unread += 1 }
        groups.states[group] = state
        touch(group, in: &transaction)
        let name = [UInt8](record.id)
        transaction.put(.messages, name, conversation: conversation, sequence: sequence, record)
        noteArrival(record, at: sequence, in: conversationID(of: group), transaction)
        if content.context.seconds > 0, record.gone == 0 {
            try keepTimer(of: record, seconds: content.context.seconds, at: sequence, in: &transaction)
        }
        if case .timer(let seconds, let number) = content.body, let id = MessageID(bytes: record.id) {
            let setting = ConversationTimer(seconds: seconds, Revision(number, id))
            takeTimer(setting, of: PeerID(bytes: record.sender), in: conversationID(of: group), &transaction)
        }
        let message = try message(from: record, saying: content, in: transaction)
        if let message { transaction.perform(.tell(.message(message))) }
        return message
    }

    /// The place after all messages of a group, which the next one gets.
    package mutating func takePlaceAtEnd(of group: GroupID, in transaction: ChatTransaction) throws -> UInt64 {
        var state = groups.states[group] ?? GroupState(group)
        let place = try state.nextSequence ?? Self.place(after: highestPlace(in: group, transaction))
        state.nextSequence = place + 1
        groups.states[group] = state
        return place
    }
}
