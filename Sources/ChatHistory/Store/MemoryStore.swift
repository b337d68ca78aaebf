import Synchronization

/// A store that ends with the process: for tests, and for users who want no history.
public final class MemoryStore: MessageStore {
    /// Random bytes made with the store.
    ///
    /// Shape: 16 bytes.
    public let databaseID: [UInt8]
    private let contents = Mutex(Contents())

    /// Makes an empty store.
    public convenience init() {
        self.init(databaseID: (0..<RowID.byteCount).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// Makes an empty store with a known id: for rows that were bound to it elsewhere.
    package init(databaseID: [UInt8]) {
        self.databaseID = databaseID
    }

    /// Applies changes in order, all or none.
    public func apply(_ changes: [StoreChange]) throws(StoreError) {
        try HistoryLimits.check(changes)
        try access { contents throws(StoreError) in
            for case .insert(let row) in changes where contents.rows[RowKey(row)] != nil {
                throw StoreError(.rowExists)
            }
            for change in changes { contents.apply(change) }
        }
    }

    /// Returns the row of a table and id, or nil if there is none.
    public func row(_ table: RecordTable, _ id: RowID) throws(StoreError) -> Row? {
        try access { $0.rows[RowKey(table: table, id: id)] }
    }

    /// Returns a page of rows in falling order of position.
    public func rows(
        _ table: RecordTable,
        conversation: RowID?,
        before: RowPosition?,
        limit: Int
    ) throws(StoreError) -> [Row] {
        try HistoryLimits.check(pageLimit: limit)
        return try access { contents in
            let order = contents.order(of: table, conversation: conversation)
            let end = before.map { order.firstIndex(notBelow: $0) } ?? order.endIndex
            return order[..<end].suffix(limit).reversed().compactMap { position in
                contents.rows[RowKey(table: table, id: position.id)]
            }
        }
    }

    /// Returns a page of rows in rising order of position.
    public func rows(
        _ table: RecordTable,
        conversation: RowID?,
        after: RowPosition?,
        limit: Int
    ) throws(StoreError) -> [Row] {
        try HistoryLimits.check(pageLimit: limit)
        return try access { contents in
            let order = contents.order(of: table, conversation: conversation)
            var start = after.map { order.firstIndex(notBelow: $0) } ?? order.startIndex
            if start < order.endIndex, order[start] == after { start += 1 }
            return order[start...].prefix(limit).compactMap { position in
                contents.rows[RowKey(table: table, id: position.id)]
            }
        }
    }

    /// Returns the highest sequence among the rows of a conversation, or nil if it has none.
    public func highestSequence(_ table: RecordTable, conversation: RowID) throws(StoreError) -> UInt64? {
        try access { $0.order(of: table, conversation: conversation).last?.sequence }
    }

    /// Returns the number of rows of a conversation or of the whole table, all of them before `before` if that is
    /// given.
    public func count(
        _ table: RecordTable,
        conversation: RowID?,
        before: RowPosition?
    ) throws(StoreError) -> Int {
        try access { contents in
            let order = contents.order(of: table, conversation: conversation)
            return before.map { order.firstIndex(notBelow: $0) } ?? order.count
        }
    }

    /// Forgets everything and closes the store.
    public func close() throws(StoreError) {
        contents.withLock { contents in
            contents = Contents()
            contents.isClosed = true
        }
    }

    private func access<Value: Sendable>(
        _ body: (inout Contents) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try contents.withLock { contents throws(StoreError) in
            guard !contents.isClosed else { throw StoreError(.closed) }
            return try body(&contents)
        }
    }
}

extension MemoryStore {
    /// The rows, and the order of each conversation of each table.
    ///
    /// Invariant: `orders` holds the position of every row once, rising, and no empty list.
    private struct Contents {
        struct Place: Hashable {
            let table: RecordTable
            let conversation: RowID
        }

        var rows: [RowKey: Row] = [:]
        var orders: [Place: [RowPosition]] = [:]
        var isClosed = false

        func order(of table: RecordTable, conversation: RowID?) -> [RowPosition] {
            guard let conversation else {
                return orders.filter { $0.key.table == table }.flatMap(\.value).sorted()
            }
            return orders[Place(table: table, conversation: conversation)] ?? []
        }

        mutating func apply(_ change: StoreChange) {
            switch change {
            case .put(let row), .insert(let row):
                remove(RowKey(row))
                rows[RowKey(row)] = row
                let place = Place(table: row.table, conversation: row.conversation)
                var order = orders.removeValue(forKey: place) ?? []
                order.insert(row.position, at: order.firstIndex(notBelow: row.position))
                orders[place] = order
            case .delete(let table, let id):
                remove(RowKey(table: table, id: id))
            case .deleteConversation(let table, let conversation):
                let order = orders.removeValue(forKey: Place(table: table, conversation: conversation)) ?? []
                for position in order {
                    rows[RowKey(table: table, id: position.id)] = nil
                }
            }
        }

        private mutating func remove(_ key: RowKey) {
            guard let row = rows.removeValue(forKey: key) else { return }
            let place = Place(table: row.table, conversation: row.conversation)
            var order = orders.removeValue(forKey: place) ?? []
            order.remove(at: order.firstIndex(notBelow: row.position))
            orders[place] = order.isEmpty ? nil : order
        }
    }
}

extension [RowPosition] {
    /// Returns the first index whose position is not below the given one; the array is rising.
    fileprivate func firstIndex(notBelow position: RowPosition) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
