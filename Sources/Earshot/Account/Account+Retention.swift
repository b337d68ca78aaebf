import ChatCore

extension Account {
    /// Limits how much is kept of a conversation, or of all without their own limits, and removes what is beyond it.
    func setRetention(_ retention: Retention?, of conversation: ConversationID?) async throws(ChatError) {
        try await transact { engine in try engine.setRetention(retention, of: conversation) }
        try await transact { engine in try engine.keepWithinLimits() }
    }
}
