import ChatCrypto
import MeshCore

/// The conversations whose limits are to be checked, and how much there is of those that have limits.
struct RetentionSchedule: Sendable {
    /// How much of a conversation there is; counted anew where it is missing.
    private var statistics: [ConversationID: RetentionStatistics] = [:]
    /// The conversations that may be beyond their limits, in order.
    var due: [ConversationID] { pending.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) } }
    /// The time of the next check.
    private(set) var nextCheck = MeshInstant.distantFuture
    private var pending: Set<ConversationID> = []

    // MARK: - Checks

    /// Has conversations checked at a time.
    mutating func check(_ conversations: some Sequence<ConversationID>, at now: MeshInstant) {
        pending.formUnion(conversations)
        if !pending.isEmpty { nextCheck = now }
    }

    /// Notes that a conversation is within its limits.
    mutating func finish(_ conversation: ConversationID) {
        pending.remove(conversation)
        if pending.isEmpty { nextCheck = .distantFuture }
    }

    /// Forgets a conversation.
    mutating func forget(_ conversation: ConversationID) {
        statistics[conversation] = nil
        finish(conversation)
    }

    // MARK: - Statistics

    /// How much of a conversation there is, where that is known.
    subscript(conversation: ConversationID) -> RetentionStatistics? {
        get { statistics[conversation] }
        set { statistics[conversation] = newValue }
    }

    /// Has all conversations counted anew.
    mutating func forgetStatistics() { statistics = [:] }

    /// Counts a message that is added.
    ///
    /// - Parameter size: The bytes that it takes; nil for one that is not shown.
    mutating func noteArrival(
        _ record: ProtoMessageRecord,
        size: Int?,
        at place: UInt64,
        in conversation: ConversationID
    ) {
        guard let known = statistics[conversation], place >= known.first else {
            // It stands before what was counted.
            statistics[conversation] = nil
            return
        }
        guard let size else { return }
        statistics[conversation]?.add(size, receivedAt: record.receivedAt)
    }

    /// Counts bytes of a message that come later than it, or takes off those of a message that goes.
    mutating func noteBytes(_ byteCount: Int, messages: Int = 0, at place: UInt64, in conversation: ConversationID) {
        guard let known = statistics[conversation], place >= known.first else { return }
        statistics[conversation]?.messageCount += messages
        statistics[conversation]?.byteCount = max(0, known.byteCount + byteCount)
    }
}

/// How much of a conversation there is, from the first position on that is not known to be empty.
struct RetentionStatistics: Sendable {
    var first: UInt64 = 0
    var messageCount = 0
    /// Units: bytes.
    var byteCount = 0
    /// The time at which the oldest message came.
    ///
    /// Units: milliseconds since 1970; 0 where there is none.
    var oldest: UInt64 = 0

    /// Whether nothing is to go; a message that is larger than all that is to be kept stays while it is the only one.
    func isWithin(_ retention: Retention, from start: UInt64) -> Bool {
        guard messageCount > 0 else { return true }
        let isSmall = messageCount == 1 || byteCount <= retention.byteCount ?? .max
        return isSmall && messageCount <= retention.messageCount ?? .max && oldest >= start
    }

    /// Counts a message behind all others.
    mutating func add(_ size: Int, receivedAt: UInt64) {
        if messageCount == 0 { oldest = receivedAt }
        messageCount += 1
        byteCount += size
    }

    /// Counts a conversation.
    ///
    /// - Parameter size: The bytes that a message takes; nil for one that is not shown.
    static func count(
        _ conversation: ConversationID,
        in snapshot: some Snapshot,
        size: (ProtoMessageRecord) -> Int?
    ) throws -> RetentionStatistics {
        var statistics = RetentionStatistics()
        var next: UInt64 = 0
        while true {
            let page = try snapshot.placedPage(of: conversation, from: next, limit: ChatLimits.pageCount)
            for (_, record) in page { size(record).map { statistics.add($0, receivedAt: record.receivedAt) } }
            guard page.count == ChatLimits.pageCount, let last = page.last?.place else { return statistics }
            next = last + 1
        }
    }
}
