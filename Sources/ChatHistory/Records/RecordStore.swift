/// Reads and writes records over a store that sees sealed data only.
///
/// Each record is padded, sealed with a fresh nonce and bound to its store, table, id, conversation, sequence and
/// version. Messages are sealed under the key of their conversation. That key is made at the first message and kept,
/// itself sealed, in the table of keys. Other records are sealed under the key of their table. A row that does not
/// open, is in the wrong position or is older than one of the same id that this store has read or written is reported as
/// `tampered` with its table and id, and never left out silently.
///
/// After `startWatching`, every batch also writes sums over all rows (the integrity digests). They detect rows that
/// another program removed, added, moved, swapped or put back, at any time. An anchor beside the store detects that a
/// whole store was put back. `findings` lists what was detected; the store repairs or omits nothing by itself. Without
/// watching, the store does not detect the removal of rows, nor an older version of a row that was written in an earlier
/// run or longer ago than `HistoryLimits.rememberedVersionCount` such writes.
///
/// The store owns its caches, so it belongs to one actor; it is not `Sendable`. Drop it to forget the opened keys.
///
/// Source: PROTOCOL §11.
public final class RecordStore {
    let store: any MessageStore
    let keys: any RecordKeys
    /// The lowest version that a row may have: the last one read or written, if that was not the first.
    var floors = RecentMap<RowKey, UInt32>(limit: HistoryLimits.rememberedVersionCount)
    /// The rows queried or written last, nil for those that do not exist, so that a write need not query again.
    var traces = RecentMap<RowKey, RowTrace?>(limit: HistoryLimits.recentVersionCount)
    /// The sums over all rows, once they are watched.
    var digests: IntegrityDigests?
    /// The finding about sums that do not fit each other.
    var lostDigests: HistoryFinding?
    /// The file beside the store that holds the present generation.
    var anchor: AnchorFile?
    /// The content that the anchor is going to have.
    var storedAnchor: HistoryAnchor?
    /// The number of batches since the anchor was certainly on the disk.
    var unsyncedCount = HistoryLimits.anchorSlack
    var rowIDs = RecentMap<RecordName, RowID>(limit: HistoryLimits.recentVersionCount)
    var openedKeys = RecentMap<RowID, any RecordCipher>(limit: HistoryLimits.openedKeyCount)

    /// Makes a store over a store; the keys are those with which all its records were written.
    public init(store: any MessageStore, keys: any RecordKeys) {
        self.store = store
        self.keys = keys
    }

    // MARK: - Reading

    /// Computes the id of the row of a name.
    public func rowID(_ table: RecordTable, name: [UInt8]) -> RowID {
        let record = RecordName(table, name)
        if let id = rowIDs.value(for: record) { return id }
        let id = keys.rowID(table, name: name)
        rowIDs.set(id, for: record)
        return id
    }

    /// Returns the record of a name, or nil if there is none.
    ///
    /// - Throws: `tampered`, `keyMissing`, or what the store reports.
    public func get(_ table: RecordTable, name: [UInt8]) throws(StoreError) -> Record? {
        try get(table, id: rowID(table, name: name))
    }

    /// Returns the record of an id, or nil if there is none.
    ///
    /// - Throws: `tampered`, `keyMissing`, or what the store reports.
    public func get(_ table: RecordTable, id: RowID) throws(StoreError) -> Record? {
        guard let row = try store.row(table, id) else {
            traces.set(nil, for: RowKey(table: table, id: id))
            return nil
        }
        guard row.table == table, row.id == id else { throw StoreError(.tampered, table: table, rowID: id) }
        return try open(row)
    }

    /// Returns a page of records in falling order of position, all of them before `before` if that is given.
    ///
    /// They are those of one conversation, or of the whole table if `conversation` is nil.
    ///
    /// - Throws: `pageLimit`, `tampered`, `keyMissing`, or what the store reports.
    public func page(
        _ table: RecordTable,
        conversation: RowID?,
        before: RowPosition? = nil,
        limit: Int
    ) throws(StoreError) -> [Record] {
        let rows = try store.rows(table, conversation: conversation, before: before, limit: limit)
        try check(rows, areOf: table, conversation, limit, after: before, by: >)
        if let conversation, before == nil, rows.count < limit {
            compare(rows, with: DigestGroup(table, conversation))
        }
        return try open(rows)
    }

