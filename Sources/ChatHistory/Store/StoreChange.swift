/// One change to a store; changes are applied in batches, all or none.
public enum StoreChange: Equatable, Sendable {
    /// Writes a row, in place of the row of the same table and id if there is one.
    case put(Row)
    /// Writes a row of whose table and id there is none; where one was before the batch, that fails with `rowExists`.
    case insert(Row)
    /// Deletes the row of a table and id; that there is none is no error.
    case delete(RecordTable, RowID)
    /// Deletes every row of a table that belongs to a conversation.
    case deleteConversation(RecordTable, RowID)

    /// Whether the change is a person's wish to have something gone, so that no copy may stay in the write-ahead log.
    var isErasure: Bool {
        switch self {
        case .deleteConversation: true
        case .delete(let table, _): [.messages, .keys, .rooms].contains(table)
        case .put, .insert: false
        }
    }
}
