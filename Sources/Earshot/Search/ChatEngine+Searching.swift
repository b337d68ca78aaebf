import ChatCrypto
import ChatHistory

/// What a search reads: nothing here changes the engine or the store.
extension ChatEngine {
    /// A page of a conversation, as it is searched.
    struct SearchPage {
        /// The messages that are shown, newest first.
        var messages: [Message] = []
        /// The messages that were read.
        var count = 0
        /// Where the next page ends; nil if there is none.
        var before: UInt64?
    }

    /// All conversations as the store names them, the most recently changed first, and how many messages they have.
    func searchedConversations(in transaction: ChatTransaction) throws -> (rows: [RowID], messageCount: Int) {
        let direct = conversations.map { (time: $0.value.record.changedAt, row: transaction.conversationID($0.key)) }
        let others = groups.states.map { (time: $0.value.record.changedAt, row: transaction.conversationID($0.key)) }
        let rows = (direct + others).sorted { ($0.time, $0.row) > ($1.time, $1.row) }.map(\.row)
        return (rows, try rows.reduce(0) { try $0 + transaction.messageCount(of: $1) })
    }

    /// A page of a conversation, whose messages do not know what they answer.
    func searchPage(of conversation: RowID, before place: UInt64?, in transaction: ChatTransaction) throws -> SearchPage
    {
        let placed = try transaction.placedPage(of: conversation, before: place, limit: SearchLimits.stepCount)
        var page = SearchPage(count: placed.count)
        for (_, record) in placed {
            if let message = try message(from: record, findsReply: false, in: transaction) {
                page.messages.append(message)
            }
        }
        if placed.count == SearchLimits.stepCount { page.before = placed.last?.place }
        return page
    }
}
