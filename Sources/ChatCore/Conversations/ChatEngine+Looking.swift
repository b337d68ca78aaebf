package import ChatCrypto
import SwiftProtobuf

/// What is only read: nothing here changes the engine or the store.
extension ChatEngine {
    /// How far an own message has come; nil for one that is not known.
    package func status(of id: MessageID) throws -> DeliveryStatus? {
        try message(id)?.status
    }

    /// A stored message.
    package func message(_ id: MessageID) throws -> Message? {
        try step.message(.messages, id.bytes, as: ProtoMessageRecord.self).flatMap {
            try message(from: $0)
        }
    }

    /// A page of a conversation, oldest first.
    package func history(
        _ conversation: ConversationID,
        limit: Int,
        before: MessageID?
    ) throws -> [Message] {
        var place: UInt64?
        if let before {
            guard let known = try step.record(.messages, before.bytes),
                case let record = try ChatStep.decode(known.plaintext, as: ProtoMessageRecord.self),
                record.conversationID == conversation
            else { throw ChatError(.notFound, "No message of this conversation has this id.") }
            place = known.sequence
        }
        let count = min(max(limit, 0), ChatLimits.pageCount)
        return try newest(count, in: conversation, before: place).reversed()
    }

    /// The newest messages that are shown, so many if there are, newest first.
    func newest(
        _ count: Int,
        in conversation: ConversationID,
        before place: UInt64?
    ) throws -> [Message] {
        var messages: [Message] = []
        var place = place
        while messages.count < count {
            let records = try step.page(of: conversation, before: place, limit: count)
            for record in records where messages.count < count {
                if let message = try message(from: record) { messages.append(message) }
            }
            guard records.count == count, let last = records.last,
                let oldest = try step.record(.messages, [UInt8](last.id))
            else { break }
            place = oldest.sequence
        }
        return messages
    }

    /// All conversations: the pinned ones, then the others, the most recently changed first.
    package func conversationList() throws -> [Conversation] {
        // One that was erased is listed again when something comes.
        let direct = try conversations.filter { $0.value.record.changedAt > 0 }.map { peer, state in
            let conversation = try conversation(with: peer, state)
            return (changedAt: state.record.changedAt, name: peer.bytes, conversation: conversation)
        }
        return (direct + (try groupConversations()))
            .sorted { left, right in
                guard left.conversation.isPinned == right.conversation.isPinned else {
                    return left.conversation.isPinned
                }
                guard left.changedAt == right.changedAt else { return left.changedAt > right.changedAt }
                return right.name.lexicographicallyPrecedes(left.name)
            }
            .map(\.conversation)
    }

    /// A conversation as a list shows it.
    func conversation(
        with peer: PeerID,
        _ state: ConversationState
    ) throws -> Conversation {
        Conversation(
            id: .direct(peer),
            title: name(of: peer),
            members: [peer],
            unreadCount: Int(clamping: state.record.unread),
            last: try newest(1, in: .direct(peer), before: nil).first,
            isRequest: state.record.request,
            muteEnd: muteEnd(state.record.mutedUntil),
            isPinned: isPinned(.direct(peer))
        )
    }

    /// The safety number with a peer whose keys are known.
    package func safetyNumber(with peer: PeerID) throws -> SafetyNumber {
        do {
            return try trust.safetyNumber(with: peer)
        } catch {
            throw ChatError(error, trust.state(of: peer))
        }
    }

    /// Everybody known: those the user talks to first, then by name.
    package func contacts(at time: ChatTime) -> [Contact] {
        trust.all.compactMap { contact($0.identity.id, at: time) }
            .sorted { left, right in
                let leftRank = (left.trust == .unknown ? 1 : 0, left.name.lowercased(), left.id)
                return leftRank < (right.trust == .unknown ? 1 : 0, right.name.lowercased(), right.id)
            }
    }

    /// The contact that a person means: one the user talks to before a stranger of the same name.
    package func contact(named who: String, at time: ChatTime) throws -> Contact {
        let digits = who.lowercased()
        // Looking through thousands for one whose id is known would take long.
        if let peer = PeerID(hex: digits), let contact = contact(peer, at: time) { return contact }
        let all = contacts(at: time)
        let isHex = digits.count >= 8 && digits.allSatisfy(\.isHexDigit)
        var fits = isHex ? all.filter { $0.id.description.hasPrefix(digits) } : []
        if fits.isEmpty { fits = all.filter { $0.name == who } }
        let pinned = fits.filter { $0.trust != .unknown && $0.trust != .blocked }
        if !pinned.isEmpty { fits = pinned }
        let present = fits.filter { trust[$0.id]?.retiredAt == nil }
        if !present.isEmpty { fits = present }
        guard let first = fits.first else {
            throw ChatError(.notFound, "Nobody called '\(who)' is known here: 'peers' lists who is.")
        }
        guard fits.count == 1 else {
            var error = ChatError(
                .ambiguous,
                "Several contacts are called '\(who)': use the id of the one you mean."
            )
            error.candidates = fits.map(\.id)
            throw error
        }
        return first
    }
}
