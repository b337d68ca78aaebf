/// Reads and writes records over a store that sees only what is sealed.
///
/// Each record is padded, sealed with a fresh nonce and bound to its store, table, id, conversation, sequence and
/// version. Messages are sealed under the key of their conversation, made at its first message and kept, itself
/// sealed, in the table of keys; other records under the key of their table. A row that does not open, stands where it
/// does not belong or is older than one of the same id that this book has read or written is told as `tampered`
/// with its table and id, and never left out silently.
///
/// What is not noticed: a whole store put back to an earlier state between two runs, the removal of rows, and an older
/// version of a row that was written longer ago than `HistoryLimits.rememberedVersionCount` such writes or in an
/// earlier run.
///
/// Owns its caches, hence belongs to one actor; it is not `Sendable`. Drop it to forget the opened keys.
///
/// Source: PROTOCOL §11.
public final class RecordBook {
    private let store: any MessageStore
    private let keys: any RecordKeys
    /// The lowest version a row may have: the last one read or written, if that was not the first.
    private var floors = RecentMap<RowKey, UInt32>(limit: HistoryLimits.rememberedVersionCount)
    /// The versions of the rows asked for or written last, 0 where there is none, so that a write need not ask again.
    private var versions = RecentMap<RowKey, UInt32>(limit: HistoryLimits.recentVersionCount)
    private var rowIDs = RecentMap<RecordName, RowID>(limit: HistoryLimits.recentVersionCount)
    private var openedKeys = RecentMap<RowID, any RecordCipher>(limit: HistoryLimits.openedKeyCount)

    /// Makes a book over a store; the keys are those with which all its records were written.
    public init(store: any MessageStore, keys: any RecordKeys) {
        self.store = store
        self.keys = keys
    }

    // MARK: - Reading

    /// The id of the row of a name.
    public func rowID(_ table: RecordTable, name: [UInt8]) -> RowID {
        let record = RecordName(table, name)
        if let id = rowIDs.value(for: record) { return id }
        let id = keys.rowID(table, name: name)
        rowIDs.set(id, for: record)
        return id
    }

    /// The record of a name, or nil if there is none.
    ///
    /// - Throws: `tampered`, `keyMissing`, or what the store reports.
    public func get(_ table: RecordTable, name: [UInt8]) throws(StoreError) -> Record? {
        try get(table, id: rowID(table, name: name))
    }

    /// The record of an id, or nil if there is none.
    ///
    /// - Throws: `tampered`, `keyMissing`, or what the store reports.
    public func get(_ table: RecordTable, id: RowID) throws(StoreError) -> Record? {
        guard let row = try store.row(table, id) else {
            versions.set(0, for: RowKey(table: table, id: id))
            return nil
        }
        guard row.table == table, row.id == id else { throw StoreError(.tampered, table: table, rowID: id) }
        return try open(row)
    }

    /// A page of records in falling order of position, all of them before `before` if that is given.
    ///
    /// - Parameter conversation: the conversation whose records are wanted; nil for the whole table.
    /// - Throws: `pageLimit`, `tampered`, `keyMissing`, or what the store reports.
    public func page(
        _ table: RecordTable,
        conversation: RowID?,
        before: RowPosition? = nil,
        limit: Int
    ) throws(StoreError) -> [Record] {
        let rows = try store.rows(table, conversation: conversation, before: before, limit: limit)
        try check(rows, areOf: table, conversation, limit, after: before, by: >)
        return try open(rows)
    }

    /// A page of records in rising order of position, all of them after `after` if that is given.
    ///
    /// - Parameter conversation: the conversation whose records are wanted; nil for the whole table.
    /// - Throws: `pageLimit`, `tampered`, `keyMissing`, or what the store reports.
    public func page(
        _ table: RecordTable,
        conversation: RowID?,
        after: RowPosition?,
        limit: Int
    ) throws(StoreError) -> [Record] {
        let rows = try store.rows(table, conversation: conversation, after: after, limit: limit)
        try check(rows, areOf: table, conversation, limit, after: after, by: <)
        return try open(rows)
    }

    /// Refuses a page that is not what was asked for: each row comes after the one before it, and the first after `start`.
    private func check(
        _ rows: [Row],
        areOf table: RecordTable,
        _ conversation: RowID?,
        _ limit: Int,
        after start: RowPosition?,
        by comesBefore: (RowPosition, RowPosition) -> Bool
    ) throws(StoreError) {
        var last = start
        for (index, row) in rows.enumerated() {
            guard
                row.table == table,
                conversation == nil || row.conversation == conversation,
                last.map({ comesBefore($0, row.position) }) ?? true,
                index < limit
            else { throw StoreError(.tampered, table: row.table, rowID: row.id) }
            last = row.position
        }
    }

