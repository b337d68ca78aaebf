/// The key of a row: its table and its id.
struct RowKey: Hashable {
    let table: RecordTable
    let id: RowID
}

extension RowKey {
    init(_ row: Row) {
        self.init(table: row.table, id: row.id)
    }
}
