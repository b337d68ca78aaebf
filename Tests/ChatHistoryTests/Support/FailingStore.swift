import ChatHistory
import Synchronization

/// A store whose disk fails after a number of batches.
final class FailingStore: MessageStore {
    private let base: MemoryStore
    private let applies: Mutex<Int>

    init(base: MemoryStore, applies: Int) {
        self.base = base
        self.applies = Mutex(applies)
    }

    func allow(_ count: Int) {
        applies.withLock { $0 = count }
    }

    var databaseID: [UInt8] { base.databaseID }

    func apply(_ changes: [StoreChange]) throws(StoreError) {
        let isAllowed = applies.withLock { left in
            left -= 1
            return left >= 0
        }
        guard isAllowed else { throw StoreError(.ioFailed) }
        try base.apply(changes)
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

    func rows(
        _ table: RecordTable,
        conversation: RowID?,
        after: RowPosition?,
        limit: Int
    ) throws(StoreError) -> [Row] {
        try base.rows(table, conversation: conversation, after: after, limit: limit)
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
