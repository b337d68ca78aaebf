import ChatCrypto
import MeshCore

/// The messages that disappear some time after they were read, by this node's own clock.
///
/// Bounded by ``ContentLimits/timerCount``: beyond it the message whose time is over first goes at once, of the conversation
/// that has one more, for a promise to forget is kept too soon rather than never. The engine writes what ``takeChanges()``
/// names. Source: PROTOCOL §10 timers.
struct MessageTimers: Sendable {
    struct Entry: Sendable, Equatable {
        let id: MessageID
        let conversation: ConversationID
        /// The message's position in its conversation.
        let sequence: UInt64
        let seconds: UInt32
        /// Units: milliseconds since 1970; nil while nobody has read it.
        var expiresAt: UInt64?

        fileprivate var end: (UInt64, UInt64, MessageID) { (expiresAt ?? .max, sequence, id) }
    }

    private var entries: [MessageID: Entry] = [:]
    /// The messages whose records the store does not have as they are now.
    private var changed: Set<MessageID> = []
    /// The time at which the first message goes.
    ///
    /// Units: milliseconds since 1970.
    private(set) var next: UInt64?
    /// The same by the monotonic clock, as the wall clock stood when it was last looked at.
    private(set) var nextDeadline = MeshInstant.distantFuture

    var count: Int { entries.count }

    /// The time at which a message goes; nil for one that has no timer, or that nobody has read.
    ///
    /// Units: milliseconds since 1970.
    func end(of id: MessageID) -> UInt64? { entries[id]?.expiresAt }

    // MARK: - Setting

    /// Sets the timer of a message.
    mutating func set(_ entry: Entry, at time: ChatTime) {
        forget(entry.id)
        entries[entry.id] = entry
        changed.insert(entry.id)
        if let end = entry.expiresAt { next = min(next ?? .max, end) }
        schedule(at: time)
    }

    /// Begins the time of a message.
    mutating func start(_ id: MessageID, at time: ChatTime) {
        guard var entry = entries[id], entry.expiresAt == nil else { return }
        entry.expiresAt = time.wall + UInt64(entry.seconds) * 1_000
        set(entry, at: time)
    }

    /// Forgets the timer of a message.
    mutating func remove(_ id: MessageID) {
        guard entries[id] != nil else { return }
        forget(id)
        changed.insert(id)
    }

    /// Forgets the timers of a conversation.
    mutating func removeAll(in conversation: ConversationID) {
        for entry in entries.values where entry.conversation == conversation { remove(entry.id) }
    }

    private mutating func forget(_ id: MessageID) {
        guard let entry = entries.removeValue(forKey: id), let end = entry.expiresAt, end == next else { return }
        next = entries.values.compactMap(\.expiresAt).min()
    }

    /// Sets the time of the next end anew, for the wall clock may have been set.
    mutating func schedule(at time: ChatTime) {
        guard let next else { return nextDeadline = .distantFuture }
        let wait = next > time.wall ? next - time.wall : 0
        nextDeadline = time.monotonic.advanced(by: .milliseconds(Int64(clamping: wait)))
    }

    // MARK: - Reading

    /// The messages whose time is over, in the order in which it was.
    func due(at wall: UInt64) -> [MessageID] {
        guard let next, next <= wall else { return [] }
        return entries.values.filter { $0.expiresAt ?? .max <= wall }.sorted { $0.end < $1.end }.map(\.id)
    }

    /// The message that has to make room for one more of a conversation; nil while there is room.
    func crowdedOut(by conversation: ConversationID) -> MessageID? {
        guard entries.count >= ContentLimits.timerCount else { return nil }
        let own = entries.values.lazy.filter { $0.conversation == conversation }.min { $0.end < $1.end }
        return (own ?? entries.values.min { $0.end < $1.end })?.id
    }

    /// The messages of a conversation up to a position whose time has not begun, in the order of their positions.
    func waiting(in conversation: ConversationID, upTo sequence: UInt64) -> [MessageID] {
        entries.values.filter { $0.conversation == conversation && $0.expiresAt == nil && $0.sequence <= sequence }
            .sorted { $0.sequence < $1.sequence }.map(\.id)
    }

    // MARK: - Storing

    /// Restores a stored record.
    mutating func restore(_ record: ProtoTimerRecord) {
        guard let id = MessageID(bytes: record.message), let conversation = ConversationID(bytes: record.conversation)
        else { return }
        let entry = Entry(
            id: id,
            conversation: conversation,
            sequence: record.sequence,
            seconds: record.seconds,
            expiresAt: record.expiresAt == 0 ? nil : record.expiresAt
        )
        entries[id] = entry
        if let end = entry.expiresAt { next = min(next ?? .max, end) }
    }

    /// Hands out the records that changed: the one to write for each name, nil for one to delete.
    mutating func takeChanges() -> [(name: [UInt8], record: ProtoTimerRecord?)] {
        guard !changed.isEmpty else { return [] }
        defer { changed = [] }
        return changed.sorted().map { id in (id.bytes, entries[id].map(Self.record)) }
    }

    private static func record(of entry: Entry) -> ProtoTimerRecord {
        var record = ProtoTimerRecord()
        record.message = .bytes(entry.id.bytes)
        record.conversation = .bytes(entry.conversation.bytes)
        record.sequence = entry.sequence
        record.seconds = entry.seconds
        record.expiresAt = entry.expiresAt ?? 0
        return record
    }
}
