extension MessageStore {
    /// Copies all rows into another store that is empty and has the same id, so that they open there too.
    ///
    /// It copies batch by batch: discard a copy that was interrupted.
    package func copyRows(to other: some MessageStore) throws(StoreError) {
        precondition(other.databaseID == databaseID, "rows are bound to the id of their store")
        for table in RecordTable.allCases {
            var last: RowPosition?
            while true {
                let page = try rows(table, conversation: nil, before: last, limit: HistoryLimits.pageRowCount)
                guard let lowest = page.last else { break }
                try other.apply(page.map { .put($0) })
                last = lowest.position
            }
        }
    }
}
