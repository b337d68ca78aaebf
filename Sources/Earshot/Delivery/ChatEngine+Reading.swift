package import ChatCrypto
import ChatHistory
import SwiftProtobuf

extension ChatEngine {
    /// Marks messages of a conversation as looked at: all, or those up to one; the mark only ever moves forward.
    package mutating func markRead(
        _ peer: PeerID,
        upTo last: MessageID? = nil,
        in transaction: inout ChatTransaction
    ) throws {
        guard var state = conversations[peer] else {
            guard last == nil else { throw Self.noSuchMessage }
            return
        }
        let row = transaction.conversationID(peer)
        let newest = try state.nextSequence.map { $0 - 1 } ?? transaction.highestSequence(row)
        let place = try last.map { try self.place(of: $0, in: .direct(peer), transaction) } ?? newest
        guard place > state.record.readSequence || state.record.unread > 0 && place == newest else { return }
        let unread = try place == newest ? 0 : unreadCount(of: peer, after: place, in: transaction)
        let seen = state.record.unread - min(state.record.unread, unread)
        if seen > 0, let receipt = try readReceipt(for: peer, unread: seen, upTo: place, in: transaction),
            let recipient = trust[peer]?.identity
        {
            _ = try launchReceipt(receipt, to: recipient, in: &transaction)
        }
        state.record.unread = min(state.record.unread, unread)
        state.record.readSequence = max(state.record.readSequence, place)
        conversations[peer] = state
        transaction.put(.conversations, peer.bytes, state.record)
        startTimers(of: .direct(peer), upTo: place, in: &transaction)
        transaction.perform(.tell(.conversation(try conversation(with: peer, state, in: transaction))))
    }

    /// Where a message stands in its conversation.
    func place(
        of id: MessageID,
        in conversation: ConversationID,
        _ transaction: ChatTransaction
    ) throws -> UInt64 {
        guard let (sequence, plaintext) = try transaction.record(.messages, id.bytes),
            let record = try? ProtoMessageRecord(serializedBytes: plaintext), record.conversationID == conversation
        else { throw Self.noSuchMessage }
        return sequence
    }

    static var noSuchMessage: ChatError { ChatError(.notFound, "No message of this conversation has this id.") }

    /// How many messages that a peer wrote stand after a place; more than are unread are not counted.
    private func unreadCount(of peer: PeerID, after place: UInt64, in transaction: ChatTransaction) throws -> UInt64 {
        let limit = conversations[peer]?.record.unread ?? 0
        var (count, before): (UInt64, UInt64?) = (0, nil)
        while count < limit {
            let page = try transaction.page(of: peer, before: before, limit: ChatLimits.pageCount)
            for record in page {
                guard count < limit, let id = MessageID(bytes: record.id),
                    let sequence = try transaction.record(.messages, id.bytes)?.sequence, sequence > place
                else { return count }
                before = sequence
                let isWritten = MessageContent.decode([UInt8](record.content))?.body.isWritten ?? false
                if !record.outgoing, isWritten || record.gone != 0 { count += 1 }
            }
            if page.count < ChatLimits.pageCount { break }
        }
        return count
    }
}
