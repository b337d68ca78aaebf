import ChatHistory
import Synchronization

/// A store in memory whose disk can be full for a while.
final class StubbornStore: MessageStore {
    private let base = MemoryStore()
    private let refuses = Mutex(false)
    private let writes = Mutex<Int?>(nil)
    private let reads = Mutex(0)
    private let erasures = Mutex(0)

    var databaseID: [UInt8] { base.databaseID }

    /// Whether writes are refused.
    var isFull: Bool {
        get { refuses.withLock { $0 } }
        set { refuses.withLock { $0 = newValue } }
    }

    /// How many more writes are taken, as before a crash; nil for any number.
    var writesLeft: Int? {
        get { writes.withLock { $0 } }
        set { writes.withLock { $0 = newValue } }
    }

    func apply(_ changes: [StoreChange]) throws(StoreError) {
        guard !isFull, writesLeft != 0 else { throw StoreError(.diskFull) }
        if let left = writesLeft { writesLeft = left - 1 }
        try base.apply(changes)
        let count = changes.count { if case .delete(.messages, _) = $0 { true } else { false } }
        erasures.withLock { $0 += count }
    }

    /// Messages whose rows were deleted so far, which has the store's log emptied.
    var erasureCount: Int { erasures.withLock { $0 } }

    /// Rows asked for one by one so far.
    var readCount: Int { reads.withLock { $0 } }

    func row(_ table: RecordTable, _ id: RowID) throws(StoreError) -> Row? {
        reads.withLock { $0 += 1 }
        return try base.row(table, id)
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
