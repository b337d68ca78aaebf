import Foundation
import GRDB

extension Database {
    /// Applies changes in one transaction, all or none.
    ///
    /// GRDB's own transactions compile their statements again each time.
    func apply(_ changes: [StoreChange]) throws {
        try cachedStatement(sql: "BEGIN IMMEDIATE").execute()
        do {
            for change in changes { try apply(change) }
            try cachedStatement(sql: "COMMIT").execute()
        } catch {
            // SQLite itself rolls back after some errors.
            if isInsideTransaction { try? execute(sql: "ROLLBACK") }
            throw error
        }
    }

    /// Applies one change; the caller has begun a transaction.
    private func apply(_ change: StoreChange) throws {
        switch change {
        case .put(let row):
            try put(row)
        case .insert(let row):
            try insert(row, unlessThere: "ON CONFLICT (kind, id) DO NOTHING")
            guard changesCount > 0 else { throw StoreError(.rowExists) }
        case .delete(let table, let id):
            try cachedStatement(sql: "DELETE FROM record WHERE kind = ? AND id = ?")
                .execute(arguments: [table.rawValue, Data(id.bytes)])
        case .deleteConversation(let table, let conversation):
            try cachedStatement(sql: "DELETE FROM record WHERE kind = ? AND conversation = ?")
                .execute(arguments: [table.rawValue, Data(conversation.bytes)])
        }
    }

    private func put(_ row: Row) throws {
        if row.version > 1, try replace(row) { return }
        try insert(
            row,
            unlessThere: """
                ON CONFLICT (kind, id) DO UPDATE SET conversation = excluded.conversation, sequence = excluded.sequence,
                version = excluded.version, sealed = excluded.sealed
                """
        )
    }

    private func insert(_ row: Row, unlessThere otherwise: String) throws {
        let sql = "INSERT INTO record (kind, id, conversation, sequence, version, sealed) VALUES (?, ?, ?, ?, ?, ?) "
        try cachedStatement(sql: sql + otherwise).execute(arguments: [
            row.table.rawValue, Data(row.id.bytes), Data(row.conversation.bytes), row.sequence.stored,
            row.version, Data(row.sealed),
        ])
    }

    /// Overwrites the row in the same position, which leaves the order of rows unchanged; false if there is none.
    private func replace(_ row: Row) throws -> Bool {
        let sql =
            "UPDATE record SET version = ?, sealed = ? WHERE kind = ? AND id = ? AND conversation = ? AND sequence = ?"
        try cachedStatement(sql: sql).execute(arguments: [
            row.version, Data(row.sealed), row.table.rawValue, Data(row.id.bytes), Data(row.conversation.bytes),
            row.sequence.stored,
        ])
        return changesCount > 0
    }

    func row(_ table: RecordTable, _ id: RowID) throws -> Row? {
        let sql = "SELECT id, conversation, sequence, version, sealed FROM record WHERE kind = ? AND id = ?"
        let arguments: StatementArguments = [table.rawValue, Data(id.bytes)]
        // A cursor lends its row, which `fetchOne` would copy; the row is valid as long as the cursor.
        let cursor = try GRDB.Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
        return try withExtendedLifetime(cursor) { try cursor.next().map { try Row(table, $0) } }
    }

    /// Returns a page of rows that follow a position in rising or falling order.
    func rows(
        _ table: RecordTable,
        conversation: RowID?,
        from place: RowPosition?,
        isRising: Bool,
        limit: Int
    ) throws -> [Row] {
        var sql = "SELECT id, conversation, sequence, version, sealed FROM record WHERE kind = ?"
        var arguments: StatementArguments = [table.rawValue]
        if let conversation {
            sql += " AND conversation = ?"
            arguments += [Data(conversation.bytes)]
        }
        if let place {
            sql += " AND (sequence, id) \(isRising ? ">" : "<") (?, ?)"
            arguments += [place.sequence.stored, Data(place.id.bytes)]
        }
        sql += isRising ? " ORDER BY sequence, id LIMIT ?" : " ORDER BY sequence DESC, id DESC LIMIT ?"
        arguments += [limit]
        let cursor = try GRDB.Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
        var rows: [Row] = []
        while let row = try cursor.next() {
            rows.append(try Row(table, row))
        }
        return rows
    }

    func highestSequence(_ table: RecordTable, conversation: RowID) throws -> UInt64? {
        let sql = "SELECT max(sequence) FROM record WHERE kind = ? AND conversation = ?"
        let stored = try Int64.fetchOne(
            cachedStatement(sql: sql),
            arguments: [table.rawValue, Data(conversation.bytes)]
        )
        return stored.map { UInt64(stored: $0) }
    }

    func count(_ table: RecordTable, conversation: RowID?, before: RowPosition?) throws -> Int {
        var sql = "SELECT count(*) FROM record WHERE kind = ?"
        var arguments: StatementArguments = [table.rawValue]
        if let conversation {
            sql += " AND conversation = ?"
            arguments += [Data(conversation.bytes)]
        }
        if let before {
            sql += " AND (sequence, id) < (?, ?)"
            arguments += [before.sequence.stored, Data(before.id.bytes)]
        }
        return try Int.fetchOne(cachedStatement(sql: sql), arguments: arguments) ?? 0
    }

    /// Writes the log into the file and truncates it, so that neither holds deleted content.
    func emptyLog() throws {
        try checkpoint(.truncate)
    }
}

extension Row {
    /// Decodes a row of the database, which another program may have changed: any value out of range is an error.
    fileprivate init(_ table: RecordTable, _ row: GRDB.Row) throws {
        func bytes(_ index: Int) throws -> [UInt8] {
            try row.withUnsafeData(atIndex: index) { Array($0 ?? Data()) }
        }
        guard
            let id = RowID(bytes: try bytes(0)),
            let conversation = RowID(bytes: try bytes(1)),
            let sequence = Int64.fromDatabaseValue(row[2]),
            let version = UInt32.fromDatabaseValue(row[3])
        else { throw StoreError(.corrupt) }
        self.init(
            table: table,
            id: id,
            conversation: conversation,
            sequence: UInt64(stored: sequence),
            version: version,
            sealed: try bytes(4)
        )
    }
}

extension UInt64 {
    /// The number moved down by 2^63, which keeps the order in SQLite's signed integers.
    var stored: Int64 { Int64(bitPattern: self ^ 1 << 63) }

    init(stored: Int64) {
        self = UInt64(bitPattern: stored) ^ 1 << 63
    }
}
