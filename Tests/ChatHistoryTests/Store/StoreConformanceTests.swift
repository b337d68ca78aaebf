import ChatHistory
import ChatHistoryTesting
import Testing

@Suite("Store conformance")
struct StoreConformanceTests {
    @Test("The store in memory keeps every rule", arguments: StoreCheck.allCases)
    func memoryStore(_ check: StoreCheck) throws {
        let store = MemoryStore()
        try StoreConformance(isPersistent: false) { store }.run(check)
    }

    @Test("The store in SQLite keeps every rule, opened again between the steps", arguments: StoreCheck.allCases)
    func sqliteStore(_ check: StoreCheck) throws {
        let folder = try TemporaryFolder()
        try StoreConformance(isPersistent: true) { try SQLiteStore(directory: folder.history) }.run(check)
    }

    @Test(
        "A store that breaks a rule is found out",
        arguments: [StoreCheck.counting, .inserting, .deletingRow, .atomicity, .risingPages]
    )
    func brokenStore(_ check: StoreCheck) throws {
        let store = ForgetfulStore()
        #expect(throws: ConformanceFailure.self) {
            try StoreConformance(isPersistent: false) { store }.run(check)
        }
    }
}

/// A faulty store: it applies no deletion, and keeps the changes before the invalid one of a refused batch.
private struct ForgetfulStore: MessageStore {
    private let base = MemoryStore()

    var databaseID: [UInt8] { base.databaseID }

    func apply(_ changes: [StoreChange]) throws(StoreError) {
        for case .put(let row) in changes {
            try base.apply([.put(row)])
        }
    }

    func row(_ table: RecordTable, _ id: RowID) throws(StoreError) -> Row? {
        try base.row(table, id)
    }

    func rows(
        _ table: RecordTable,
        conversation: RowID?,
        before: RowPosition?,
        limit: Int
    ) throws(StoreError) -> [Row] {
        try base.rows(table, conversation: conversation, before: before, limit: limit)
    }

    /// Returns upward pages that wrongly begin with the row at `after` itself.
    func rows(
        _ table: RecordTable,
        conversation: RowID?,
        after: RowPosition?,
        limit: Int
    ) throws(StoreError) -> [Row] {
        let all = try base.rows(table, conversation: conversation, after: nil, limit: HistoryLimits.pageRowCount)
        return Array(all.filter { row in after.map { $0 <= row.position } ?? true }.prefix(limit))
    }

    func highestSequence(_ table: RecordTable, conversation: RowID) throws(StoreError) -> UInt64? {
        try base.highestSequence(table, conversation: conversation)
    }

    func count(_ table: RecordTable, conversation: RowID?, before: RowPosition?) throws(StoreError) -> Int {
        try base.count(table, conversation: conversation, before: before)
    }

    func close() throws(StoreError) {
        try base.close()
    }
}
