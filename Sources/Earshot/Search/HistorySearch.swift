import ChatCrypto
import ChatHistory

/// A node's search: the texts it has in memory, and those that are still to be read.
struct HistorySearch: Sendable {
    /// A conversation of which messages are still to be read.
    struct Unread: Sendable {
        let conversation: ConversationID
        /// Only messages before this place are missing; nil for all.
        var before: UInt64?
    }

    private(set) var index: SearchIndex
    /// What is still to be read, the next last; nil before the first search.
    var unread: [Unread]?
    private var seenCount = 0
    private var totalCount = 0
    /// Whether older messages have been left out.
    private var isLimited = false
    /// What reads.
    var task: Task<Void, Never>?
    /// Who waits for it.
    var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ configuration: ChatConfiguration, isRoom: Bool) {
        let limit = configuration.searchByteCount
        index = SearchIndex(byteCountLimit: isRoom ? min(limit, SearchLimits.roomByteCount) : limit)
    }

    /// Whether changes of messages are to be followed.
    var isActive: Bool { unread != nil }

    /// Whether everything there is room for has been read.
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

    /// Begins with conversations in the order in which they are to be read.
    mutating func begin(_ conversations: [ConversationID], messageCount: Int) {
        unread = conversations.reversed().map { Unread(conversation: $0) }
        totalCount = messageCount
    }

    /// Takes a page of the conversation that is next.
    ///
    /// - Parameter before: The place where the next page ends; nil if there is none.
    mutating func take(_ entries: [SearchEntry], count: Int, before: UInt64?) {
        guard let last = unread?.indices.last else { return }
        for (number, entry) in entries.enumerated() where !index.contains(entry.id) {
            guard index.hasRoom(for: entry) else {
                // Of what does not fit the oldest is left out.
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

    /// Puts a message in as it stands, or wipes it if it is not shown any more.
    mutating func update(_ id: MessageID, to entry: SearchEntry?) {
        guard let entry else { return index.remove(id) }
        // What was left out stays out when something becomes of it, and does not put out what is newer.
        guard !isLimited || index.contains(id) || entry.time >= index.newest else { return }
        index.put(entry)
        isLimited = isLimited || index.droppedCount > 0
    }

    /// Wipes the messages of a conversation.
    mutating func removeAll(of conversation: RowID) { index.removeAll(of: conversation) }

    /// Lets those go who wait for the reading to end.
    mutating func endWaiting() {
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// Wipes everything; the next search begins anew.
    mutating func wipe() {
        task?.cancel()
        task = nil
        index.wipe()
        unread = nil
        (seenCount, totalCount, isLimited) = (0, 0, false)
        endWaiting()
    }
}
