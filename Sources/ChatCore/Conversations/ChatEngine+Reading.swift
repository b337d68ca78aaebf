package import ChatCrypto
import SwiftProtobuf

extension ChatEngine {
    /// Marks messages of a conversation as read: all, or those up to one; the mark only ever moves forward.
    package mutating func markRead(
        _ conversation: ConversationID,
        upTo last: MessageID? = nil
    ) throws {
        guard let record = conversations[conversation] else {
            guard last == nil else { throw ChatError.noSuchMessage }
            return
        }
        let newest = try conversations.newestPosition(conversation) ?? step.highestPosition(of: conversation)
        let position = try last.map { try history(of: conversation).position(of: $0) } ?? newest
        guard position > record.readPosition || record.unread > 0 && position == newest else { return }
        let left =
            try position == newest
            ? 0 : history(of: conversation).unreadCount(after: position, limit: record.unread)
        let seen = record.unread - min(record.unread, left)
        if seen > 0, sendsReadReceipts {
            try sendReadReceipts(for: conversation, unread: seen, upTo: position)
        }
        conversations.markRead(conversation, upTo: position, leaving: left)
        startTimers(of: conversation, upTo: position)
        if let view = try view(of: conversation) { step.perform(.notify(.conversation(view))) }
    }

    /// Notes that nothing of a conversation is unread.
    mutating func clearUnread(of conversation: ConversationID) {
        guard conversations[conversation]?.unread ?? 0 > 0 else { return }
        conversations.markRead(conversation, upTo: 0, leaving: 0)
    }

    /// Notifies the authors of the newest messages up to a position that the user has read them.
    private mutating func sendReadReceipts(
        for conversation: ConversationID,
        unread: UInt64,
        upTo place: UInt64
    ) throws {
        if let group = conversation.group, groups.membership(group) == nil { return }
        let limit = min(Int(clamping: unread), ChatLimits.receiptCount)
        let row = conversation
        let before = place < .max ? place + 1 : nil
        let seen = try step.page(of: row, before: before, limit: limit).filter { !$0.outgoing && !$0.isAttested }
        let byAuthor = Dictionary(grouping: seen) { PeerID(bytes: $0.sender) }
        for author in byAuthor.keys.compactMap(\.self).sorted() where maySendRead(to: author, in: conversation) {
            let ids = byAuthor[author, default: []].compactMap { MessageID(bytes: $0.id) }
            queueReceipt(MessageContent.Receipt(read: ids), to: author, asMember: conversation.group != nil)
        }
    }

    private func maySendRead(to author: PeerID, in conversation: ConversationID) -> Bool {
        if case .direct = conversation { return isAccepted(author) }
        return trust.maySend(to: author)
    }
}
