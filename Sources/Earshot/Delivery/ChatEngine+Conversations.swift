package import ChatCrypto
import ChatHistory
import Foundation
import MeshCore

extension ChatEngine {
    /// An empty conversation that this node's user begins.
    func newConversation(with peer: PeerID) -> ConversationState {
        var record = ProtoConversationRecord()
        record.peer = .init(peer.bytes)
        record.nextOrder = 1
        record.expectedOrder = 1
        return ConversationState(record: record)
    }

    /// An empty conversation that a peer begins; a stranger's is a request, and the oldest one makes room for it.
    mutating func newConversationFromPeer(
        _ peer: PeerID,
        in transaction: inout ChatTransaction
    ) throws -> ConversationState {
        var state = newConversation(with: peer)
        state.record.changedAt = transaction.time.wall
        guard trust.state(of: peer) == .unknown else { return state }
        state.record.request = true
        let requests = conversations.filter { $0.value.record.request }
        if requests.count >= ChatLimits.requestCount,
            let oldest = requests.min(by: { ($0.value.record.changedAt, $0.key) < ($1.value.record.changedAt, $1.key) })
        {
            forget(oldest.key, in: &transaction)
        }
        return state
    }

    /// Destroys a conversation and its key.
    private mutating func forget(_ peer: PeerID, in transaction: inout ChatTransaction) {
        conversations[peer] = nil
        for id in owed.forget(peer) {
            transaction.delete(.owed, id.bytes)
        }
        for blob in blobs.removeAll(of: peer) {
            transaction.delete(.blobs, blob.id.name)
            transaction.deleteBlob(blob.file)
            transaction.perform(.transfer(.drop(blob.id, file: blob.file)))
        }
        while let next = held.takeFirst(of: peer) {
            transaction.delete(.held, next.id.bytes)
        }
        // Else strangers who come and go would fill the table of sessions, and nobody new could write.
        records.write(sessions.teardown(peer), in: &transaction)
        transaction.destroyConversation(transaction.conversationID(peer))
        transaction.delete(.conversations, peer.bytes)
    }

    /// Puts a message at the end of its conversation and tells it; nil if it is not one to show now.
    @discardableResult
    mutating func place(
        _ record: ProtoMessageRecord,
        saying content: MessageContent.Decoded,
        in peer: PeerID,
        in transaction: inout ChatTransaction
    ) throws -> Message? {
        var state = conversations[peer] ?? newConversation(with: peer)
        let sequence: UInt64
        if let next = state.nextSequence {
            sequence = next
        } else {
            let highest = try transaction.highestSequence(peer)
            // The number stands in clear: only somebody who changed the file can have put it there.
            guard highest < .max else { throw StoreError(.tampered, table: .messages) }
            sequence = highest + 1
        }
        state.nextSequence = sequence + 1
        state.record.changedAt = transaction.time.wall
        conversations[peer] = state
        transaction.put(.conversations, peer.bytes, state.record)
        let conversation = transaction.conversationID(peer)
        transaction.put(.messages, [UInt8](record.id), conversation: conversation, sequence: sequence, record)
        let message = message(from: record, saying: content, with: peer)
        if let message { transaction.perform(.tell(.message(message))) }
        return message
    }

    /// A stored message as people see it; nil for content of a kind this version does not show, and while it is not
    /// wholly here.
    func message(from record: ProtoMessageRecord, with peer: PeerID) -> Message? {
        MessageContent.decode([UInt8](record.content)).flatMap { message(from: record, saying: $0, with: peer) }
    }

    private func message(
        from record: ProtoMessageRecord,
        saying content: MessageContent.Decoded,
        with peer: PeerID
    ) -> Message? {
        guard let id = MessageID(bytes: record.id), let sender = PeerID(bytes: record.sender),
            case .text(let text) = content.body,
            // A long text is shown when it is here.
            text.longText == nil || !record.longText.isEmpty
        else { return nil }
        return Message(
            id: id,
            conversation: .direct(peer),
            sender: sender,
            senderName: sender == ownID ? nickname : name(of: sender),
            text: text.longText == nil ? text.text : record.longText,
            files: files(text.files, of: id),
            sentAt: Date(timeIntervalSince1970: Double(content.sentAt) / 1_000),
            receivedAt: Date(timeIntervalSince1970: Double(record.receivedAt) / 1_000),
            isOutgoing: record.outgoing,
            isRequest: conversations[peer]?.record.request ?? false,
            status: DeliveryStatus(rank: Int(record.status), failure: record.failure)
        )
    }

    /// Marks all messages of a conversation as looked at.
    package mutating func markRead(_ peer: PeerID, in transaction: inout ChatTransaction) throws {
        guard var state = conversations[peer], state.record.unread > 0 else { return }
        if let receipt = try readReceipt(for: peer, unread: state.record.unread, in: transaction),
            let recipient = trust[peer]?.identity
        {
            _ = try launchReceipt(receipt, to: recipient, in: &transaction)
        }
        state.record.unread = 0
        conversations[peer] = state
        transaction.put(.conversations, peer.bytes, state.record)
        transaction.perform(.tell(.conversation(try conversation(with: peer, state, in: transaction))))
    }

    /// Ends the sessions with a peer here and tells it, if it can be told.
    package mutating func endSession(with peer: PeerID, in transaction: inout ChatTransaction) {
        let (messages, change) = sessions.end(with: peer, at: transaction.time.seconds)
        records.write(change, in: &transaction)
        for message in messages {
            guard let kind = EnvelopeKind(rawValue: message.kind.rawValue) else { continue }
            transaction.perform(.submit(kind: kind, body: message.body, life: ChatLimits.sealedLife))
        }
    }
}
