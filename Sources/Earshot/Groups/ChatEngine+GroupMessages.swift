package import ChatCrypto
import ChatHistory
import MeshCore

/// Messages to groups: one envelope for all members, shown with the member whose key signed it.
extension ChatEngine {
    /// Writes a text to a group: it is sealed once for all members.
    package mutating func send(
        _ text: String,
        to group: GroupID,
        in transaction: inout ChatTransaction
    ) throws -> Message {
        let before = try checkSending(text, to: group)
        guard var state = groups.states[group] else { throw Self.notMember(group, groups) }
        let body = MessageContent.Text(text)
        let order = state.record.nextOrder
        let content = MessageContent.text(body, order: order, salt: randomBytes(16), at: transaction.time)
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
        state.record.nextOrder += 1
        groups.states[group] = state
        if let key = sealed.newKey {
            for member in before.recipients { try send(key, of: before, to: member.identity, in: &transaction) }
        }
        var record = ProtoMessageRecord()
        record.id = .init(MessageContent.id(of: content, from: ownID, to: group).bytes)
        record.sender = .init(ownID.bytes)
        record.group = .init(group.bytes)
        record.content = .init(content)
        record.receivedAt = transaction.time.wall
        record.outgoing = true
        record.recipients = .init(before.recipients.flatMap(\.identity.id.bytes))
        record.statuses = .init(before.recipients.map { _ in GroupReception.waiting.rawValue })
        guard
            let message = try place(
                record,
                saying: (.text(body), transaction.time.wall, order),
                in: group,
                &transaction
            )
        else { throw ChatError(.notFound, "The message was not kept.") }
        post(message.id, sealed.message.body, in: group, in: &transaction)
        return message
    }

    /// Refuses what cannot be sent to this group, or not now; answers its session.
    private func checkSending(_ text: String, to group: GroupID) throws -> GroupSession {
        guard let session = groups.membership(group) else { throw Self.notMember(group, groups) }
        guard session.log.fork == nil else { throw Self.frozen }
        guard !text.isEmpty else { throw ChatError(.empty, "There is no text to send.") }
        guard text.utf8.count <= ChatLimits.textByteCount else {
            var error = ChatError(.tooLarge, "A text to a group holds at most \(ChatLimits.textByteCount) bytes.")
            error.limit = ChatLimits.textByteCount
            throw error
        }
        guard !session.recipients.isEmpty else { throw ChatError(.notFound, "Nobody else is in the group.") }
        guard outbox.noteCount + session.recipients.count < ChatLimits.noteCount else { throw Self.tooManyNotes }
        try checkOutbox()
        return session
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
        guard trust.mayReceive(from: sender), let decoded = MessageContent.decode(content), decoded.body.isMessage
        else { return }
        let id = MessageContent.id(of: content, from: sender, to: group)
        owe(id, to: sender, in: group, &transaction)
        guard try transaction.record(.messages, id.bytes) == nil else { return }
        var record = ProtoMessageRecord()
        record.id = .init(id.bytes)
        record.sender = .init(sender.bytes)
        record.group = .init(group.bytes)
        record.content = .init(content)
        record.receivedAt = transaction.time.wall
        record.status = UInt32(DeliveryStatus.delivered.rank)
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
        if case .text = content.body, !record.outgoing { state.record.unread += 1 }
        groups.states[group] = state
        touch(group, in: &transaction)
        let name = [UInt8](record.id)
        transaction.put(.messages, name, conversation: conversation, sequence: sequence, record)
        let message = message(from: record, saying: content, in: .group(group))
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
        if let record = groups.states[group]?.record { transaction.put(.groups, group.bytes, record) }
    }
}
