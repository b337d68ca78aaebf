package import ChatCrypto
import SwiftProtobuf

/// Reads of conversations and contacts, which change neither the engine nor the store.
extension ChatEngine {
    /// Returns the delivery status of an own message; nil for an unknown message.
    package func status(of id: MessageID) throws -> DeliveryStatus? {
        try message(id)?.status
    }

    /// Returns a stored message.
    package func message(_ id: MessageID) throws -> Message? {
        try step.message(.messages, id.bytes, as: ProtoMessageRecord.self).flatMap {
            try message(from: $0)
        }
    }

    /// Returns the stored messages of a conversation.
    ///
    /// - Parameter findsReplies: Whether messages include those that they answer.
    package func history(
        of conversation: ConversationID,
        findsReplies: Bool = true
    ) -> ConversationHistory<ChatStep> {
        ConversationHistory(conversation: conversation, snapshot: step) {
            try message(from: $0, findsReply: findsReplies)
        }
    }

    /// Returns all conversations, the most recently changed first, and the number of their messages.
    package func searchedConversations() throws -> (ids: [ConversationID], messageCount: Int) {
        let ids = conversations.newestFirst.map(\.id)
        return (ids, try ids.reduce(0) { try $0 + step.messageCount(of: $1) })
    }

    /// Returns all conversations: the pinned ones, then the others, the most recently changed first.
    package func conversationList() throws -> [Conversation] {
        // An erased direct conversation is listed again when a message arrives.
        let listed = try conversations.newestFirst.filter { $0.changedAt > 0 || $0.id.group != nil }
            .compactMap { try view(of: $0.id) }
        return listed.filter(\.isPinned) + listed.filter { !$0.isPinned }
    }

    /// Returns the conversation that holds a message, whether the message is shown or not; nil for an unknown one.
    package func conversation(holding message: MessageID) throws -> ConversationID? {
        let record = try step.message(.messages, message.bytes, as: ProtoMessageRecord.self)
        return record?.conversationID ?? outbox[message]?.conversation
    }

    /// Throws `notFound` unless a conversation holds a message.
    package func check(_ message: MessageID, isIn conversation: ConversationID) throws {
        guard try self.conversation(holding: message) == conversation else { throw ChatError.noSuchMessage }
    }

    /// Returns a conversation as a list shows it; nil if there is none.
    package func view(of conversation: ConversationID) throws -> Conversation? {
        guard let record = conversations[conversation], let (title, members) = titleAndMembers(of: conversation) else {
            return nil
        }
        var view = Conversation(
            id: conversation,
            title: title,
            members: members,
            unreadCount: Int(clamping: record.unread),
            last: try history(of: conversation).newest(1).first,
            isRequest: isRequest(conversation),
            muteEnd: muteEnd(record.mutedUntil),
            isPinned: isPinned(conversation)
        )
        completeDetails(to: &view)
        return view
    }

    /// Returns a conversation as a list shows it.
    ///
    /// - Throws: `notFound` if there is none.
    func listed(_ conversation: ConversationID) throws -> Conversation {
        guard let view = try view(of: conversation) else {
            throw ChatError(.notFound, "There is no conversation with this contact or group yet.")
        }
        return view
    }

    /// Returns a conversation as a list shows it; for one without messages its heading alone.
    ///
    /// - Throws: `notFound` for an unknown peer or group.
    package func heading(of conversation: ConversationID) throws -> Conversation {
        if let view = try view(of: conversation) { return view }
        guard let (title, members) = titleAndMembers(of: conversation) else {
            throw ChatError(.notFound, "There is no conversation with this contact or group yet.")
        }
        var view = Conversation(
            id: conversation,
            title: title,
            members: members,
            unreadCount: 0,
            last: nil,
            isRequest: isRequest(conversation)
        )
        completeDetails(to: &view)
        return view
    }

    private func completeDetails(to view: inout Conversation) {
        view.typing = typing.peers(in: view.id, at: step.time.monotonic)
        view.draft = draft(in: view.id)
        let seconds = conversations.timer(of: view.id).seconds
        view.timer = seconds == 0 ? nil : .seconds(Int64(seconds))
    }

    private func titleAndMembers(of conversation: ConversationID) -> (title: String, members: [PeerID])? {
        switch conversation {
        case .direct(let peer): (name(of: peer), [peer])
        case .group(let group), .room(let group):
            view(of: group).map { ($0.title, $0.members.map(\.id).filter { !trust.isOwn($0) }) }
        }
    }

    /// Whether a conversation waits for the user to accept the peer who began it.
    func isRequest(_ conversation: ConversationID) -> Bool {
        if let group = conversation.group { return groups.states[group]?.isRequest ?? false }
        return conversations[conversation]?.isRequest ?? false
    }

    /// Computes the safety number with a peer whose keys are known.
    package func safetyNumber(with peer: PeerID) throws -> SafetyNumber {
        do {
            return try trust.safetyNumber(with: peer)
        } catch {
            throw ChatError(error, trust.state(of: peer))
        }
    }

    /// Returns all known peers: those the user talks to first, then by name.
    package func contacts(at time: ChatTime) -> [Contact] {
        trust.all.compactMap { contact($0.identity.id, at: time) }
            .sorted { left, right in
                let leftRank = (left.trust == .unknown ? 1 : 0, left.name.lowercased(), left.id)
                return leftRank < (right.trust == .unknown ? 1 : 0, right.name.lowercased(), right.id)
            }
    }

    /// Finds the contact that the user means: one the user talks to before an unknown peer of the same name.
    package func contact(named who: String, at time: ChatTime) throws -> Contact {
        let digits = who.lowercased()
        // A search through thousands for a contact whose id is known would take long.
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
            throw ChatError(.notFound, "No contact is called '\(who)'. Run 'peers' to list the known peers.")
        }
        guard fits.count == 1 else {
            var error = ChatError(
                .ambiguous,
                "Several contacts are called '\(who)': use an id."
            )
            error.candidates = fits.map(\.id)
            throw error
        }
        return first
    }
}
