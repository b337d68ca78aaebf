import ChatCrypto

/// A run through the oldest messages of a conversation, those that are to go.
struct RetentionRun {
    let conversation: ConversationID
    let retention: Retention
    /// Everything up to this position goes, whatever the limits; 0 for none.
    let last: UInt64
    /// Units: milliseconds since 1970.
    let wall: UInt64
    /// How much of the conversation is left.
    private(set) var statistics: RetentionStatistics
    private var page: ArraySlice<(place: UInt64, record: ProtoMessageRecord)> = []
    private var isLastPage = false
    /// Whether all that is to go was handed out.
    private(set) var isDone: Bool

    /// Begins a run over a conversation of which so much is left.
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

    /// The next message that is to go; nil where there is none.
    ///
    /// - Parameter size: The bytes that a message takes; nil for one that is not shown.
    mutating func next(
        in snapshot: some Snapshot,
        size: (ProtoMessageRecord) -> Int?
    ) throws -> (place: UInt64, record: ProtoMessageRecord)? {
        guard !isDone else { return nil }
        if page.isEmpty, !isLastPage {
            page = try snapshot.placedPage(of: conversation, from: statistics.first, limit: ChatLimits.trimCount)[...]
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
