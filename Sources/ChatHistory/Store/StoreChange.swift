/// One change to a store; changes are applied in batches, all or none.
public enum StoreChange: Equatable, Sendable {
    /// Writes a row; it replaces the row of the same table and id if there is one.
    case put(Row)
    /// Writes a new row; fails with `rowExists` if a row of the same table and id existed before the batch.
    case insert(Row)
    /// Deletes the row of a table and id; a missing row is no error.
    case delete(RecordTable, RowID)
    /// Deletes every row of a table that belongs to a conversation.
    case deleteConversation(RecordTable, RowID)

    /// Whether the user deletes content with this change, so that no copy may stay in the write-ahead log.
    var isErasure: Bool {
        switch self {
        case .deleteConversation: true
        case .delete(let table, _): [.messages, .keys, .rooms].contains(table)
        case .put, .insert: false
        }
    }
}