    private func open(_ rows: [Row]) throws(StoreError) -> [Record] {
        var records: [Record] = []
        records.reserveCapacity(rows.count)
        for row in rows { records.append(try open(row)) }
        return records
    }

    /// All records of a table, in falling order of position; meant for tables that fit in memory.
    ///
    /// - Throws: `tampered`, `keyMissing`, or what the store reports.
    public func all(_ table: RecordTable) throws(StoreError) -> [Record] {
        let limit = HistoryLimits.pageRowCount
        var records = try page(table, conversation: nil, limit: limit)
        var pageCount = records.count
        while pageCount == limit {
            let next = try page(table, conversation: nil, before: records.last?.position, limit: limit)
            records += next
            pageCount = next.count
        }
        return records
    }

    /// The highest sequence among the rows of a conversation, as the store tells it, or nil if it has none.
    public func highestSequence(_ table: RecordTable, conversation: RowID) throws(StoreError) -> UInt64? {
        try store.highestSequence(table, conversation: conversation)
    }

    /// The number of rows of a conversation or of a table, as the store tells it.
    public func count(_ table: RecordTable, conversation: RowID? = nil) throws(StoreError) -> Int {
        try store.count(table, conversation: conversation)
    }

    // MARK: - Writing

    /// Seals the records of a batch and applies it, all or nothing; it is durable when it returns.
    ///
    /// - Throws: `recordTooLarge`, `batchTooLarge`, `tampered`, `keyMissing`, or what the store reports.
    public func apply(_ batch: RecordBatch) throws(StoreError) {
        guard !batch.isEmpty else { return }
        var pending = PendingChanges()
        for change in batch.changes {
            switch change {
            case .delete(let table, let address):
                let key = key(table, address)
                pending.floors[key] = try nextVersion(of: key, pending)
                pending.changes.append(.delete(table, key.id))
            case .put(let table, let address, let conversation, let sequence, let plaintext):
                let cipher =
                    table == .messages
                    ? try writingCipher(of: conversation, &pending) : keys.cipher(for: table)
                try put(plaintext, key(table, address), conversation, sequence, cipher, &pending)
            }
        }
        try store.apply(pending.changes)
        note(pending)
    }

    /// Destroys the key of a conversation, then deletes every row of every table that belongs to it.
    ///
    /// The key goes first and by itself, so that the messages are out of reach from the earliest moment. If this is
    /// interrupted, reading or writing the conversation tells `keyMissing` until it is called again.
    public func deleteConversation(_ conversation: RowID) throws(StoreError) {
        precondition(conversation != .zero, "rows of no conversation are deleted one by one")
        let key = keyOfKey(conversation)
        var pending = PendingChanges()
        pending.floors[key] = try nextVersion(of: key, pending)
        openedKeys.remove(conversation)
        try store.apply([.delete(key.table, key.id)])
        note(pending)
        try store.apply(RecordTable.allCases.map { .deleteConversation($0, conversation) })
    }
}

@available(*, unavailable)
extension RecordBook: Sendable {}

// MARK: - One row

extension RecordBook {
    /// What a batch will have changed once the store has taken it.
    private struct PendingChanges {
        var changes: [StoreChange] = []
        var floors: [RowKey: UInt32] = [:]
        var openedKeys: [RowID: any RecordCipher] = [:]
    }

    private func key(_ table: RecordTable, _ address: RecordBatch.Address) -> RowKey {
        switch address {
        case .name(let name): RowKey(table: table, id: rowID(table, name: name))
        case .id(let id): RowKey(table: table, id: id)
        }
    }

    private func open(_ row: Row) throws(StoreError) -> Record {
        let key = RowKey(table: row.table, id: row.id)
        let tampered = StoreError(.tampered, table: row.table, rowID: row.id)
        if let floor = floors.value(for: key), row.version < floor { throw tampered }
        let cipher = try row.table == .messages ? readingCipher(of: row) : keys.cipher(for: row.table)
        let place = associatedData(key, row.conversation, row.sequence, row.version)
        guard
            let padded = cipher.open(row.sealed, associatedData: place),
            let plaintext = RecordSeal.unpad(padded)
        else { throw tampered }
        note(row.version, of: key)
        return Record(
            table: row.table,
            id: row.id,
            conversation: row.conversation,
            sequence: row.sequence,
            version: row.version,
            plaintext: plaintext
        )
    }

