import ChatCrypto
import MeshCore

/// Messages to groups: one envelope for all members, shown with the member whose key signed it.
extension ChatEngine {
    /// Seals a content once for all members, and hands them the sender key where it is new.
    mutating func sealForMembers(
        _ content: [UInt8],
        of group: GroupID
    ) throws -> (body: [UInt8], epoch: UInt32, recipients: [PeerID]) {
        guard groups.states[group] != nil, let before = groups.membership(group) else {
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
        if let key = sealed.newKey {
            for member in before.recipients { try send(key, of: before, to: member.identity) }
        }
        return (sealed.message.body, sealed.message.epoch, before.recipients.map(\.identity.id))
    }

    /// Refuses what cannot be written to this group, or not now.
    func checkWriting(to group: GroupID) throws {
        guard let session = groups.membership(group) else { throw Self.notMember(group, groups) }
        try standing.checkWriting()
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
            owe(id, to: sender, in: conversationID(of: group))
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
        guard decoded.body.isMessage, !attachments.objects.isIncomplete(id) else { return }
        owe(id, to: sender, in: conversationID(of: group))
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
        try handOn(id, sealedIn: epoch, in: group)
        guard case .text(let text) = decoded.body, !text.objects.isEmpty, record.gone == 0 else { return }
        try expectFiles(of: record, from: sender)
    }
}
