import ChatCrypto
import MeshCore

/// The conversations whose limits have to be checked, and the sizes of those with limits.
struct RetentionSchedule: Sendable {
    /// The known sizes of conversations; a missing one is counted again.
    private var statistics: [ConversationID: RetentionStatistics] = [:]
    /// The conversations that may exceed their limits, in order.
    var due: [ConversationID] { pending.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) } }
    /// The time of the next check.
    private(set) var nextCheck = MeshInstant.distantFuture
    private var pending: Set<ConversationID> = []

    // MARK: - Checks

    /// Schedules a check of conversations at a time.
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

    /// The size of a conversation, if it is known.
    subscript(conversation: ConversationID) -> RetentionStatistics? {
        get { statistics[conversation] }
        set { statistics[conversation] = newValue }
    }

    /// Forgets all sizes, so that they are counted again.
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
            // Its position is before the counted ones.
            statistics[conversation] = nil
            return
        }
        guard let size else { return }
        statistics[conversation]?.add(size, receivedAt: record.receivedAt)
    }

    /// Counts bytes of a message that arrive after it, or subtracts those of a removed message.
    mutating func noteBytes(_ byteCount: Int, messages: Int = 0, at place: UInt64, in conversation: ConversationID) {
        guard let known = statistics[conversation], place >= known.first else { return }
        statistics[conversation]?.messageCount += messages
        statistics[conversation]?.byteCount = max(0, known.byteCount + byteCount)
    }
}

/// The size of a conversation, from the first position on that is not known to be empty.
struct RetentionStatistics: Sendable {
    var first: UInt64 = 0
    var messageCount = 0
    /// The size of the messages.
    ///
    /// Units: bytes.
    var byteCount = 0
    /// The time at which the oldest message arrived.
    ///
    /// Units: milliseconds since 1970; 0 if there is none.
    var oldest: UInt64 = 0

    /// Whether nothing has to be removed; a message larger than the whole limit stays while it is the only one.
    func isWithin(_ retention: Retention, from start: UInt64) -> Bool {
        guard messageCount > 0 else { return true }
        let isSmall = messageCount == 1 || byteCount <= retention.byteCount ?? .max
        return isSmall && messageCount <= retention.messageCount ?? .max && oldest >= start
    }

    /// Counts a message after all others.
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
            let page = try snapshot.positionedPage(of: conversation, from: next, limit: ChatLimits.pageCount)
            for (_, record) in page { size(record).map { statistics.add($0, receivedAt: record.receivedAt) } }
            guard page.count == ChatLimits.pageCount, let last = page.last?.place else { return statistics }
            next = last + 1
        }
    }
}
