/// What names a row: its table and its id.
struct RowKey: Hashable {
    let table: RecordTable
    let id: RowID
}