    /// Returns a page of records in rising order of position, all of them after `after` if that is given.
    ///
    /// They are those of one conversation, or of the whole table if `conversation` is nil.
    ///
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

    /// Refuses a page that does not match the request: each row follows the one before it, and the first follows
    /// `start`.
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

    /// Returns all records of a table in falling order of position; meant for tables that fit in memory.
    ///
    /// - Throws: `tampered`, `keyMissing`, or what the store reports.
    public func all(_ table: RecordTable) throws(StoreError) -> [Record] {
        let limit = HistoryLimits.pageRowCount
        var records: [Record] = []
        var digest = RowDigest()
        var pageCount = limit
        while pageCount == limit {
            let last = records.last?.position
            let rows = try store.rows(table, conversation: nil, before: last, limit: limit)
            try check(rows, areOf: table, nil, limit, after: last, by: >)
            if digests != nil { for row in rows { digest.add(mark(of: row)) } }
            records += try open(rows)
            pageCount = rows.count
        }
        if table != .messages { compare(digest, with: .table(table)) }
        return records
    }

    /// Returns the highest sequence among the rows of a conversation as the store reports it, or nil if it has none.
    public func highestSequence(_ table: RecordTable, conversation: RowID) throws(StoreError) -> UInt64? {
        try store.highestSequence(table, conversation: conversation)
    }

    /// Returns the number of rows of a conversation or of a table, before a position if one is given, as the store
    /// reports it.
    public func count(
        _ table: RecordTable,
        conversation: RowID? = nil,
        before: RowPosition? = nil
    ) throws(StoreError) -> Int {
        try store.count(table, conversation: conversation, before: before)
    }

    // MARK: - Writing

    /// Seals the records of a batch and applies it, all or nothing; it is durable when this returns.
    ///
    /// - Throws: `recordTooLarge`, `batchTooLarge`, `tampered`, `keyMissing`, or what the store reports.
    public func apply(_ batch: RecordBatch) throws(StoreError) {
        guard !batch.isEmpty else { return }
        do {
            // Most messages are new, and a query for the row in their position costs as much as sealing them.
            try write(pending(batch, expectingNewMessages: true))
        } catch {
            guard error.code == .rowExists else { throw error }
            try write(pending(batch, expectingNewMessages: false))
        }
    }

    private func pending(
        _ batch: RecordBatch,
        expectingNewMessages: Bool
    ) throws(StoreError) -> PendingChanges {
        var pending = PendingChanges()
        pending.expectsNewMessages = expectingNewMessages
        for change in batch.changes {
            switch change {
            case .delete(let table, let address):
                let key = key(table, address)
                let current = try current(at: key, pending)
                pending.floors[key] = try nextVersion(of: key, current, pending)
                pending.changes.append(.delete(table, key.id))
                note(nil, at: key, after: current, &pending)
            case .put(let table, let address, let conversation, let sequence, let plaintext):
                let cipher =
                    table == .messages
                    ? try writingCipher(of: conversation, &pending) : keys.cipher(for: table)
                try put(plaintext, key(table, address), conversation, sequence, cipher, &pending)
            }
        }
        return pending
    }

    /// Destroys the key of a conversation, then deletes every row of every table that belongs to it.
    ///
    /// The key is deleted first and by itself, so that the messages become unreadable as early as possible. After an
    /// interruption, reading or writing the conversation throws `keyMissing` until this is called again.
    public func deleteConversation(_ conversation: RowID) throws(StoreError) {
        precondition(conversation != .zero, "rows of no conversation are deleted one by one")
        let key = keyOfKey(conversation)
        var pending = PendingChanges()
        let current = try current(at: key, pending)
        pending.floors[key] = try nextVersion(of: key, current, pending)
        pending.changes.append(.delete(key.table, key.id))
        note(nil, at: key, after: current, &pending)
        openedKeys.remove(conversation)
        try write(pending)
        pending = PendingChanges()
        for table in RecordTable.allCases {
            if table != .messages, table != .digests, digests != nil {
                try forgetRows(of: conversation, in: table, &pending)
            }
            pending.changes.append(.deleteConversation(table, conversation))
        }
        pending.digests[.conversation(conversation)] = RowDigest()
        try write(pending)
        traces = RecentMap(limit: HistoryLimits.recentVersionCount)
    }

