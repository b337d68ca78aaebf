package import ChatCrypto
import SwiftProtobuf

extension ChatEngine {
    /// How far somebody has looked at a conversation.
    private struct ReadMark {
        /// Messages that nobody has looked at.
        var unread: UInt64
        /// The place up to which somebody has.
        var place: UInt64
    }

    /// Marks messages of a conversation as looked at: all, or those up to one; the mark only ever moves forward.
    package mutating func markRead(
        _ conversation: ConversationID,
        upTo last: MessageID? = nil
    ) throws {
        guard var mark = readMark(of: conversation) else {
            guard last == nil else { throw Self.noSuchMessage }
            return
        }
        let newest = try newestPlace(in: conversation)
        let place = try last.map { try self.place(of: $0, in: conversation) } ?? newest
        guard place > mark.place || mark.unread > 0 && place == newest else { return }
        let unread = try place == newest ? 0 : unreadCount(of: conversation, after: place, mark.unread)
        let seen = mark.unread - min(mark.unread, unread)
        if seen > 0, sendsReadReceipts {
            try sendReadReceipts(for: conversation, unread: seen, upTo: place)
        }
        mark = ReadMark(unread: min(mark.unread, unread), place: max(mark.place, place))
        set(mark, of: conversation)
        startTimers(of: conversation, upTo: place)
        if let view = try view(of: conversation) { step.perform(.tell(.conversation(view))) }
    }

    /// Notes that nothing of a conversation is unread.
    mutating func clearUnread(of conversation: ConversationID) {
        guard var mark = readMark(of: conversation), mark.unread > 0 else { return }
        mark.unread = 0
        set(mark, of: conversation)
    }

    func view(of conversation: ConversationID) throws -> Conversation? {
        switch conversation {
        case .direct(let peer):
            try conversations[peer].map { try self.conversation(with: peer, $0) }
        case .group(let group), .room(let group):
            try view(of: group).map { try self.conversation(of: $0) }
        }
    }

    private func readMark(of conversation: ConversationID) -> ReadMark? {
        switch conversation {
        case .direct(let peer):
            conversations[peer].map { ReadMark(unread: $0.record.unread, place: $0.record.readSequence) }
        case .group(let group), .room(let group):
            groups.states[group].map { ReadMark(unread: $0.record.unread, place: $0.record.readSequence) }
        }
    }

    private mutating func set(
        _ mark: ReadMark,
        of conversation: ConversationID
    ) {
        switch conversation {
        case .direct(let peer):
            guard var state = conversations[peer] else { return }
            state.record.unread = mark.unread
            state.record.readSequence = mark.place
            conversations[peer] = state
            step.put(.conversations, peer.bytes, state.record)
        case .group(let group), .room(let group):
            guard var state = groups.states[group] else { return }
            state.record.unread = mark.unread
            state.record.readSequence = mark.place
            groups.states[group] = state
            step.put(.groups, group.bytes, state.record)
        }
    }

    /// The place of the newest message.
    private func newestPlace(in conversation: ConversationID) throws -> UInt64 {
        let next =
            switch conversation {
            case .direct(let peer): conversations[peer]?.nextSequence
            case .group(let group), .room(let group): groups.states[group]?.nextSequence
            }
        return try next.map { $0 - 1 } ?? step.highestSequence(conversation)
    }

    /// The places up to which somebody has looked at conversations, in order.
    var readPlaces: [(conversation: ConversationID, place: UInt64)] {
        let direct = conversations.keys.sorted().map {
            (ConversationID.direct($0), conversations[$0]?.record.readSequence)
        }
        let others = groups.states.keys.sorted().map {
            (conversationID(of: $0), groups.states[$0]?.record.readSequence)
        }
        return (direct + others).compactMap { conversation, place in
            place.flatMap { $0 > 0 ? (conversation, $0) : nil }
        }
    }

    /// Where a message stands in its conversation.
    func place(
        of id: MessageID,
        in conversation: ConversationID
    ) throws -> UInt64 {
        guard let (sequence, plaintext) = try step.record(.messages, id.bytes),
            case let record = try ChatStep.decode(plaintext, as: ProtoMessageRecord.self),
            record.conversationID == conversation
        else { throw Self.noSuchMessage }
        return sequence
    }

    static var noSuchMessage: ChatError { ChatError(.notFound, "No message of this conversation has this id.") }

    /// How many messages that others wrote stand after a place; more than are unread are not counted.
    private func unreadCount(
        of conversation: ConversationID,
        after place: UInt64,
        _ limit: UInt64
    ) throws -> UInt64 {
        let row = conversation
        var (count, before): (UInt64, UInt64?) = (0, nil)
        while count < limit {
            let page = try step.page(of: row, before: before, limit: ChatLimits.pageCount)
            for record in page {
                guard count < limit, let id = MessageID(bytes: record.id),
                    let sequence = try step.record(.messages, id.bytes)?.sequence, sequence > place
                else { return count }
                before = sequence
                let isWritten = MessageContent.decode([UInt8](record.content))?.body.isWritten ?? false
                if !record.outgoing, isWritten || record.gone != 0 { count += 1 }
            }
            if page.count < ChatLimits.pageCount { break }
        }
        return count
    }

    /// Tells the authors of the newest messages up to a place that they have been looked at.
    private mutating func sendReadReceipts(
        for conversation: ConversationID,
        unread: UInt64,
        upTo place: UInt64
    ) throws {
        if let group = conversation.group, groups.membership(group) == nil { return }
        let limit = min(Int(clamping: unread), ChatLimits.receiptCount)
        let row = conversation
        let before = place < .max ? place + 1 : nil
        let seen = try step.page(of: row, before: before, limit: limit).filter { !$0.outgoing && !$0.isVouched }
        let byAuthor = Dictionary(grouping: seen) { PeerID(bytes: $0.sender) }
        for author in byAuthor.keys.compactMap(\.self).sorted() where mayTellRead(to: author, in: conversation) {
            guard let recipient = identity(of: author) else { continue }
            let ids = byAuthor[author, default: []].compactMap { MessageID(bytes: $0.id) }
            let content = MessageContent.receipt(read: ids, salt: randomBytes(16), at: step.time)
            _ = try launchReceipt(content, to: recipient)
        }
    }

    private func mayTellRead(to author: PeerID, in conversation: ConversationID) -> Bool {
        if case .direct = conversation { return isAccepted(author) }
        return trust.maySend(to: author)
    }
}
