/// A place for sealed rows that a host program supplies to keep history in storage of its own.
///
/// A store sees ciphertext and random-looking ids only; `RecordStore` seals the rows above it. `StoreConformance` of the
/// library ChatHistoryTesting checks that a store follows these rules.
///
/// A call may block for the time of a disk write.
public protocol MessageStore: Sendable {
    /// Random bytes made with the store and kept with it; they bind every record to this store.
    ///
    /// Shape: 16 bytes.
    var databaseID: [UInt8] { get }

    /// Applies changes in order, all or none; they are durable when this returns.
    ///
    /// - Throws: `recordTooLarge`, `batchTooLarge`, `rowExists`, `closed`, or what the storage reports; nothing is
    ///   changed then.
    func apply(_ changes: [StoreChange]) throws(StoreError)

    /// Returns the row of a table and id, or nil if there is none.
    func row(_ table: RecordTable, _ id: RowID) throws(StoreError) -> Row?

    /// Returns a page of rows in falling order of position, all of them before `before` if that is given.
    ///
    /// They are those of one conversation, or of the whole table if `conversation` is nil.
    ///
    /// - Throws: `pageLimit` unless `limit` is 1 to `HistoryLimits.pageRowCount`.
    func rows(
        _ table: RecordTable,
        conversation: RowID?,
        before: RowPosition?,
        limit: Int
    ) throws(StoreError) -> [Row]

    /// Returns a page of rows in rising order of position, all of them after `after` if that is given.
    ///
    /// They are those of one conversation, or of the whole table if `conversation` is nil.
    ///
    /// - Throws: `pageLimit` unless `limit` is 1 to `HistoryLimits.pageRowCount`.
    func rows(
        _ table: RecordTable,
        conversation: RowID?,
        after: RowPosition?,
        limit: Int
    ) throws(StoreError) -> [Row]

    /// Returns the highest sequence among the rows of a conversation, or nil if it has none.
    func highestSequence(_ table: RecordTable, conversation: RowID) throws(StoreError) -> UInt64?

    /// Returns the number of rows of a conversation or of the whole table, all of them before `before` if that is
    /// given.
    func count(_ table: RecordTable, conversation: RowID?, before: RowPosition?) throws(StoreError) -> Int

    /// Closes the store; every later call but `close` throws `closed`.
    func close() throws(StoreError)
}

extension MessageStore {
    /// Returns the number of rows of a conversation, or of the whole table.
    public func count(_ table: RecordTable, conversation: RowID?) throws(StoreError) -> Int {
        try count(table, conversation: conversation, before: nil)
    }
}
