import ChatCrypto
import SwiftProtobuf

/// What members do to messages that were sent before.
///
/// A change is kept until its message is here; then it becomes part of the message's record, which is written with it.
/// Source: PROTOCOL §10 changes.
extension ChatEngine {
    /// Takes a change that came out of a session; of a stranger only one of what it wrote before.
    ///
    /// - Parameter recipient: The identity that it was sent to.
    mutating func receiveChange(
        _ opened: OpenedMessage,
        _ content: MessageContent.Decoded,
        for recipient: PeerID
    ) throws {
        let peer = opened.sender.id
        guard case .change(let target, let change) = content.body else { return }
        let isFriend = isAccepted(peer)
        guard isFriend || conversations[peer] != nil else { return ignore(.notMember) }
        let id = MessageContent.id(of: opened.content, from: peer, to: recipient)
        try owe(id, isFriend ? [] : opened.preimage?.bytes ?? [], to: peer)
        if var state = conversations[peer], state.record.request {
            state.record.received += 1
            conversations[peer] = state
            step.put(.conversations, peer.bytes, state.record)
        }
        let operation = ChangeOperation(id: id, author: peer, target: target, sentAt: content.sentAt, change)
        try take(operation, from: opened.content, in: .direct(peer))
    }

    /// Takes a change.
    ///
    /// - Parameters:
    ///   - content: The content that it stands in, exactly as it was sealed.
    ///   - conversation: The conversation by whose keys it came.
    ///   - isMember: Whether its author belongs to that; of a direct one both sides do.
    mutating func take(
        _ operation: ChangeOperation,
        from content: [UInt8],
        in conversation: ConversationID,
        isMember: Bool = true
    ) throws {
        guard isMember else { return ignore(.notMember) }
        guard let (sequence, plaintext) = try step.record(.messages, operation.target.bytes),
            case var record = try ChatStep.decode(plaintext, as: ProtoMessageRecord.self)
        else { return keepEarly(operation, content, in: conversation) }
        guard record.conversationID == conversation else { return ignore(.elsewhere) }
        guard try apply(operation, to: &record) else { return }
        let row = conversation
        let name = operation.target.bytes
        if record.gone == 0 {
            step.put(.messages, name, conversation: row, sequence: sequence, record)
        } else {
            step.erase(.messages, name, conversation: row, sequence: sequence, leaving: record)
        }
        if let message = try message(from: record) { step.perform(.tell(.changed(message))) }
    }

    /// Applies a change to a message's record; false if that stays as it is.
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

    // MARK: - Changes before their message

    private mutating func keepEarly(
        _ operation: ChangeOperation,
        _ content: [UInt8],
        in conversation: ConversationID
    ) {
        guard !early.contains(operation.id) else { return }
        var record = ProtoEarlyRecord()
        record.id = .bytes(operation.id.bytes)
        record.author = .bytes(operation.author.bytes)
        record.conversation = .bytes(conversation.bytes)
        record.content = .bytes(content)
        record.receivedAt = step.time.wall
        step.put(.early, operation.id.bytes, record)
        let entry = EarlyChanges.Entry(
            id: operation.id,
            target: operation.target,
            author: operation.author,
            receivedAt: record.receivedAt
        )
        for id in early.add(entry) {
            step.delete(.early, id.bytes)
            ignore(.crowded)
        }
    }

    /// Applies the changes that came before a message to its record, which is about to be written for the first time.
    mutating func absorbEarly(
        into record: inout ProtoMessageRecord
    ) throws {
        guard let target = MessageID(bytes: record.id) else { return }
        for id in early.waiting(for: target) {
            early.remove(id)
            let stored = try step.message(.early, id.bytes, as: ProtoEarlyRecord.self)
            step.delete(.early, id.bytes)
            guard let stored, let operation = ChangeOperation(stored) else { continue }
            if stored.conversationID == record.conversationID {
                _ = try apply(operation, to: &record)
            } else {
                ignore(.elsewhere)
            }
        }
    }

    /// Forgets changes whose message has not come for long.
    mutating func expireEarly() {
        guard step.time.wall >= ContentLimits.earlyAge else { return }
        for id in early.older(than: step.time.wall - ContentLimits.earlyAge) where !step.isFull {
            early.remove(id)
            step.delete(.early, id.bytes)
        }
    }

    /// Forgets a peer's changes of messages that have not come.
    mutating func forgetEarly(by peer: PeerID) {
        for id in early.all(by: peer) {
            early.remove(id)
            step.delete(.early, id.bytes)
        }
    }

    mutating func restoreEarly() throws {
        let stored = try step.records(.early, as: ProtoEarlyRecord.self)
        let operations = stored.compactMap { record in ChangeOperation(record).map { (record.receivedAt, $0) } }
        for (receivedAt, operation) in operations.sorted(by: { ($0.0, $0.1.id) < ($1.0, $1.1.id) }) {
            let entry = EarlyChanges.Entry(
                id: operation.id,
                target: operation.target,
                author: operation.author,
                receivedAt: receivedAt
            )
            _ = early.add(entry)
        }
    }

    // MARK: - The end of a message

    /// Takes a message's content away, with its files and their keys; that it was there stays in its record.
    mutating func end(
        _ record: inout ProtoMessageRecord,
        _ end: MessageEnd
    ) throws {
        guard let id = MessageID(bytes: record.id) else { return }
        record.content = .bytes(MessageContent.remains(of: [UInt8](record.content)))
        record.longText = ""
        record.clearChanges()
        record.forgetVouchers()
        record.gone = end.rawValue
        let isIncomplete = blobs.isIncomplete(id)
        for entry in blobs.entries(of: id) {
            blobs.remove(entry.id)
            step.delete(.blobs, entry.id.name)
            step.deleteBlob(entry.file)
            step.perform(.transfer(.drop(entry.id, file: entry.file)))
        }
        if isIncomplete, !record.outgoing, let peer = PeerID(bytes: record.sender) {
            try confirmComplete(id, to: peer)
        }
        guard timers[id] != nil else { return }
        timers.remove(id)
        step.delete(.timers, id.bytes)
    }
}

extension ChangeTarget {
    /// What a change has to know of a stored message; nil if that cannot be read.
    init?(_ record: ProtoMessageRecord) {
        // What the log of a group tells is no content, and nobody's to change.
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

extension ProtoEarlyRecord {
    fileprivate var conversationID: ConversationID? { ConversationID(bytes: conversation) }
}

extension ChangeOperation {
    /// A change as it was kept; nil if it cannot be read.
    fileprivate init?(_ record: ProtoEarlyRecord) {
        guard let id = MessageID(bytes: record.id), let author = PeerID(bytes: record.author),
            let content = MessageContent.decode([UInt8](record.content)),
            case .change(let target, let change) = content.body
        else { return nil }
        self.init(id: id, author: author, target: target, sentAt: content.sentAt, change)
    }
}