    private func put(
        _ plaintext: [UInt8],
        _ key: RowKey,
        _ conversation: RowID,
        _ sequence: UInt64,
        _ cipher: any RecordCipher,
        _ pending: inout PendingChanges
    ) throws(StoreError) {
        guard plaintext.count <= HistoryLimits.recordByteCount else {
            throw StoreError(.recordTooLarge, table: key.table, rowID: key.id)
        }
        let version = try nextVersion(of: key, pending)
        let place = associatedData(key, conversation, sequence, version)
        let row = Row(
            table: key.table,
            id: key.id,
            conversation: conversation,
            sequence: sequence,
            version: version,
            sealed: cipher.seal(RecordSeal.pad(plaintext), associatedData: place)
        )
        pending.changes.append(.put(row))
        pending.floors[key] = version
    }

    private func associatedData(
        _ key: RowKey,
        _ conversation: RowID,
        _ sequence: UInt64,
        _ version: UInt32
    ) -> [UInt8] {
        RecordSeal.associatedData(
            databaseID: store.databaseID,
            key: key,
            conversation: conversation,
            sequence: sequence,
            version: version
        )
    }
}

// MARK: - Versions

extension RecordBook {
    /// The version of the next change of a row.
    ///
    /// A deletion takes one too, so that the deleted row cannot come back.
    private func nextVersion(of key: RowKey, _ pending: PendingChanges) throws(StoreError) -> UInt32 {
        let last: UInt32
        if let known = pending.floors[key] ?? floors.value(for: key) ?? versions.value(for: key) {
            last = known
        } else {
            last = try store.row(key.table, key.id)?.version ?? 0
        }
        // 2^32 writes of one row never happen: the number in clear was changed.
        guard last < .max else { throw StoreError(.tampered, table: key.table, rowID: key.id) }
        return last + 1
    }

    private func note(_ pending: PendingChanges) {
        for (key, version) in pending.floors {
            note(version, of: key)
        }
        for (conversation, cipher) in pending.openedKeys {
            openedKeys.set(cipher, for: conversation)
        }
    }

    /// Remembers a version; a first one has none before it that could be put back.
    private func note(_ version: UInt32, of key: RowKey) {
        versions.set(version, for: key)
        guard version > 1 else { return }
        floors.set(version, for: key)
    }
}

// MARK: - Conversation keys

extension RecordBook {
    private func keyOfKey(_ conversation: RowID) -> RowKey {
        RowKey(table: .keys, id: rowID(.keys, name: conversation.bytes))
    }

    private func readingCipher(of row: Row) throws(StoreError) -> any RecordCipher {
        guard let cipher = try storedCipher(of: row.conversation) else {
            throw StoreError(.keyMissing, table: row.table, rowID: row.id)
        }
        return cipher
    }

    /// The cipher of a conversation; at its first message a key is made and put into the same batch.
    private func writingCipher(
        of conversation: RowID,
        _ pending: inout PendingChanges
    ) throws(StoreError) -> any RecordCipher {
        if let cipher = pending.openedKeys[conversation] { return cipher }
        if let cipher = try storedCipher(of: conversation) { return cipher }
        let key = keyOfKey(conversation)
        // A second key would make what is there look tampered with, and hide that the first one is gone.
        guard try store.count(.messages, conversation: conversation) == 0 else {
            throw StoreError(.keyMissing, table: key.table, rowID: key.id)
        }
        let (cipher, wrapped) = keys.makeConversationKey(for: conversation)
        try put(wrapped, key, conversation, 0, keys.cipher(for: .keys), &pending)
        pending.openedKeys[conversation] = cipher
        return cipher
    }

    private func storedCipher(of conversation: RowID) throws(StoreError) -> (any RecordCipher)? {
        if let cipher = openedKeys.value(for: conversation) { return cipher }
        let key = keyOfKey(conversation)
        guard let record = try get(key.table, id: key.id) else { return nil }
        guard record.conversation == conversation,
            let cipher = keys.conversationKey(unwrapping: record.plaintext, for: conversation)
        else {
            throw StoreError(.tampered, table: key.table, rowID: key.id)
        }
        openedKeys.set(cipher, for: conversation)
        return cipher
    }
}
