import ChatCrypto

/// The changes that came before the message that they change.
///
/// Bounded by ``ContentLimits/earlyCount``, and ``ContentLimits/earlyMemberCount`` of one author; the oldest makes room.
/// The engine writes what ``takeChanges()`` names. Source: PROTOCOL §10 changes.
struct PendingChanges: Sendable {
    private struct Entry {
        let id: MessageID
        let target: MessageID
        let author: PeerID
        /// Units: milliseconds since 1970.
        let receivedAt: UInt64

        var age: (UInt64, MessageID) { (receivedAt, id) }
    }

    private var entries: [MessageID: Entry] = [:]
    private var byTarget: [MessageID: [MessageID]] = [:]
    private var countByAuthor: [PeerID: Int] = [:]
    /// The records that the store does not have yet, nil for one that it is to delete.
    private var changed: [MessageID: ProtoEarlyRecord?] = [:]

    var count: Int { entries.count }

    // MARK: - Adding

    /// Keeps a change until its message comes; returns the number of others that had to make room.
    ///
    /// - Parameters:
    ///   - content: The content that it stands in, exactly as it was sealed.
    ///   - conversation: The conversation by whose keys it came.
    ///   - wall: The present time. Units: milliseconds since 1970.
    mutating func add(
        _ operation: ChangeOperation,
        _ content: [UInt8],
        in conversation: ConversationID,
        at wall: UInt64
    ) -> Int {
        guard entries[operation.id] == nil else { return 0 }
        let crowdedOut = insert(operation, receivedAt: wall)
        var record = ProtoEarlyRecord()
        record.id = .bytes(operation.id.bytes)
        record.author = .bytes(operation.author.bytes)
        record.conversation = .bytes(conversation.bytes)
        record.content = .bytes(content)
        record.receivedAt = wall
        changed[operation.id] = record
        return crowdedOut
    }

    /// Restores stored records; those beyond the limits go, the oldest first.
    mutating func restore(_ records: [ProtoEarlyRecord]) {
        let operations = records.compactMap { record in ChangeOperation(record).map { (record.receivedAt, $0) } }
        for (receivedAt, operation) in operations.sorted(by: { ($0.0, $0.1.id) < ($1.0, $1.1.id) }) {
            _ = insert(operation, receivedAt: receivedAt)
        }
    }

    /// Inserts a change; returns the number of others that had to make room.
    private mutating func insert(_ operation: ChangeOperation, receivedAt: UInt64) -> Int {
        let (id, target, author) = (operation.id, operation.target, operation.author)
        var crowdedOut: MessageID?
        if countByAuthor[author, default: 0] >= ContentLimits.earlyMemberCount {
            crowdedOut = oldest { $0.author == author }
        } else if entries.count >= ContentLimits.earlyCount {
            crowdedOut = oldest { _ in true }
        }
        if let crowdedOut { remove(crowdedOut) }
        entries[id] = Entry(id: id, target: target, author: author, receivedAt: receivedAt)
        byTarget[target, default: []].append(id)
        countByAuthor[author, default: 0] += 1
        return crowdedOut == nil ? 0 : 1
    }

    private func oldest(where fits: (Entry) -> Bool) -> MessageID? {
        entries.values.lazy.filter(fits).min { $0.age < $1.age }?.id
    }

    // MARK: - Taking

    /// Takes the changes of a message that comes, in the order in which they came, each with its conversation.
    mutating func take(
        for target: MessageID,
        in snapshot: some Snapshot
    ) throws -> [(operation: ChangeOperation, conversation: ConversationID?)] {
        try byTarget[target, default: []].compactMap { id in
            let record = try changed[id] ?? snapshot.message(.early, id.bytes, as: ProtoEarlyRecord.self)
            remove(id)
            guard let record, let operation = ChangeOperation(record) else { return nil }
            return (operation, ConversationID(bytes: record.conversation))
        }
    }

    /// Forgets changes that have waited for longer than ``ContentLimits/earlyAge``, the oldest first; returns their number.
    mutating func expire(at wall: UInt64, limit: Int) -> Int {
        guard wall >= ContentLimits.earlyAge else { return 0 }
        let old = entries.values.filter { $0.receivedAt < wall - ContentLimits.earlyAge }
            .sorted { $0.age < $1.age }.prefix(limit)
        for entry in old { remove(entry.id) }
        return old.count
    }

    /// Forgets the changes by an author.
    mutating func forget(by author: PeerID) {
        for entry in entries.values where entry.author == author { remove(entry.id) }
    }

    private mutating func remove(_ id: MessageID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        byTarget[entry.target]?.removeAll { $0 == id }
        if byTarget[entry.target]?.isEmpty ?? false { byTarget[entry.target] = nil }
        let left = (countByAuthor[entry.author] ?? 1) - 1
        countByAuthor[entry.author] = left > 0 ? left : nil
        changed.updateValue(nil, forKey: id)
    }

    // MARK: - Storing

    /// Hands out the records that changed: the one to write for each name, nil for one to delete.
    mutating func takeChanges() -> [(name: [UInt8], record: ProtoEarlyRecord?)] {
        guard !changed.isEmpty else { return [] }
        defer { changed = [:] }
        return changed.sorted { $0.key < $1.key }.map { ($0.key.bytes, $0.value) }
    }
}

extension ChangeOperation {
    /// A change as it was kept; nil if it cannot be read.
    fileprivate init?(_ record: ProtoEarlyRecord) {
        guard let id = MessageID(bytes: record.id), let author = PeerID(bytes: record.author),
            let content = MessageContent.decode([UInt8](record.content)),
            case .change(let target, let change) = content.body
        else { return nil }
        self.init(id: id, author: author, target: target, sentAt: content.sentAt, change)
    }
}
