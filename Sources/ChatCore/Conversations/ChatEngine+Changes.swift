import ChatCrypto
import SwiftProtobuf

/// The changes that members make to messages that were sent before.
///
/// A change is kept until its message is here; then it becomes part of the message's record, which is written with it.
/// Source: PROTOCOL §10 changes.
extension ChatEngine {
    /// Handles a change from a session; an unknown peer may only change its own earlier messages.
    ///
    /// - Parameters:
    ///   - bytes: The content exactly as it was sealed.
    ///   - proof: The delivery proof of its envelope.
    ///   - recipient: The identity that it was sent to.
    mutating func receiveChange(
        _ bytes: [UInt8],
        _ content: MessageContent.Decoded,
        _ proof: DeliveryProof?,
        from peer: PeerID,
        for recipient: PeerID
    ) throws {
        guard case .change(let target, let change) = content.body else { return }
        let isFriend = isAccepted(peer)
        let conversation = ConversationID.direct(peer)
        guard isFriend || conversations[conversation] != nil else { return ignore(.notMember) }
        let id = MessageContent.id(of: bytes, from: peer, to: recipient)
        let carriage = content.mayFollowTrail ? ReceiptCarriage.kept : nil
        addPendingReceipt(id, isFriend ? nil : proof, to: peer, in: conversation, carriage: carriage)
        if conversations[conversation]?.isRequest == true { conversations.noteReceived(conversation) }
        let operation = ChangeOperation(id: id, author: peer, target: target, sentAt: content.sentAt, change)
        try take(operation, from: bytes, in: conversation)
    }

    /// Handles a change.
    ///
    /// - Parameters:
    ///   - content: The content with the change, exactly as it was sealed.
    ///   - conversation: The conversation whose keys it arrived under.
    ///   - isMember: Whether its author belongs to that conversation; both sides belong to a direct one.
    mutating func take(
        _ operation: ChangeOperation,
        from content: [UInt8],
        in conversation: ConversationID,
        isMember: Bool = true
    ) throws {
        guard isMember else { return ignore(.notMember) }
        guard let (sequence, plaintext) = try step.record(.messages, operation.target.bytes),
            case var record = try ChatStep.decode(plaintext, as: ProtoMessageRecord.self)
        else {
            let evicted = pending.add(operation, content, in: conversation, at: step.time.wall)
            if evicted > 0 { ignoredChanges[.crowded, default: 0] += UInt64(evicted) }
            return
        }
        guard record.conversationID == conversation else { return ignore(.elsewhere) }
        guard try apply(operation, to: &record) else { return }
        let row = conversation
        let name = operation.target.bytes
        if record.gone == 0 {
            step.put(.messages, name, conversation: row, sequence: sequence, record)
        } else {
            step.erase(.messages, name, conversation: row, sequence: sequence, leaving: record)
        }
        if let message = try message(from: record) { step.perform(.notify(.changed(message))) }
    }

    /// Applies a change to a message's record; false if the record stays as it is.
    private mutating func apply(
        _ operation: ChangeOperation,
        to record: inout ProtoMessageRecord
    ) throws -> Bool {
        guard record.gone == 0, let target = ChangeTarget(record) else { return false }
        let before = MessageChanges(record.changes)
        var changes = before
        if let refusal = changes.apply(operation, to: target) { ignore(refusal) }
        guard changes != before else { return false }
        if changes.isDeleted {
            try end(&record, .deleted)
        } else {
            record.changes = changes.record
        }
        return true
    }

    private mutating func ignore(_ refusal: ChangeRefusal) { ignoredChanges[refusal, default: 0] += 1 }

    /// Applies the changes that arrived before a message to its record, before the first write of the record.
    mutating func absorbPending(
        into record: inout ProtoMessageRecord
    ) throws {
        guard let target = MessageID(bytes: record.id) else { return }
        for (operation, conversation) in try pending.take(for: target, in: step) {
            if conversation == record.conversationID {
                _ = try apply(operation, to: &record)
            } else {
                ignore(.elsewhere)
            }
        }
    }

    // MARK: - The deletion of a message

    /// Removes a message's content, with its files and their keys; its tombstone stays in the record.
    mutating func end(
        _ record: inout ProtoMessageRecord,
        _ end: DeletionReason
    ) throws {
        guard let id = MessageID(bytes: record.id) else { return }
        record.content = .bytes(MessageContent.tombstone(of: [UInt8](record.content)))
        record.longText = ""
        record.clearChanges()
        record.forgetAttesters()
        record.gone = end.rawValue
        attachments.forget(id, isOutgoing: record.outgoing)
        try settleAttachments()
        timers.remove(id)
    }
}

extension ChangeTarget {
    /// Reads the facts of a stored message that decide about changes; nil if it cannot be read.
    init?(_ record: ProtoMessageRecord) {
        // A line of a group's log is no content, and nobody changes it.
        guard let author = PeerID(bytes: record.sender),
            let content = MessageContent.decode([UInt8](record.content))
        else { return nil }
        switch content.body {
        case .text: self.init(author: author, .text)
        case .poll(let poll): self.init(author: author, .poll(poll))
        case .timer, .receipt, .change, .groupNote, .statement, .unknown: self.init(author: author, .other)
        }
    }
}
