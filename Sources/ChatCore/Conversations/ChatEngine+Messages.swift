import ChatCrypto
import SwiftProtobuf

extension ChatEngine {
    /// Returns a stored message as users see it; nil for content of a kind this version does not show, for a removed
    /// message, and while it is not complete here.
    ///
    /// - Parameter findsReply: Whether the message that it answers is looked up.
    package func message(
        from record: ProtoMessageRecord,
        findsReply: Bool = true
    ) throws -> Message? {
        let content =
            GroupLine.isHeld(by: record)
            ? GroupLine.content(of: record) : MessageContent.decode([UInt8](record.content))
        return try content.flatMap { try message(from: record, saying: $0, findsReply: findsReply) }
    }

    package func message(
        from record: ProtoMessageRecord,
        saying content: MessageContent.Decoded,
        findsReply: Bool = true
    ) throws -> Message? {
        guard let id = MessageID(bytes: record.id), let sender = PeerID(bytes: record.sender),
            let conversation = record.conversationID
        else { return nil }
        var message = Message(
            id: id,
            conversation: conversation,
            sender: sender,
            // An exported message may belong to another identity of this user.
            senderName: record.outgoing ? nickname : name(of: sender, in: conversation),
            text: record.gone == 0 ? text(of: record, saying: content) : "",
            files: [],
            sentTime: Timestamp(clamping: content.sentAt),
            receivedTime: Timestamp(clamping: record.receivedAt),
            isOutgoing: record.outgoing || GroupLine.isHeld(by: record) && trust.isOwn(sender),
            isRequest: isRequest(conversation),
            status: DeliveryStatus(rank: Int(record.status), failure: record.failure),
            kind: .text
        )
        message.isImported = record.imported
        message.isSampled = isSampled(record, in: conversation)
        switch DeletionReason(rawValue: record.gone) {
        case .deleted:
            message.isDeleted = true
            return message
        case .hidden, .expired: return nil
        case nil: break
        }
        if let end = timers.end(of: id), end <= step.time.wall { return nil }
        if isBeyondAge(record, in: conversation, at: step.time.wall) { return nil }
        if GroupLine.isHeld(by: record) {
            guard let line = systemLine(of: record) else { return nil }
            (message.kind, message.systemLine) = (.system, line)
            return message
        }
        guard try describe(content.body, of: record, in: &message) else { return nil }
        try addChanges(of: record, saying: content, findsReply: findsReply, to: &message)
        message.expiryTime = timers.end(of: id).map(Timestamp.init(clamping:))
        return message
    }

    /// Whether only some members confirm an own message; of one that is not sealed yet, by the members of now.
    private func isSampled(_ record: ProtoMessageRecord, in conversation: ConversationID) -> Bool {
        guard record.outgoing, let group = conversation.group, !GroupLine.isHeld(by: record) else { return false }
        guard record.epoch == 0, !record.imported else { return record.isSampled }
        return groups.membership(group).map { $0.recipients.count >= GroupLimits.confirmingMembers } ?? false
    }

    /// Adds what members have put on a message, the message that it answers, and its attesters.
    private func addChanges(
        of record: ProtoMessageRecord,
        saying content: MessageContent.Decoded,
        findsReply: Bool,
        to message: inout Message
    ) throws {
        let conversation = message.conversation
        let changes = record.shownChanges
        message.mentions = changes.edits.edits.last?.mentions ?? content.context.mentions
        message.mentionsMe = message.mentions.contains { trust.isOwn($0.peer) }
        message.reactions = changes.reactions.shown.map { emoji, members in
            Reaction(emoji: emoji, members: members, isMine: members.contains(where: trust.isOwn))
        }
        message.earlierTexts = earlierTexts(of: record, saying: content, changes.edits)
        message.replyTo = try content.context.replyTo.map {
            findsReply ? try reply($0, in: conversation) : Reply(id: $0, original: nil)
        }
        message.attestedBy = record.attesters.map { Attester(id: $0, name: name(of: $0, in: conversation)) }
    }

