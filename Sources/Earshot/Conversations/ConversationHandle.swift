public import ChatCore
public import ChatCrypto
public import Foundation

/// One conversation of a node: a cheap value that works before the first message too.
public struct ConversationHandle: Hashable, Identifiable, Sendable {
    /// The conversation's id.
    public let id: ConversationID
    let node: ChatNode

    /// Whether two handles are of the same conversation of the same node.
    public static func == (left: Self, right: Self) -> Bool { left.id == right.id && left.node === right.node }

    /// Hashes the conversation and its node.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(ObjectIdentifier(node))
    }

    /// The group or room; nil for a direct conversation.
    public var group: GroupHandle? { id.group.map { GroupHandle(id: $0, node: node) } }

    /// The conversation now and after each change; for one without messages, its heading alone.
    public var updates: Updates<Conversation> {
        Updates(
            node.feed,
            after: { [id] event in event.mayChange(id) },
            read: { [self] () async throws(ChatError) in
                try await account.read { engine in try engine.heading(of: id) }
            }
        )
    }

    /// The account that holds the conversation.
    var account: Account {
        get async throws(ChatError) { try await node.account(of: id) }
    }

    // MARK: - Settings

    /// Marks messages as read; this starts the time of those that disappear.
    ///
    /// - Parameter last: The newest message that was read; nil for all.
    /// - Throws: `notFound` for an unknown `last`, or the store's error.
    public func markRead(upTo last: MessageID? = nil) async throws(ChatError) {
        try await account.transact { engine in try engine.markRead(id, upTo: last) }
    }

    /// Mutes the conversation for a time; messages still arrive.
    ///
    /// - Parameter end: The end of that time; by default it never ends. A moment in the past unmutes the conversation.
    /// - Returns: The conversation now.
    /// - Throws: `notFound` if there is no such conversation, or the store's error.
    @discardableResult
    public func mute(until end: Date = .distantFuture) async throws(ChatError) -> Conversation {
        try await account.transact { engine in try engine.mute(id, until: Timestamp(end)) }
    }

    /// Pins the conversation, so that lists show it before others, or unpins it.
    ///
    /// - Returns: The conversation now.
    /// - Throws: `notFound` if there is no such conversation, or the store's error.
    @discardableResult
    public func setPinned(_ isPinned: Bool) async throws(ChatError) -> Conversation {
        try await account.transact { engine in try engine.pin(id, isPinned) }
    }

    /// Sets the disappearing-messages timer, for all members: the time after which messages from now on disappear once
    /// they were read.
    ///
    /// - Parameter duration: A second to 365 days; zero for never.
    /// - Returns: The system line that reports it.
    /// - Throws: `tooLarge`, `limited`, `refusedByTrust`, `notMember`, `frozen`, `notFound`, or the store's error.
    @discardableResult
    public func setTimer(_ duration: Duration) async throws(ChatError) -> Message {
        try await account.transact { engine in try engine.setTimer(duration, of: id) }
    }

    /// Returns the user's draft; empty if there is none.
    ///
    /// - Throws: `locked`, `suspended`, `stopped`, or the store's error.
    public func draft() async throws(ChatError) -> String {
        try await account.read { engine in engine.draft(in: id) }
    }

    /// Keeps the user's draft until it is sent; no other node ever sees it.
    ///
    /// - Parameter text: At most 64 KiB of UTF-8; empty to delete the draft.
    /// - Throws: `tooLarge`, `notFound`, or the store's error.
    public func setDraft(_ text: String) async throws(ChatError) {
        try await account.transact { engine in try engine.setDraft(text, in: id) }
    }

    /// Returns the limits on what is kept of the conversation.
    ///
    /// - Throws: `notFound`.
    public func retention() async throws(ChatError) -> ConversationRetention {
        try await account.read { engine in try engine.retention(of: id) }
    }

    /// Limits how much is kept of the conversation.
    ///
    /// Messages beyond the limits are removed, the oldest first: at once, whenever a message comes, and as time passes.
    /// They are removed on this node alone.
    ///
    /// - Parameter retention: The limits; nil for the limits that apply to all conversations.
    /// - Throws: `badDuration`, `badCount`, `notFound`, or the store's error.
    public func setRetention(_ retention: Retention?) async throws(ChatError) {
        try await account.setRetention(retention, of: id)
    }

    /// Shows a typing indicator to a peer, or to the contacts in a group, if the settings allow it; nothing of it is
    /// stored anywhere.
    ///
    /// An indicator lasts six seconds, so repeat it meanwhile; it is sent at most every two seconds.
    ///
    /// - Parameter isTyping: Whether the user is typing, or has stopped.
    /// - Throws: `notFound`, `refusedByTrust`, `notMember`.
    public func setTyping(_ isTyping: Bool = true) async throws(ChatError) {
        try await account.transact { engine in try engine.sendTyping(isTyping, to: id) }
    }

    // MARK: - Removing

    /// Deletes all messages and their files, on this node alone.
    ///
    /// The contact or group and the sessions stay, and messages that have not arrived yet are still sent.
    ///
    /// - Throws: `notFound`, or the store's error; what was deleted before the error stays deleted.
    public func deleteHistory() async throws(ChatError) {
        let account = try await account
        let last = try await account.read { engine in
            _ = try engine.retention(of: id)
            return try engine.step.highestPosition(of: id)
        }
        var next: UInt64? = 0
        while let start = next {
            next = try await account.transact { engine in try engine.clear(id, from: start, upTo: last) }
        }
    }

    /// Erases the conversation on this node: its key first, then its messages, files and timers.
    ///
    /// Contact, sessions and membership stay, and nobody is notified. An own message that has not arrived is given up.
    /// If a crash interrupts the erasure, the next start finishes it. Plain copies of files that the user asked for
    /// stay.
    ///
    /// - Throws: `notFound`, or the store's error.
    public func erase() async throws(ChatError) {
        let account = try await account
        try await account.transact { engine in try engine.beginErasing(id) }
        try await account.transact { engine in try engine.erase(id) }
    }
}

extension ChatEvent {
    /// Whether a conversation, as a list shows it, may differ after it.
    fileprivate func mayChange(_ conversation: ConversationID) -> Bool {
        switch self {
        case .message(let message), .changed(let message): message.conversation == conversation
        case .conversation(let changed): changed.id == conversation
        case .removed(let changed, _), .erased(let changed), .typing(let changed, _, _): changed == conversation
        case .status(let changed, _, _): changed == conversation
        case .group(let group, _), .room(let group, _): conversation.group == group
        case .contact, .trust: true
        case .linkUp, .linkDown, .streamingReply, .delivery, .progress, .fileFailed, .relayed, .locked, .unlocked,
            .storageFailing, .historyTampered, .lagged:
            false
        }
    }
}
