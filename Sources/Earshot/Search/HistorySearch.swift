import ChatCrypto
import ChatHistory

/// A node's search: the texts that it has in memory, and the conversations that are still to be read.
struct HistorySearch: Sendable {
    /// A conversation with messages that are still to be read.
    struct Unread: Sendable {
        let conversation: ConversationID
        /// The position before which messages are missing; nil for all messages.
        var before: UInt64?
    }

    private(set) var index: SearchIndex
    /// The conversations that are still to be read, the next one last; nil before the first search.
    var unread: [Unread]?
    private var seenCount = 0
    private var totalCount = 0
    /// Whether older messages have been left out.
    private var isLimited = false
    /// The task that reads.
    var task: Task<Void, Never>?
    /// The callers that wait until everything has been read.
    var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ configuration: ChatConfiguration, isRoom: Bool) {
        let limit = configuration.searchByteCount
        index = SearchIndex(byteCountLimit: isRoom ? min(limit, SearchLimits.roomByteCount) : limit)
    }

    /// Whether the index follows changes of messages.
    var isActive: Bool { unread != nil }

    /// Whether everything has been read that there is room for.
    var isComplete: Bool { unread?.isEmpty ?? false }

    var progress: SearchProgress {
        let missing = isComplete ? totalCount - min(totalCount, seenCount) : 0
        return SearchProgress(
            indexedCount: seenCount,
            messageCount: max(totalCount, seenCount),
            isComplete: isComplete,
            unsearchedCount: missing + index.droppedCount
        )
    }

    /// Begins with conversations in the order in which they are read.
    mutating func begin(_ conversations: [ConversationID], messageCount: Int) {
        unread = conversations.reversed().map { Unread(conversation: $0) }
        totalCount = messageCount
    }

    /// Takes a page of the next conversation.
    ///
    /// - Parameter before: The position at which the next page ends; nil if there is none.
    mutating func take(_ entries: [SearchEntry], count: Int, before: UInt64?) {
        guard let last = unread?.indices.last else { return }
        for (number, entry) in entries.enumerated() where !index.contains(entry.id) {
            guard index.hasCapacity(for: entry) else {
                // The oldest of the texts that do not fit are left out.
                seenCount += number
                isLimited = true
                unread = []
                return
            }
            index.put(entry)
        }
        seenCount += count
        if let before { unread?[last].before = before } else { unread?.removeLast() }
    }

    /// Gives up a conversation that cannot be read.
    mutating func skip() {
        if unread?.isEmpty == false { unread?.removeLast() }
    }

    /// Updates a message, or wipes it if it is not shown any more.
    mutating func update(_ id: MessageID, to entry: SearchEntry?) {
        guard let entry else { return index.remove(id) }
        // A message that was left out stays out when it changes, and does not displace newer ones.
        guard !isLimited || index.contains(id) || entry.time >= index.newest else { return }
        index.put(entry)
        isLimited = isLimited || index.droppedCount > 0
    }

    /// Wipes the messages of a conversation.
    mutating func removeAll(of conversation: RowID) { index.removeAll(of: conversation) }

    /// Resumes the callers that wait for the end of reading.
    mutating func endWaiting() {
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// Wipes everything; the next search reads from the beginning.
    mutating func wipe() {
        task?.cancel()
        task = nil
        index.wipe()
        unread = nil
        (seenCount, totalCount, isLimited) = (0, 0, false)
        endWaiting()
    }
}
