package import Earshot

/// What the methods need of a node to watch over what it keeps, and to let it go.
package protocol RPCKeepingNode: Sendable {
    /// Looks through everything that is kept.
    func checkHistory() async throws(ChatError) -> HistoryReport
    /// Takes everything as it is for what is to be there.
    func acceptHistory() async throws(ChatError) -> HistoryReport
    /// How much is kept of a conversation, or of all.
    func retention(of conversation: ConversationID?) async throws(ChatError) -> ConversationRetention
    /// Limits how much is kept.
    func setRetention(_ retention: Retention?, of conversation: ConversationID?) async throws(ChatError)
    /// Deletes all messages of a conversation here.
    func deleteHistory(of conversation: ConversationID) async throws(ChatError)
    /// What the user has begun to write.
    func draft(in conversation: ConversationID) async throws(ChatError) -> String
    /// Keeps what the user has begun to write.
    func setDraft(_ text: String, in conversation: ConversationID) async throws(ChatError)
    /// Pins a conversation, or lets it go.
    func pin(_ conversation: ConversationID, _ isPinned: Bool) async throws(ChatError) -> Conversation
}
