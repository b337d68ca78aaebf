package import ChatCrypto
import ChatHistory
import MeshCore

/// Messages to groups: one envelope for all members, shown with the member whose key signed it.
extension ChatEngine {
    /// Writes a text to a group: it is sealed once for all members.
    package mutating func send(
        _ text: String,
        _ options: MessageOptions = MessageOptions(),
        to group: GroupID,
        in transaction: inout ChatTransaction
    ) throws -> Message {
        guard groups.membership(group) != nil else { throw Self.notMember(group, groups) }
        guard !text.isEmpty else { throw ChatError(.empty, "There is no text to send.") }
        guard text.utf8.count <= ChatLimits.textByteCount else {
            var error = ChatError(.tooLarge, "A text to a group holds at most \(ChatLimits.textByteCount) bytes.")
            error.limit = ChatLimits.textByteCount
            throw error
        }
        try checkWriting(to: group)
        let context = try context(options, naming: text, in: .group(group), transaction)
        return try post(.text(MessageContent.Text(text)), context, to: group, in: &transaction)
    }

    /// Puts what was checked into a group's history, sealed once for all members.
    mutating func post(
        _ body: MessageContent.Body,
        _ context: MessageContext,
        to group: GroupID,
        in transaction: inout ChatTransaction
    ) throws -> Message {
        guard let order = groups.states[group]?.record.nextOrder else { throw Self.notMember(group, groups) }
        let decoded = MessageContent.Decoded(body, sentAt: transaction.time.wall, order: order, context: context)
        let content = MessageContent.message(decoded, salt: randomBytes(16))
        guard let message = try post(content, saying: decoded, to: group, in: &transaction).message else {
            throw ChatError(.notFound, "The message was not kept.")
        }
        return message
    }

    /// Seals a content for all members and spreads it until they have it; a change too has a place in the history, for
    /// there it is noted who has it, but is not shown.
    mutating func post(
        _ content: [UInt8],
        saying decoded: MessageContent.Decoded,
        to group: GroupID,
        in transaction: inout ChatTransaction
    ) throws -> (id: MessageID, message: Message?) {
        guard var state = groups.states[group], let before = groups.membership(group) else {
            throw Self.notMember(group, groups)
        }
        let sealed: (message: SealedGroupMessage, newKey: SenderKeyMessage?, change: SessionChange)?
        do {
            let now = transaction.time.seconds
            sealed = try groups.table.update(group) { (session: inout GroupSession) throws(CryptoError) in
                try session.seal(content, at: now)
            }
        } catch {
            throw ChatError(error)
        }
        guard let sealed else { throw Self.notMember(group, groups) }
        records.write(sealed.change, in: &transaction)
        if decoded.order > 0 { state.record.nextOrder += 1 }
        groups.states[group] = state
        if let key = sealed.newKey {
            for member in before.recipients { try send(key, of: before, to: member.identity, in: &transaction) }
        }
        let id = MessageContent.id(of: content, from: ownID, to: group)
        var record = ProtoMessageRecord()
        record.id = .init(id.bytes)
        record.sender = .init(ownID.bytes)
        record.conversation = .init(group.bytes)
        // A change is in its envelope already, and part of what it changes.
        record.content = .init(decoded.body.isMessage ? content : MessageContent.remains(of: content))
        record.receivedAt = transaction.time.wall
        record.outgoing = true
        record.receptions = before.recipients.map { member in
            var reception = ProtoReceptionRecord()
            reception.member = .init(member.identity.id.bytes)
            reception.status = UInt32(GroupReception.waiting.rawValue)
            return reception
        }
        let message = try place(record, saying: decoded, in: group, &transaction)
        post(id, sealed.message.body, in: group, in: &transaction)
        return (id, message)
    }

    /// Refuses what cannot be written to this group, or not now.
    func checkWriting(to group: GroupID) throws {
        guard let session = groups.membership(group) else { throw Self.notMember(group, groups) }
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
            try receive(content, from: sender.id, in: opened.group, &transaction)
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
            return try take(operation, from: content, in: .group(group), &transaction)
        }
        guard decoded.body.isMessage else { return }
        owe(id, to: sender, in: group, &transaction)
        guard try transaction.record(.messages, id.bytes) == nil else { return }
        var record = ProtoMessageRecord()
        record.id = .init(id.bytes)
        record.sender = .init(sender.bytes)
        record.conversation = .init(group.bytes)
        record.content = .init(content)
        record.receivedAt = transaction.time.wall
        record.status = UInt32(DeliveryStatus.delivered.rank)
        try absorbEarly(into: &record, &transaction)
        try place(record, saying: decoded, in: group, &transaction)
    }

    /// Puts a message at the end of its group's conversation and tells it; nil if it is not one to show.
    @discardableResult
    private mutating func place(
        _ record: ProtoMessageRecord,
        saying content: MessageContent.Decoded,
        in group: GroupID,
        _ transaction: inout ChatTransaction
    ) throws -> Message? {
        var state = groups.states[group] ?? GroupState(group)
        let conversation = transaction.conversationID(group)
        let sequence: UInt64
        if let next = state.nextSequence {
            sequence = next
        } else {
            let highest = try transaction.highestSequence(conversation)
            // The number stands in clear: only somebody who changed the file can have put it there.
            guard highest < .max else { throw StoreError(.tampered, table: .messages) }
            sequence = highest + 1
        }
        state.nextSequence = sequence + 1
        if content.body.isWritten, !record.outgoing { state.record.unread += 1 }
        groups.states[group] = state
        touch(group, in: &transaction)
        let name = [UInt8](record.id)
        transaction.put(.messages, name, conversation: conversation, sequence: sequence, record)
        if content.context.seconds > 0, record.gone == 0 {
            try keepTimer(of: record, seconds: content.context.seconds, at: sequence, in: &transaction)
        }
        let message = try message(from: record, saying: content, in: transaction)
        if let message { transaction.perform(.tell(.message(message))) }
        return message
    }

    /// Marks all messages of a group as looked at.
    package mutating func markRead(_ group: GroupID, in transaction: inout ChatTransaction) throws {
        guard let unread = groups.states[group]?.record.unread, unread > 0 else { return }
        if sendsReadReceipts, groups.membership(group) != nil {
            try sendReadReceipts(for: group, unread: unread, in: &transaction)
        }
        groups.states[group]?.record.unread = 0
        startTimers(of: .group(group), upTo: .max, in: &transaction)
        if let record = groups.states[group]?.record { transaction.put(.groups, group.bytes, record) }
        guard let group = view(of: group) else { return }
        transaction.perform(.tell(.conversation(try conversation(of: group, in: transaction))))
    }
}
