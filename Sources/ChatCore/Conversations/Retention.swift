/// How much of a conversation is kept: what is older, or beyond a number, goes, the oldest first; nil means any.
public struct Retention: Hashable, Sendable {
    /// How long messages are kept after they came or were sent.
    public var age: Duration?
    /// How many messages are kept.
    public var messageCount: Int?
    /// How much is kept, texts and files together.
    ///
    /// Units: bytes.
    public var byteCount: Int?

    /// Keeps everything.
    public static let everything = Retention()

    /// Keeps what is within all limits that are given.
    public init(age: Duration? = nil, messageCount: Int? = nil, byteCount: Int? = nil) {
        self.age = age
        self.messageCount = messageCount
        self.byteCount = byteCount
    }
}

/// How much is kept of a conversation, and by whose word.
public struct ConversationRetention: Hashable, Sendable {
    /// The limits that hold.
    public let retention: Retention
    /// Whether they are the conversation's own; else they are those of all.
    public let isOwn: Bool
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
            throw ChatError(.badDuration, "Messages are kept for a minute at least.")
        }
        if let messageCount, messageCount < 1 { throw ChatError(.badCount, "At least one message is kept.") }
        if let byteCount, byteCount < 1 { throw ChatError(.badCount, "At least one byte is kept.") }
    }

    /// The moment before which nothing is kept.
    ///
    /// Units: milliseconds since 1970; 0 for no such moment.
    func start(at wall: UInt64) -> UInt64 {
        guard let age else { return 0 }
        let span = UInt64(clamping: age.components.seconds).multipliedReportingOverflow(by: 1_000)
        return span.overflow ? 0 : wall - min(wall, span.partialValue)
    }
}
