import Bytes
import ChatCrypto

/// The changes that arrived before the message that they change.
///
/// Bounded by ``ContentLimits/pendingChangeCount``, and ``ContentLimits/pendingChangeMemberCount`` of one author; the oldest makes
/// room. The engine writes what ``takeChanges()`` names. Source: PROTOCOL §10 changes.
struct PendingChanges: Sendable {
    private struct Entry: Comparable {
        let id: MessageID
        let target: MessageID
        let author: PeerID
        /// The time of arrival.
        ///
        /// Units: milliseconds since 1970.
        let receivedAt: UInt64
        /// The number of changes that arrived before it.
        let arrival: UInt64

        static func < (one: Entry, other: Entry) -> Bool {
            (one.receivedAt, one.id) < (other.receivedAt, other.id)
        }
    }

    private var entries: [MessageID: Entry] = [:]
    private var byAge = SortedSet<Entry>()
    private var byAuthor: [PeerID: SortedSet<Entry>] = [:]
    private var byTarget: [MessageID: Set<MessageID>] = [:]
    private var arrivalCount: UInt64 = 0
    /// The records that the store does not have yet, nil for one that it has to delete.
    private var changed: [MessageID: ProtoEarlyRecord?] = [:]

    var count: Int { entries.count }

    // MARK: - Adding

    /// Keeps a change until its message arrives; returns the number of others that had to make room.
    ///
    /// - Parameters:
    ///   - content: The content with the change, exactly as it was sealed.
    ///   - conversation: The conversation whose keys it arrived under.
    ///   - wall: The present time. Units: milliseconds since 1970.
    mutating func add(
        _ operation: ChangeOperation,
        _ content: [UInt8],
        in conversation: ConversationID,
        at wall: UInt64
    ) -> Int {
        guard entries[operation.id] == nil else { return 0 }
        let evicted = insert(operation, receivedAt: wall)
        var record = ProtoEarlyRecord()
        record.id = .bytes(operation.id.bytes)
        record.author = .bytes(operation.author.bytes)
        record.conversation = .bytes(conversation.bytes)
        record.content = .bytes(content)
        record.receivedAt = wall
        changed[operation.id] = record
        return evicted
    }

    /// Restores stored records; those beyond the limits are dropped, the oldest first.
    mutating func restore(_ records: [ProtoEarlyRecord]) {
        let operations = records.compactMap { record in ChangeOperation(record).map { (record.receivedAt, $0) } }
        for (receivedAt, operation) in operations.sorted(by: { ($0.0, $0.1.id) < ($1.0, $1.1.id) }) {
            // A damaged store may name a change twice.
            if entries[operation.id] == nil { _ = insert(operation, receivedAt: receivedAt) }
        }
    }

    /// Inserts a change; returns the number of others that had to make room.
    private mutating func insert(_ operation: ChangeOperation, receivedAt: UInt64) -> Int {
        let (id, target, author) = (operation.id, operation.target, operation.author)
        var evicted: MessageID?
        if let own = byAuthor[author], own.count >= ContentLimits.pendingChangeMemberCount {
            evicted = own.first?.id
        } else if entries.count >= ContentLimits.pendingChangeCount {
            evicted = byAge.first?.id
        }
        if let evicted { remove(evicted) }
        let entry = Entry(id: id, target: target, author: author, receivedAt: receivedAt, arrival: arrivalCount)
        entries[id] = entry
        byAge.insert(entry)
        byAuthor[author, default: SortedSet()].insert(entry)
        byTarget[target, default: []].insert(id)
        arrivalCount += 1
        return evicted == nil ? 0 : 1
    }

    // MARK: - Taking

    /// Takes the changes of an arriving message, in the order of their arrival, each with its conversation.
    mutating func take(
        for target: MessageID,
        in snapshot: some Snapshot
    ) throws -> [(operation: ChangeOperation, conversation: ConversationID?)] {
        let waiting = byTarget[target, default: []].compactMap { entries[$0] }.sorted { $0.arrival < $1.arrival }
        return try waiting.compactMap { entry in
            let id = entry.id
            let record = try changed[id] ?? snapshot.message(.pendingChanges, id.bytes, as: ProtoEarlyRecord.self)
            remove(id)
            guard let record, let operation = ChangeOperation(record) else { return nil }
            return (operation, ConversationID(bytes: record.conversation))
        }
    }

    /// Forgets changes that have waited for longer than ``ContentLimits/pendingChangeAge``, the oldest first, and returns their
    /// number.
    mutating func expire(at wall: UInt64, limit: Int) -> Int {
        guard wall >= ContentLimits.pendingChangeAge else { return 0 }
        let old = byAge.prefix { $0.receivedAt < wall - ContentLimits.pendingChangeAge }.prefix(limit)
        for entry in old { remove(entry.id) }
        return old.count
    }

    /// Forgets the changes by an author.
    mutating func forget(by author: PeerID) {
        for entry in byAuthor[author] ?? SortedSet() { remove(entry.id) }
    }

    private mutating func remove(_ id: MessageID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        byAge.remove(entry)
        byAuthor[entry.author]?.remove(entry)
        if byAuthor[entry.author]?.isEmpty ?? false { byAuthor[entry.author] = nil }
        byTarget[entry.target]?.remove(id)
        if byTarget[entry.target]?.isEmpty ?? false { byTarget[entry.target] = nil }
        changed.updateValue(nil, forKey: id)
    }

    // MARK: - Storing

    /// Returns the changed records and clears them: the one to write for each name, nil for one to delete.
    mutating func takeChanges() -> [(name: [UInt8], record: ProtoEarlyRecord?)] {
        guard !changed.isEmpty else { return [] }
        defer { changed = [:] }
        return changed.sorted { $0.key < $1.key }.map { ($0.key.bytes, $0.value) }
    }
}

extension ChangeOperation {
    /// Reads a stored change; nil if it cannot be read.
    fileprivate init?(_ record: ProtoEarlyRecord) {
        guard let id = MessageID(bytes: record.id), let author = PeerID(bytes: record.author),
            let content = MessageContent.decode([UInt8](record.content)),
            case .change(let target, let change) = content.body
        else { return nil }
        self.init(id: id, author: author, target: target, sentAt: content.sentAt, change)
    }
}
