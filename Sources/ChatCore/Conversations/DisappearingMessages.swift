import Bytes
import ChatCrypto
import MeshCore

/// The messages that disappear some time after they were read, by this node's own clock.
///
/// Bounded by ``ContentLimits/timerCount``: beyond it, the message that expires first is removed at once, of the
/// conversation that adds one more or, if that has none, of all. A promise to forget is better kept too soon than
/// never. The engine writes what ``takeChanges()`` names. Source: PROTOCOL §10 timers.
struct DisappearingMessages: Sendable {
    struct Entry: Sendable, Comparable {
        let id: MessageID
        let conversation: ConversationID
        /// The message's position in its conversation.
        let sequence: UInt64
        let seconds: UInt32
        /// The time of removal.
        ///
        /// Units: milliseconds since 1970; nil while the message is unread.
        var expiresAt: UInt64?

        private var end: (UInt64, UInt64, MessageID) { (expiresAt ?? .max, sequence, id) }

        /// Compares by the time at which the messages disappear; unread messages come last, by their positions.
        static func < (one: Entry, other: Entry) -> Bool { one.end < other.end }
    }

    private struct Named: Comparable {
        let entry: Entry

        static func < (one: Named, other: Named) -> Bool { one.entry.id < other.entry.id }
    }

    // No dictionary: the engine before a step is kept, so the first change of a step would copy all entries.
    private var byID = SortedSet<Named>()
    private var byEnd = SortedSet<Entry>()
    private var byConversation: [ConversationID: SortedSet<Entry>] = [:]
    /// The messages whose present records the store does not have yet.
    private var changed: Set<MessageID> = []
    /// The time at which the first message disappears.
    ///
    /// Units: milliseconds since 1970.
    var next: UInt64? { byEnd.first?.expiresAt }
    /// The same by the monotonic clock, as the wall clock was when it was last read.
    private(set) var nextDeadline = MeshInstant.distantFuture

    var count: Int { byID.count }

    /// Returns the time at which a message disappears; nil for one without a timer, or an unread one.
    ///
    /// Units: milliseconds since 1970.
    func end(of id: MessageID) -> UInt64? { self[id]?.expiresAt }

    private subscript(id: MessageID) -> Entry? {
        let found = byID.first(from: { !($0.entry.id < id) })?.entry
        return found?.id == id ? found : nil
    }

    // MARK: - Setting

    /// Sets the timer of a message.
    mutating func set(_ entry: Entry, at time: ChatTime) {
        insert(entry)
        changed.insert(entry.id)
        schedule(at: time)
    }

    /// Begins the time of a message.
    mutating func start(_ id: MessageID, at time: ChatTime) {
        guard var entry = self[id], entry.expiresAt == nil else { return }
        entry.expiresAt = time.wall + UInt64(entry.seconds) * 1_000
        set(entry, at: time)
    }

    /// Forgets the timer of a message.
    mutating func remove(_ id: MessageID) {
        guard self[id] != nil else { return }
        forget(id)
        changed.insert(id)
    }

    /// Forgets the timers of a conversation.
    mutating func removeAll(in conversation: ConversationID) {
        for entry in byConversation[conversation] ?? SortedSet() { remove(entry.id) }
    }

    private mutating func insert(_ entry: Entry) {
        forget(entry.id)
        byID.insert(Named(entry: entry))
        byEnd.insert(entry)
        byConversation[entry.conversation, default: SortedSet()].insert(entry)
    }

    private mutating func forget(_ id: MessageID) {
        guard let entry = self[id] else { return }
        byID.remove(Named(entry: entry))
        byEnd.remove(entry)
        byConversation[entry.conversation]?.remove(entry)
        if byConversation[entry.conversation]?.isEmpty ?? false { byConversation[entry.conversation] = nil }
    }

    /// Computes the time of the next removal again, because the wall clock may have been set.
    mutating func schedule(at time: ChatTime) {
        guard let next else { return nextDeadline = .distantFuture }
        let wait = next > time.wall ? next - time.wall : 0
        nextDeadline = time.monotonic.advanced(by: .milliseconds(Int64(clamping: wait)))
    }

    // MARK: - Reading

    /// Returns the messages whose time is over, in the order of their times.
    func due(at wall: UInt64) -> [MessageID] {
        byEnd.prefix { $0.expiresAt ?? .max <= wall }.map(\.id)
    }

    /// Returns the message that has to make room for one more of a conversation; nil while there is room.
    func evicted(by conversation: ConversationID) -> MessageID? {
        guard byID.count >= ContentLimits.timerCount else { return nil }
        return (byConversation[conversation]?.first ?? byEnd.first)?.id
    }

    /// Returns the messages of a conversation up to a position whose time has not begun, in the order of their
    /// positions.
    func waiting(in conversation: ConversationID, upTo sequence: UInt64) -> [MessageID] {
        guard let own = byConversation[conversation] else { return [] }
        return own.elements { $0.expiresAt == nil }.prefix { $0.sequence <= sequence }.map(\.id)
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
        insert(entry)
    }

    /// Returns the changed records and clears them: the one to write for each name, nil for one to delete.
    mutating func takeChanges() -> [(name: [UInt8], record: ProtoTimerRecord?)] {
        guard !changed.isEmpty else { return [] }
        defer { changed = [] }
        return changed.sorted().map { id in (id.bytes, self[id].map(Self.record)) }
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
