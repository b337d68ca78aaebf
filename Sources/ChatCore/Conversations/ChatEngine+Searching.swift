import ChatCrypto

/// What a search reads: nothing here changes the engine or the store.
extension ChatEngine {
    /// A page of a conversation, as it is searched.
    package struct SearchPage {
        /// The messages that are shown, newest first.
        package var messages: [Message] = []
        /// The messages that were read.
        package var count = 0
        /// Where the next page ends; nil if there is none.
        package var before: UInt64?
    }

    /// All conversations as the store names them, the most recently changed first, and how many messages they have.
    package func searchedConversations() throws -> (ids: [ConversationID], messageCount: Int) {
        let direct = conversations.map { (time: $0.value.record.changedAt, id: ConversationID.direct($0.key)) }
        let others = groups.states.map { (time: $0.value.record.changedAt, id: conversationID(of: $0.key)) }
        let ids = (direct + others).sorted { left, right in
            left.time == right.time ? right.id.bytes.lexicographicallyPrecedes(left.id.bytes) : left.time > right.time
        }.map(\.id)
        return (ids, try ids.reduce(0) { try $0 + step.messageCount(of: $1) })
    }

    /// A page of a conversation, whose messages do not know what they answer.
    ///
    /// - Parameter limit: The messages that are read at most.
    package func searchPage(
        of conversation: ConversationID,
        before place: UInt64?,
        limit: Int
    ) throws -> SearchPage {
        let placed = try step.placedPage(of: conversation, before: place, limit: limit)
        var page = SearchPage(count: placed.count)
        for (_, record) in placed {
            if let message = try message(from: record, findsReply: false) {
                page.messages.append(message)
            }
        }
        if placed.count == limit { page.before = placed.last?.place }
        return page
    }
}
