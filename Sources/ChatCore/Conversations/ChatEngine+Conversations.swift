package import ChatCrypto
import MeshCore

extension ChatEngine {
    /// Begins the conversation of an arriving message; an unknown peer's is a request, and the oldest request makes
    /// room.
    mutating func beginConversation(from peer: PeerID) {
        let conversation = ConversationID.direct(peer)
        guard conversations[conversation] == nil, trust.state(of: peer) == .unknown else { return }
        if case .direct(let oldest) = conversations.evictedRequest { forget(oldest) }
        conversations.beginRequest(conversation, at: step.time.wall)
    }

    /// Destroys a conversation and its key.
    mutating func forget(_ peer: PeerID) {
        conversations.remove(.direct(peer))
        receipts.forget(peer)
        reorder.forget(peer)
        pending.forget(by: peer)
        forgetSettings(of: .direct(peer))
        // Otherwise changing unknown peers would fill the table of sessions, and no new peer could write.
        tearDownSessions(with: peer)
        empty(.direct(peer))
    }

    /// Appends a message to its conversation and reports it; returns nil if it is not shown now.
    @discardableResult
    mutating func place(
        _ record: ProtoMessageRecord,
        saying content: MessageContent.Decoded,
        in conversation: ConversationID
    ) throws -> Message? {
        let position = try takePosition(in: conversation)
        let isUnread = content.body.isWritten && !record.outgoing
        conversations.append(to: conversation, isUnread: isUnread, at: step.time.wall)
        step.put(.messages, [UInt8](record.id), conversation: conversation, sequence: position, record)
        noteArrival(record, at: position, in: conversation)
        if content.context.seconds > 0, record.gone == 0 {
            try keepTimer(of: record, seconds: content.context.seconds, at: position)
        }
        if case .timer(let seconds, let number) = content.body, let id = MessageID(bytes: record.id) {
            let setting = DisappearingTimer(seconds: seconds, Revision(number, id))
            takeTimer(setting, of: PeerID(bytes: record.sender), in: conversation)
        }
        if !record.outgoing, let sender = PeerID(bytes: record.sender) { typing.end(of: sender, in: conversation) }
        let message = try message(from: record, saying: content)
        if let message { step.perform(.notify(.message(message))) }
        return message
    }

    /// Takes the position after all messages of a conversation.
    ///
    /// The first position leaves room before it, for imported messages.
    package mutating func takePosition(in conversation: ConversationID) throws -> UInt64 {
        let highest = try conversations.newestPosition(conversation) ?? highestPosition(in: conversation)
        return try conversations.takePosition(conversation, after: highest)
    }

    /// Returns the highest position of a conversation that is taken, or reserved for messages from before this node
    /// joined.
    func highestPosition(in conversation: ConversationID) throws -> UInt64 {
        let kept = conversation.group.flatMap { earlier.pulls[$0]?.ceiling }
        return max(try step.highestPosition(of: conversation), kept ?? 0)
    }

    /// Returns the position after the highest one that is taken, 0 for none.
    package static func place(after highest: UInt64) throws -> UInt64 {
        // The number is not encrypted: only a change of the file can have put it there.
        guard highest < .max - 1 else { throw ChatError.tamperedMessages }
        return highest == 0 ? ChatLimits.importedPositionCount : highest + 1
    }

    /// Ends the sessions with a peer here and notifies the peer, if possible.
    package mutating func endSession(with peer: PeerID) {
        for message in contacts.history.end(with: peer, at: step.time.seconds) {
            guard let kind = EnvelopeKind(rawValue: message.kind.rawValue) else { continue }
            step.perform(.submit(kind: kind, body: message.body, life: ChatLimits.sealedLife))
        }
        writeContacts()
    }

    // MARK: - Erasing

    private static let erasingName = Array("erasing".utf8)

    /// Notes that a conversation will be erased, so that the next start finishes an erasure that a crash interrupts.
    package mutating func beginErasing(_ conversation: ConversationID) throws {
        guard conversations[conversation] != nil else { throw ChatError(.notFound, "There is no such conversation.") }
        let names = try Self.interruptedErasures(in: step).filter { $0 != conversation } + [conversation]
        Self.note(names, in: &step)
    }

    /// Erases a conversation; called again after a crash, it erases the rest.
    package mutating func erase(_ conversation: ConversationID) throws {
        try eraseMessages(of: conversation)
        Self.note(try Self.interruptedErasures(in: step).filter { $0 != conversation }, in: &step)
        step.perform(.notify(.erased(conversation)))
    }

    private mutating func eraseMessages(of conversation: ConversationID) throws {
        guard let record = conversations[conversation] else { return }
        switch conversation {
        case .direct(let peer):
            guard !record.isRequest else { return forget(peer) }
            pending.forget(by: peer)
            reorder.forget(peer)
        case .group, .room: break
        }
        for entry in outbox.entries(in: conversation) where entry.isMessage {
            try fail(entry, .cancelled)
        }
        empty(conversation)
        // A membership stays listed.
        conversations.empty(conversation, isListed: conversation.group != nil)
        outbox.markDue(conversation)
    }

    /// Destroys the key of a conversation, its messages, their files and their timers.
    mutating func empty(_ conversation: ConversationID) {
        forgetFiles(in: conversation)
        timers.removeAll(in: conversation)
        clearDraft(in: conversation)
        retentionSchedule[conversation] = nil
        step.destroyConversation(conversation)
    }

    // MARK: - After a crash

    /// Lists the conversations whose erasure was interrupted; their messages are destroyed before anything of them is
    /// read.
    package static func interruptedErasures(in step: ChatStep) throws -> [ConversationID] {
        let bytes = try step.record(.settings, erasingName)?.plaintext ?? []
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap {
            [UInt8](hex: String(decoding: $0, as: UTF8.self)).flatMap(ConversationID.init(bytes:))
        }
    }

    private static func note(_ conversations: [ConversationID], in step: inout ChatStep) {
        guard !conversations.isEmpty else { return step.delete(.settings, erasingName) }
        let text = conversations.map(\.bytes.hex).joined(separator: "\n")
        step.put(.settings, erasingName, Array(text.utf8))
    }
}
