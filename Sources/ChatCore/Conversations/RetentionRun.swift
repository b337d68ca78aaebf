import ChatCrypto

/// A run through the oldest messages of a conversation, which have to be removed.
struct RetentionRun {
    let conversation: ConversationID
    let retention: Retention
    /// The position up to which everything is removed, whatever the limits; 0 for none.
    let last: UInt64
    /// The present time.
    ///
    /// Units: milliseconds since 1970.
    let wall: UInt64
    /// The size of the remaining conversation.
    private(set) var statistics: RetentionStatistics
    private var page: ArraySlice<(place: UInt64, record: ProtoMessageRecord)> = []
    private var isLastPage = false
    /// Whether all messages to remove were returned.
    private(set) var isDone: Bool

    /// Begins a run over a conversation with this size.
    init(
        _ conversation: ConversationID,
        to retention: Retention,
        upTo last: UInt64,
        _ statistics: RetentionStatistics,
        at wall: UInt64
    ) {
        self.conversation = conversation
        self.retention = retention
        self.last = last
        self.wall = wall
        self.statistics = statistics
        isDone = last == 0 && statistics.isWithin(retention, from: retention.start(at: wall))
    }

    /// Returns the next message to remove; nil if there is none.
    ///
    /// - Parameter size: The bytes that a message takes; nil for one that is not shown.
    mutating func next(
        in snapshot: some Snapshot,
        size: (ProtoMessageRecord) -> Int?
    ) throws -> (place: UInt64, record: ProtoMessageRecord)? {
        guard !isDone else { return nil }
        if page.isEmpty, !isLastPage {
            page = try snapshot.positionedPage(of: conversation, from: statistics.first, limit: ChatLimits.trimCount)[
                ...
            ]
            isLastPage = page.count < ChatLimits.trimCount
        }
        guard let next = page.popFirst() else {
            statistics.oldest = 0
            isDone = true
            return nil
        }
        let byteCount = size(next.record)
        if byteCount != nil {
            statistics.oldest = next.record.receivedAt
            isDone = next.place > last && statistics.isWithin(retention, from: retention.start(at: wall))
        } else {
            isDone = last > 0 && next.place > last
        }
        guard !isDone else { return nil }
        statistics.first = next.place + 1
        if let byteCount {
            statistics.messageCount -= 1
            statistics.byteCount = max(0, statistics.byteCount - byteCount)
        }
        return next
    }
}