    /// Adds the parts that only this kind of message has; false for a message that is not shown.
    private func describe(
        _ body: MessageContent.Body,
        of record: ProtoMessageRecord,
        in message: inout Message
    ) throws -> Bool {
        switch body {
        case .text(let text):
            // A long text is shown when it is here.
            guard text.longText == nil || !record.longText.isEmpty else { return false }
            message.files = attachments.blobs.files(text.files, of: message.id)
            message.kind = MessageKind(text: message.text, files: message.files)
        case .poll(let poll):
            message.kind = .poll
            message.poll = state(of: poll, with: record.shownChanges.ballots)
        case .timer(let seconds, _):
            message.kind = .system
            message.systemLine = .timer(seconds == 0 ? nil : .seconds(Int64(seconds)))
        case .receipt, .change, .groupNote, .statement, .unknown: return false
        }
        return true
    }

    private func state(of poll: Poll, with ballots: Ballots) -> PollState {
        let votes = ballots.result(of: poll)
        let own = votes.indices.filter { votes[$0].contains(where: trust.isOwn) }
        return PollState(poll: poll, votes: votes, isClosed: ballots.close != nil, ownVotes: own)
    }

    /// Returns the present text.
    private func text(of record: ProtoMessageRecord, saying content: MessageContent.Decoded) -> String {
        if let edit = record.shownChanges.edits.edits.last { return edit.text }
        guard case .text(let text) = content.body else { return "" }
        return text.longText == nil ? text.text : record.longText
    }

    private func earlierTexts(
        of record: ProtoMessageRecord,
        saying content: MessageContent.Decoded,
        _ history: EditHistory
    ) -> [EarlierText] {
        guard !history.edits.isEmpty, case .text(let text) = content.body else { return [] }
        let first = text.longText == nil ? text.text : record.longText
        return [EarlierText(text: first, sentTime: Timestamp(clamping: content.sentAt))]
            + history.edits.dropLast().map { EarlierText(text: $0.text, sentTime: Timestamp(clamping: $0.sentAt)) }
    }

    /// Returns the known facts of an answered message; none if it is in another conversation.
    private func reply(
        _ id: MessageID,
        in conversation: ConversationID
    ) throws -> Reply {
        guard let record = try step.message(.messages, id.bytes, as: ProtoMessageRecord.self),
            record.conversationID == conversation, let sender = PeerID(bytes: record.sender),
            let content = MessageContent.decode([UInt8](record.content)), record.gone <= DeletionReason.deleted.rawValue
        else { return Reply(id: id, original: nil) }
        var text = text(of: record, saying: content)
        if case .poll(let poll) = content.body { text = poll.question }
        let original = Reply.Original(
            sender: sender,
            senderName: name(of: sender, in: conversation),
            text: text,
            isDeleted: record.gone == DeletionReason.deleted.rawValue
        )
        return Reply(id: id, original: original)
    }

    /// Reads a stored line as users see it; nil for one that only newer versions know.
    private func systemLine(of stored: ProtoMessageRecord) -> SystemLine? {
        guard let record = try? ProtoLineRecord(serializedBytes: Array(stored.content.dropFirst())) else { return nil }
        let peer = PeerID(bytes: record.peer)
        let name = peer.map { trust.isOwn($0) ? nickname : trust[$0]?.name?.text ?? record.text }
        let shown = peer.map { peer in name.flatMap { $0.isEmpty ? nil : $0 } ?? String(peer.description.prefix(8)) }
        switch (GroupLine.Event(rawValue: record.event), peer, shown) {
        case (.created, _, _): return .created
        case (.added, let peer?, let name?): return .added(peer, name: name)
        case (.removed, let peer?, let name?): return .removed(peer, name: name)
        case (.left, _, _): return .left
        case (.renamed, _, _): return .renamed(record.text)
        case (.ownershipTransferred, let peer?, let name?): return .ownershipTransferred(to: peer, name: name)
        case (.added, _, _), (.removed, _, _), (.ownershipTransferred, _, _), (nil, _, _): return nil
        }
    }
}