    /// Subtracts the rows of a conversation from the sum of a table.
    private func forgetRows(
        of conversation: RowID,
        in table: RecordTable,
        _ pending: inout PendingChanges
    ) throws(StoreError) {
        var last: RowPosition?
        repeat {
            let limit = HistoryLimits.pageRowCount
            let rows = try store.rows(table, conversation: conversation, before: last, limit: limit)
            for row in rows { note(nil, at: RowKey(row), after: RowTrace(row), &pending) }
            last = rows.count == limit ? rows.last?.position : nil
        } while last != nil
    }
}

@available(*, unavailable)
extension RecordStore: Sendable {}

// MARK: - One row

extension RecordStore {
    /// The changes of a batch, which take effect once the store has accepted it.
    struct PendingChanges {
        var changes: [StoreChange] = []
        var floors: [RowKey: UInt32] = [:]
        var traces: [RowKey: RowTrace?] = [:]
        var digests: [DigestGroup: RowDigest] = [:]
        var openedKeys: [RowID: any RecordCipher] = [:]
        /// Whether a message without a known row is taken for a new one.
        var expectsNewMessages = false
    }

    /// Applies the pending changes, including the sums over them.
    func write(_ pending: PendingChanges) throws(StoreError) {
        var pending = pending
        let next = try nextDigests(&pending)
        try store.apply(pending.changes)
        note(pending)
        if let next { adopt(next) }
    }

    private func key(_ table: RecordTable, _ address: RecordBatch.Address) -> RowKey {
        switch address {
        case .name(let name): RowKey(table: table, id: rowID(table, name: name))
        case .id(let id): RowKey(table: table, id: id)
        }
    }

    func open(_ row: Row) throws(StoreError) -> Record {
        do throws(StoreError) {
            return try opened(row)
        } catch {
            if error.code == .tampered { noteUnreadable(row) }
            throw error
        }
    }

    func opened(_ row: Row) throws(StoreError) -> Record {
        let key = RowKey(row)
        let tampered = StoreError(.tampered, table: row.table, rowID: row.id)
        if let floor = floors.value(for: key), row.version < floor { throw tampered }
        let cipher = try row.table == .messages ? readingCipher(of: row) : keys.cipher(for: row.table)
        let place = associatedData(key, row.conversation, row.sequence, row.version)
        guard
            let padded = cipher.open(row.sealed, associatedData: place),
            let plaintext = RecordSeal.unpad(padded)
        else { throw tampered }
        note(RowTrace(row), of: key)
        return Record(
            table: row.table,
            id: row.id,
            conversation: row.conversation,
            sequence: row.sequence,
            version: row.version,
            plaintext: plaintext
        )
    }

    func put(
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
        let isNew = key.table == .messages && pending.expectsNewMessages && !isKnown(key, pending)
        let current = isNew ? nil : try current(at: key, pending)
        let version = try nextVersion(of: key, current, pending)
        let row = sealed(plaintext, key, conversation, sequence, version, cipher)
        pending.changes.append(isNew ? .insert(row) : .put(row))
        pending.floors[key] = version
        note(RowTrace(row), at: key, after: current, &pending)
    }

    /// Makes the row to store.
    func sealed(
        _ plaintext: [UInt8],
        _ key: RowKey,
        _ conversation: RowID,
        _ sequence: UInt64,
        _ version: UInt32,
        _ cipher: any RecordCipher
    ) -> Row {
        let place = associatedData(key, conversation, sequence, version)
        return Row(
            table: key.table,
            id: key.id,
            conversation: conversation,
            sequence: sequence,
            version: version,
            sealed: cipher.seal(RecordSeal.pad(plaintext), associatedData: place)
        )
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
