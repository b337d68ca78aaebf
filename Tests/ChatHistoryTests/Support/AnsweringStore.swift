import ChatHistory

/// A store that answers every query with the same rows.
struct AnsweringStore: MessageStore {
    let databaseID: [UInt8]
    let answer: [Row]

    func apply(_ changes: [StoreChange]) throws(StoreError) {}

    func row(_ table: RecordTable, _ id: RowID) throws(StoreError) -> Row? {
        answer.first
    }

    func rows(
        _ table: RecordTable,
        conversation: RowID?,
        before: RowPosition?,
        limit: Int
    ) throws(StoreError) -> [Row] {
        answer
    }

    func rows(
        _ table: RecordTable,
        conversation: RowID?,
        after: RowPosition?,
        limit: Int
    ) throws(StoreError) -> [Row] {
        answer
    }

    func highestSequence(_ table: RecordTable, conversation: RowID) throws(StoreError) -> UInt64? {
        answer.first?.sequence
    }

    func count(_ table: RecordTable, conversation: RowID?, before: RowPosition?) throws(StoreError) -> Int {
        answer.count
    }

    func close() throws(StoreError) {}
}
