public import ChatCore
import ChatHistory

/// What the user wants of conversations on this node alone.
extension ChatNode {
    /// How much is kept of a conversation.
    ///
    /// - Parameter conversation: Which; nil for all that have no limits of their own.
    /// - Throws: `notFound`.
    public func retention(of conversation: ConversationID? = nil) async throws(ChatError) -> ConversationRetention {
        try await account(ofAny: conversation).look { engine in try engine.retention(of: conversation) }
    }

    /// Limits how much is kept of a conversation.
    ///
    /// What is beyond the limits goes, the oldest first, at once, whenever something comes, and as time passes; it is gone
    /// on this node alone.
    ///
    /// - Parameters:
    ///   - retention: The limits; nil takes a conversation's own away, so that those of all hold.
    ///   - conversation: Which; nil for all that have no limits of their own.
    /// - Throws: `badDuration`, `badCount`, `notFound`, or what the store refuses.
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

    /// Deletes all messages of a conversation on this node alone, with their files; contact or group and sessions stay, and
    /// what has not arrived yet still goes.
    ///
    /// - Parameter conversation: Which.
    /// - Throws: `notFound`, or what the store refuses; what had been deleted by then stays so.
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

    /// What the user has begun to write in a conversation; empty for nothing.
    ///
    /// - Parameter conversation: Which.
    public func draft(in conversation: ConversationID) async throws(ChatError) -> String {
        try await account(of: conversation).look { engine in engine.draft(in: conversation) }
    }

    /// Keeps what the user has begun to write, until it is sent; no other node ever sees it.
    ///
    /// - Parameters:
    ///   - text: At most 64 KiB of UTF-8; empty to forget it.
    ///   - conversation: Which.
    /// - Throws: `tooLarge`, `notFound`, or what the store refuses.
    public func setDraft(_ text: String, in conversation: ConversationID) async throws(ChatError) {
        try await account(of: conversation).transact { engine in
            try engine.setDraft(text, in: conversation)
        }
    }

    /// Pins a conversation, so that lists have it before others, or lets it go.
    ///
    /// - Parameters:
    ///   - conversation: Which.
    ///   - isPinned: Whether it is to be pinned.
    /// - Returns: The conversation now.
    /// - Throws: `notFound` where there is no such conversation, or what the store refuses.
    @discardableResult
    public func pin(_ conversation: ConversationID, _ isPinned: Bool = true) async throws(ChatError) -> Conversation {
        try await account(of: conversation).transact { engine in
            try engine.pin(conversation, isPinned)
        }
    }

    // MARK: - Watching

    /// The signs noticed so far of changes that something other than Earshot has made; rooms tell theirs as events.
    public var historyReport: HistoryReport { get async { await account.historyReport } }

    /// Looks through everything that is kept: whether it is what was written, all of it, and opens.
    ///
    /// Other work goes on between one conversation and the next.
    ///
    /// - Returns: The signs noticed, now and before.
    /// - Throws: What the store refuses.
    public func checkHistory() async throws(ChatError) -> HistoryReport {
        try await account.checkHistory()
    }

    /// Takes what is kept as it is for what is to be there, and forgets what was noticed.
    ///
    /// Messages that do not open, and never will, are deleted. Ask the user before this: it cannot be taken back.
    ///
    /// - Returns: The messages that were deleted.
    /// - Throws: What the store refuses.
    public func acceptHistory() async throws(ChatError) -> HistoryReport {
        try checkRunning()
        return try await account.acceptHistory()
    }
}
