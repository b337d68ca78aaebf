/// The authentic rows of a damaged database, as a store in memory, with their numbers.
package struct SalvagedHistory {
    /// The numbers of saved, refused and expected rows.
    package struct Count: Equatable, Sendable {
        /// The number of rows that authenticate.
        package var savedCount = 0
        /// The number of rows that were found and do not authenticate in any version.
        package var refusedCount = 0
        /// The expected number of rows; nil if it is not known any more.
        package var expectedCount: Int?
    }

    /// The rows that authenticate.
    package let store: MemoryStore
    /// The numbers of each table.
    package private(set) var tables: [RecordTable: Count] = [:]
    /// The numbers of the messages of each conversation.
    package private(set) var conversations: [RowID: Count] = [:]

    /// Opens all rows, the newest version first, under the keys of the first id with which any row opens.
    ///
    /// - Parameter keys: the keys of a database of this id.
    /// - Returns: nil if no row authenticates.
    package init?(_ salvage: RowSalvage, keys: ([UInt8]) -> any RecordKeys) {
        for id in salvage.databaseIDs {
            let store = MemoryStore(databaseID: id)
            let opened = Self.opened(salvage.rows, store, keys(id))
            guard !opened.isEmpty else { continue }
            self.init(salvage.rows, opened, store, keys(id))
            return
        }
        return nil
    }

    private init(_ rows: [Row], _ opened: [RowKey: Row], _ store: MemoryStore, _ keys: any RecordKeys) {
        self.store = store
        // In rising order, each row is inserted after those before it.
        let ordered = opened.values.sorted { ($0.table.rawValue, $0.position) < ($1.table.rawValue, $1.position) }
        Self.put(ordered, into: store)
        var refused: Set<RowKey> = []
        for row in rows where opened[RowKey(row)] == nil && refused.insert(RowKey(row)).inserted {
            count(row) { $0.refusedCount += 1 }
        }
        for row in ordered { count(row) { $0.savedCount += 1 } }
        compareDigests(RecordStore(store: store, keys: keys))
    }

    /// Returns the newest version of each row that authenticates.
    private static func opened(_ rows: [Row], _ store: MemoryStore, _ keys: any RecordKeys) -> [RowKey: Row] {
        let candidates = Dictionary(grouping: rows, by: RowKey.init)
        var opened: [RowKey: Row] = [:]
        func open(_ wanted: (RecordTable) -> Bool) {
            let recordStore = RecordStore(store: store, keys: keys)
            for (key, versions) in candidates where wanted(key.table) {
                opened[key] = versions.sorted { $0.version > $1.version }.first { (try? recordStore.opened($0)) != nil }
            }
        }
        // The keys of conversations are opened first, because messages need them.
        open { $0 == .keys }
        put(Array(opened.values), into: store)
        open { $0 != .keys }
        return opened
    }

    private static func put(_ rows: [Row], into store: MemoryStore) {
        for start in stride(from: 0, to: rows.count, by: HistoryLimits.batchChangeCount) {
            // A store in memory refuses no batch within the limits.
            try? store.apply(rows[start...].prefix(HistoryLimits.batchChangeCount).map { .put($0) })
        }
    }

    private mutating func count(_ row: Row, _ body: (inout Count) -> Void) {
        body(&tables[row.table, default: Count()])
        if row.table == .messages { body(&conversations[row.conversation, default: Count()]) }
    }

    /// Records the expected numbers of rows, from the sums that can be read.
    private mutating func compareDigests(_ recordStore: RecordStore) {
        let digests = recordStore.salvagedDigests()
        for (table, count) in digests.tables { tables[table, default: Count()].expectedCount = count }
        for (conversation, count) in digests.conversations {
            conversations[conversation, default: Count()].expectedCount = count
        }
        // Without the head, other conversations may have existed.
        if digests.isComplete {
            tables[.messages, default: Count()].expectedCount = digests.conversations.values.reduce(0, +)
        }
    }
}

extension RecordStore {
    /// Returns the expected numbers of rows, from each readable sum by itself.
    fileprivate func salvagedDigests() -> (tables: [RecordTable: Int], conversations: [RowID: Int], isComplete: Bool) {
        var conversations: [RowID: Int] = [:]
        let rows = (try? all(.digests)) ?? []
        var root = SIMD4<UInt64>.zero
        for record in rows where record.id != headKey.id {
            guard let digest = RowDigest(bytes: record.plaintext[...]),
                let row = try? store.row(.digests, record.id)
            else { continue }
            conversations[record.conversation] = Int(clamping: digest.count)
            root ^= mark(of: row)
        }
        guard let head = rows.first(where: { $0.id == headKey.id }).flatMap({ IntegrityDigests(head: $0.plaintext) })
        else {
            return ([:], conversations, false)
        }
        for (conversation, digest) in head.recent.digests { conversations[conversation] = Int(clamping: digest.count) }
        return (head.tables.mapValues { Int(clamping: $0.count) }, conversations, head.root == root)
    }
}
