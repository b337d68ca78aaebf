public import ChatCore
public import ChatCrypto

/// All conversations of a node: direct ones, groups and rooms.
public struct ConversationList: Sendable {
    let node: ChatNode

    /// Returns all conversations: the pinned ones first; in both parts rooms first, then the most recently changed.
    ///
    /// - Throws: `locked`, `suspended`, `stopped`, or the store's error.
    public func all() async throws(ChatError) -> [Conversation] { try await node.conversationList() }

    /// Returns a conversation; nil if there is none yet.
    public subscript(_ id: ConversationID) -> Conversation? {
        get async throws(ChatError) {
            try await node.account(of: id).read { engine in try engine.view(of: id) }
        }
    }

    /// The conversations in the order of a list, now and after each change.
    public var updates: Updates<[Conversation]> {
        Updates(
            node.feed,
            after: \.changesConversations,
            read: { [self] () async throws(ChatError) in try await all() }
        )
    }

    /// Returns a message of any conversation; nil if none has this id.
    ///
    /// - Throws: `locked`, `suspended`, `stopped`, or the store's error.
    public func message(_ id: MessageID) async throws(ChatError) -> Message? {
        for account in try await node.accounts(holding: id) {
            if let message = try await account.read({ engine in try engine.message(id) }) { return message }
        }
        return nil
    }

    /// Creates a group that this node owns, and adds its first members.
    ///
    /// - Parameters:
    ///   - title: 1 to 128 bytes of UTF-8.
    ///   - members: At most 127. A peer that has this node as a contact joins at once unless its user wants to be asked;
    ///     others are asked.
    ///   - history: The earlier messages that later members may receive.
    /// - Returns: The group, whose conversation is `.group` of its id.
    /// - Throws: `badName`, `notFound`, `refusedByTrust`, `limited`, or the store's error.
    @discardableResult
    public func createGroup(
        title: String,
        members: [PeerID] = [],
        history: GroupPolicy.History = .none
    ) async throws(ChatError) -> ChatGroup {
        try await node.account(ofAny: nil).transact { engine in
            try engine.createGroup(title: title, members: members, history: history)
        }
    }

    /// Returns all groups that this node is or was in, or is invited to; the most recently changed first.
    ///
    /// - Throws: `locked`, `suspended`, `stopped`, or the store's error.
    public func groups() async throws(ChatError) -> [ChatGroup] {
        try await node.account(ofAny: nil).read { engine in engine.groupList }
    }

    /// The contacts that may add this node's user to groups without asking; by default all accepted ones.
    ///
    /// The group of any other invitation is `invited` until ``GroupHandle/answerInvitation(accepts:)``.
    public var groupInviters: GroupInviters {
        get async throws(ChatError) {
            try await node.account(ofAny: nil).read { engine in engine.contacts.groupInviters }
        }
    }

    /// Changes which contacts may add this node's user to groups without asking, from the next invitation on.
    ///
    /// - Parameter inviters: The contacts.
    /// - Throws: `locked`, `suspended`, `stopped`, or the store's error.
    public func setGroupInviters(_ inviters: GroupInviters) async throws(ChatError) {
        try await node.account(ofAny: nil).transact { engine in engine.setGroupInviters(inviters) }
    }

    /// Returns the group that a user means by its title, its id or the first eight or more digits of it.
    ///
    /// - Parameter who: The text that the user typed.
    /// - Throws: `notFound`, or `ambiguous`.
    public func group(named who: String) async throws(ChatError) -> ChatGroup {
        try await node.account(ofAny: nil).read { engine in try engine.group(named: who) }
    }

    // MARK: - Finding by text and by message

    /// Returns the handle of the conversation that a text means: a group or room by its id, or after `group:` or
    /// `room:`; else the direct conversation with a peer.
    package func named(_ who: String) async throws(ChatError) -> ConversationHandle {
        node.conversation(try await id(named: who))
    }

    private func id(named who: String) async throws(ChatError) -> ConversationID {
        if who.hasPrefix("room:") { return .room(try await node.rooms.named(String(who.dropFirst("room:".count))).id) }
        if who.hasPrefix("group:") { return .group(try await group(named: String(who.dropFirst("group:".count))).id) }
        if let bytes = [UInt8](hex: who), let group = GroupID(bytes: bytes) {
            return await node.conversationID(of: group)
        }
        return .direct(try await node.contacts.id(named: who))
    }

    /// Returns the handle of the conversation that holds a message.
    ///
    /// - Throws: `notFound` if no conversation holds it.
    package func holding(_ id: MessageID) async throws(ChatError) -> ConversationHandle {
        for account in try await node.accounts(holding: id) {
            if let found = try await account.read({ engine in try engine.conversation(holding: id) }) {
                return node.conversation(found)
            }
        }
        throw ChatError.noSuchMessage
    }
}

extension ChatEvent {
    /// Whether the list of conversations may differ after it.
    fileprivate var changesConversations: Bool {
        switch self {
        case .contact, .trust, .conversation, .message, .changed, .removed, .erased, .typing, .status, .group, .room:
            true
        case .linkUp, .linkDown, .streamingReply, .delivery, .progress, .fileFailed, .relayed, .locked, .unlocked,
            .storageFailing, .historyTampered, .lagged:
            false
        }
    }
}
