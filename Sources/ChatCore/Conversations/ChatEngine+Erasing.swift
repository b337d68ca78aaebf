import ChatCrypto

/// The end of a conversation here: its key first, then its messages and their files; nobody else is told.
///
/// Contact, sessions and membership stay, and with them the numbers by which messages are put in order.
extension ChatEngine {
    private static let erasingName = Array("erasing".utf8)

    /// Notes that a conversation is to go, so that the next start finishes what a crash cuts off.
    package mutating func beginErasing(_ conversation: ConversationID) throws {
        let isKnown =
            switch conversation {
            case .direct(let peer): conversations[peer] != nil
            case .group(let group), .room(let group): groups.states[group] != nil
            }
        guard isKnown else { throw ChatError(.notFound, "There is no such conversation.") }
        let names = try Self.interruptedErasures(in: step).filter { $0 != conversation } + [conversation]
        Self.note(names, in: &step)
    }

    /// Erases a conversation; once more after a crash, it erases what is left.
    package mutating func erase(_ conversation: ConversationID) throws {
        switch conversation {
        case .direct(let peer): try erase(peer)
        case .group(let group), .room(let group): try erase(group)
        }
        Self.note(try Self.interruptedErasures(in: step).filter { $0 != conversation }, in: &step)
        step.perform(.tell(.erased(conversation)))
    }

    private mutating func erase(_ peer: PeerID) throws {
        guard let state = conversations[peer] else { return }
        guard !state.record.request else { return forget(peer) }
        for entry in outbox.inOrder where entry.peer == peer && entry.isMessage {
            try fail(entry, .cancelled)
        }
        empty(.direct(peer))
        forgetEarly(by: peer)
        while let next = held.takeFirst(of: peer) {
            step.delete(.held, next.id.bytes)
        }
        var emptied = state
        emptied.nextSequence = nil
        emptied.record.unread = 0
        emptied.record.readSequence = 0
        emptied.record.changedAt = 0
        conversations[peer] = emptied
        step.put(.conversations, peer.bytes, emptied.record)
        try sealWaiting(for: peer)
    }

    private mutating func erase(_ group: GroupID) throws {
        guard var state = groups.states[group] else { return }
        for post in groups.posts.inOrder where post.group == group {
            try giveUp(post, .cancelled)
        }
        empty(conversationID(of: group))
        state.nextSequence = nil
        state.record.unread = 0
        state.record.readSequence = 0
        groups.states[group] = state
        step.put(.groups, group.bytes, state.record)
    }

    /// Destroys the key of a conversation, its messages, their files and their timers.
    mutating func empty(_ conversation: ConversationID) {
        for blob in blobs.removeAll(of: conversation) {
            step.delete(.blobs, blob.id.name)
            step.deleteBlob(blob.file)
            step.perform(.transfer(.drop(blob.id, file: blob.file)))
        }
        for id in timers.all(in: conversation) {
            timers.remove(id)
            step.delete(.timers, id.bytes)
        }
        clearDraft(in: conversation)
        wishes.figures[conversation] = nil
        step.destroyConversation(conversation)
    }

    // MARK: - After a crash

    /// The conversations whose erasure was cut off; their messages are to be destroyed before anything of them is read.
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
