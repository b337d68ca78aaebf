/// The limits of a conversation: messages beyond an age, a number or a size are removed, the oldest first; nil means no
/// limit.
public struct Retention: Hashable, Codable, Sendable {
    /// The time for which messages are kept after they arrived or were sent.
    public var age: Duration?
    /// The number of messages that are kept.
    public var messageCount: Int?
    /// The size of texts and files together that is kept.
    ///
    /// Units: bytes.
    public var byteCount: Int?

    /// No limits: everything is kept.
    public static let everything = Retention()

    /// Makes limits; messages have to satisfy all that are given.
    public init(age: Duration? = nil, messageCount: Int? = nil, byteCount: Int? = nil) {
        self.age = age
        self.messageCount = messageCount
        self.byteCount = byteCount
    }
}

/// The limits of a conversation, and their origin.
public struct ConversationRetention: Hashable, Codable, Sendable {
    /// The limits that apply.
    public let retention: Retention
    /// Whether they are the conversation's own limits; otherwise they are those of all conversations.
    public let isOwn: Bool

    /// Makes limits from their parts.
    public init(retention: Retention, isOwn: Bool = false) {
        self.retention = retention
        self.isOwn = isOwn
    }
}

extension Retention {
    init(_ record: ProtoWishRecord) {
        self.init(
            age: record.keepSeconds > 0 ? .seconds(Int64(clamping: record.keepSeconds)) : nil,
            messageCount: record.keepMessages > 0 ? Int(clamping: record.keepMessages) : nil,
            byteCount: record.keepBytes > 0 ? Int(clamping: record.keepBytes) : nil
        )
    }

    func write(to record: inout ProtoWishRecord) {
        record.keepSeconds = age.map { UInt64(clamping: $0.components.seconds) } ?? 0
        record.keepMessages = messageCount.map { UInt64(clamping: $0) } ?? 0
        record.keepBytes = byteCount.map { UInt64(clamping: $0) } ?? 0
    }

    /// Refuses limits that keep nothing.
    func check() throws {
        if let age, age < ChatLimits.leastRetention {
            throw ChatError(.badDuration, "Messages are kept for at least a minute.")
        }
        if let messageCount, messageCount < 1 { throw ChatError(.badCount, "At least one message is kept.") }
        if let byteCount, byteCount < 1 { throw ChatError(.badCount, "At least one byte is kept.") }
    }

    /// Computes the moment before which nothing is kept.
    ///
    /// Units: milliseconds since 1970; 0 for no such moment.
    func start(at wall: UInt64) -> UInt64 {
        guard let age else { return 0 }
        let span = UInt64(clamping: age.components.seconds).multipliedReportingOverflow(by: 1_000)
        return span.overflow ? 0 : wall - min(wall, span.partialValue)
    }
}
