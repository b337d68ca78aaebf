import ChatHistory
import Synchronization

@testable import ChatCore

/// A store in memory whose disk can be full for a while.
final class StubbornStore: MessageStore {
    private let base = Mutex(MemoryStore())
    private let refuses = Mutex(false)
    private let writes = Mutex<Int?>(nil)
    private let reads = Mutex(0)
    private let erasures = Mutex(0)

    var databaseID: [UInt8] { contents.databaseID }

    private var contents: MemoryStore { base.withLock { $0 } }

    /// Whether writes are refused.
    var isFull: Bool {
        get { refuses.withLock { $0 } }
        set { refuses.withLock { $0 = newValue } }
    }

    /// The number of writes that the store still accepts, as before a crash; nil for any number.
    var writesLeft: Int? {
        get { writes.withLock { $0 } }
        set { writes.withLock { $0 = newValue } }
    }

    func apply(_ changes: [StoreChange]) throws(StoreError) {
        guard !isFull, writesLeft != 0 else { throw StoreError(.diskFull) }
        if let left = writesLeft { writesLeft = left - 1 }
        try contents.apply(changes)
        let count = changes.count { if case .delete(.messages, _) = $0 { true } else { false } }
        erasures.withLock { $0 += count }
    }

    /// The number of messages whose rows were deleted so far.
    ///
    /// Such deletions empty the store's log.
    var erasureCount: Int { erasures.withLock { $0 } }

    /// Returns a copy of all rows, as in a copy of the data directory.
    func copy() throws -> MemoryStore {
        let copy = MemoryStore(databaseID: databaseID)
        for table in RecordTable.allCases {
            var last: RowPosition?
            while true {
                let page = try rows(table, conversation: nil, after: last, limit: 100)
                guard let end = page.last else { break }
                try copy.apply(page.map { .insert($0) })
                last = RowPosition(sequence: end.sequence, id: end.id)
            }
        }
        return copy
    }

    /// Replaces all rows with a copy.
    func goBack(to copy: MemoryStore) {
        base.withLock { $0 = copy }
    }

    /// The number of rows that were read one by one so far.
    var readCount: Int { reads.withLock { $0 } }

    func row(_ table: RecordTable, _ id: RowID) throws(StoreError) -> Row? {
        reads.withLock { $0 += 1 }
        return try contents.row(table, id)
    }

    func rows(
        _ table: RecordTable,
        conversation: RowID?,
        before: RowPosition?,
        limit: Int
    ) throws(StoreError) -> [Row] {
        try contents.rows(table, conversation: conversation, before: before, limit: limit)
    }

    func rows(
        _ table: RecordTable,
        conversation: RowID?,
        after: RowPosition?,
        limit: Int
    ) throws(StoreError) -> [Row] {
        try contents.rows(table, conversation: conversation, after: after, limit: limit)
    }

    func highestSequence(_ table: RecordTable, conversation: RowID) throws(StoreError) -> UInt64? {
        try contents.highestSequence(table, conversation: conversation)
    }

    func count(_ table: RecordTable, conversation: RowID?, before: RowPosition?) throws(StoreError) -> Int {
        try contents.count(table, conversation: conversation, before: before)
    }

    func close() throws(StoreError) {
        try contents.close()
    }
}
