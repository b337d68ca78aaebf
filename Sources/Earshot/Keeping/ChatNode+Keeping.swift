public import ChatCore
import ChatHistory

/// The user's settings of conversations, on this node alone.
extension ChatNode {
    /// Returns the limits on what is kept of a conversation.
    ///
    /// - Parameter conversation: The conversation; nil for all that have no limits of their own.
    /// - Throws: `notFound`.
    public func retention(of conversation: ConversationID? = nil) async throws(ChatError) -> ConversationRetention {
        try await account(ofAny: conversation).look { engine in try engine.retention(of: conversation) }
    }

    /// Limits how much is kept of a conversation.
    ///
    /// Messages beyond the limits are removed, the oldest first: at once, whenever a message comes, and as time passes.
    /// They are removed on this node alone.
    ///
    /// - Parameters:
    ///   - retention: The limits; nil removes a conversation's own limits, so that the limits for all apply.
    ///   - conversation: The conversation; nil for all that have no limits of their own.
    /// - Throws: `badDuration`, `badCount`, `notFound`, or the store's error.
    public func setRetention(
        _ retention: Retention?,
        of conversation: ConversationID? = nil
    ) async throws(ChatError) {
        let account = try await account(ofAny: conversation)
        try await account.transact { engine in
            try engine.setRetention(retention, of: conversation)
        }
        try await account.transact { engine in try engine.keepWithinLimits() }
    }

    /// Deletes all messages of a conversation and their files, on this node alone.
    ///
    /// The contact or group and the sessions stay, and messages that have not arrived yet are still sent.
    ///
    /// - Parameter conversation: The conversation.
    /// - Throws: `notFound`, or the store's error; what was deleted before the error stays deleted.
    public func deleteHistory(of conversation: ConversationID) async throws(ChatError) {
        let account = try await account(of: conversation)
        let last = try await account.look { engine in
            _ = try engine.retention(of: conversation)
            return try engine.step.highestPosition(of: conversation)
        }
        var next: UInt64? = 0
        while let start = next {
            next = try await account.transact { engine in
                try engine.clear(conversation, from: start, upTo: last)
            }
        }
    }

    /// Returns the user's draft in a conversation; empty if there is none.
    ///
    /// - Parameter conversation: The conversation.
    public func draft(in conversation: ConversationID) async throws(ChatError) -> String {
        try await account(of: conversation).look { engine in engine.draft(in: conversation) }
    }

    /// Keeps the user's draft until it is sent; no other node ever sees it.
    ///
    /// - Parameters:
    ///   - text: At most 64 KiB of UTF-8; empty to delete the draft.
    ///   - conversation: The conversation.
    /// - Throws: `tooLarge`, `notFound`, or the store's error.
    public func setDraft(_ text: String, in conversation: ConversationID) async throws(ChatError) {
        try await account(of: conversation).transact { engine in
            try engine.setDraft(text, in: conversation)
        }
    }

    /// Pins a conversation, so that lists show it before others, or unpins it.
    ///
    /// - Parameters:
    ///   - conversation: The conversation.
    ///   - isPinned: Whether to pin it.
    /// - Returns: The conversation now.
    /// - Throws: `notFound` if there is no such conversation, or the store's error.
    @discardableResult
    public func pin(_ conversation: ConversationID, _ isPinned: Bool = true) async throws(ChatError) -> Conversation {
        try await account(of: conversation).transact { engine in
            try engine.pin(conversation, isPinned)
        }
    }

    // MARK: - Watching

    /// The signs noticed so far of changes that something other than Earshot has made; rooms report theirs as events.
    public var historyReport: HistoryReport { get async { await account.historyReport } }

    /// Checks all stored records: whether they are unchanged and complete, and whether they open.
    ///
    /// Other work goes on between one conversation and the next.
    ///
    /// - Returns: The signs noticed, now and before.
    /// - Throws: The store's error.
    public func checkHistory() async throws(ChatError) -> HistoryReport {
        try await account.checkHistory()
    }

    /// Accepts the stored records as they are, and forgets the noticed signs.
    ///
    /// Messages that do not open, and never will, are deleted. Ask the user before this: it cannot be undone.
    ///
    /// - Returns: A report without signs that counts the deleted messages.
    /// - Throws: The store's error.
    public func acceptHistory() async throws(ChatError) -> HistoryReport {
        try checkRunning()
        return try await account.acceptHistory()
    }
}
