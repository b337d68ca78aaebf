import ChatHistory

extension StoreTrial {
    mutating func databaseID() throws {
        let id = store.databaseID
        try expect(id.count, is: 16, "length")
        try nextStep()
        try expect(store.databaseID, is: id, "the id when opened again")
    }

    mutating func wholeRows() throws {
        var rows: [Row] = []
        for (number, table) in RecordTable.allCases.enumerated() {
            rows.append(.sample(UInt16(number), in: table))
        }
        let ends: [UInt64] = [0, 1, UInt64(Int64.max), UInt64(Int64.max) + 1, .max]
        for (number, sequence) in ends.enumerated() {
            rows.append(.sample(UInt16(100 + number), in: .outbox, sequence: sequence, version: .max))
        }
        rows.append(.sample(200, in: .outbox, conversation: .zero, version: 0))
        rows.append(
            Row(
                table: .pendingReceipts,
                id: RowID.zero,
                conversation: .sample(0xFF, .max),
                sequence: 5,
                version: 6,
                sealed: (0...255).map { UInt8($0) }
            )
        )
        try store.apply(rows.map { .put($0) })
        try nextStep()
        for row in rows {
            try expect(try store.row(row.table, row.id), is: row, "row \(row.id) of \(row.table)")
        }
        try expect(try store.row(.pendingReceipts, .sample(0xEE)), is: nil, "a row never put")
    }

    mutating func replacing() throws {
        let other = RowID.sample(0xC1)
        try store.apply([.put(.sample(1)), .put(.sample(2))])
        try nextStep()
        let moved = Row.sample(1, conversation: other, sequence: 9, version: 2)
        try store.apply([.put(moved)])
        try nextStep()
        try expect(try store.row(.messages, moved.id), is: moved, "the row put again")
        try expect([.sample(2)], in: .messages, conversation: .sample(0xC0))
        try expect([moved], in: .messages, conversation: other)
    }

    mutating func inserting() throws {
        try store.apply([.insert(.sample(1)), .insert(.sample(1, in: .pendingReceipts))])
        try nextStep()
        try expect(try store.row(.messages, Row.sample(1).id), is: .sample(1), "the row inserted")
        let again = Row.sample(1, sequence: 9, version: 2)
        try expect(.rowExists, from: "inserting a row that is there") {
            try store.apply([.put(.sample(2)), .delete(.pendingReceipts, again.id), .insert(again)])
        }
        try nextStep()
        try expect([.sample(1)], in: .messages, conversation: .sample(0xC0))
        try expect([.sample(1, in: .pendingReceipts)], in: .pendingReceipts, conversation: .sample(0xC0))
    }

    mutating func tablesApart() throws {
        let rows = [Row.sample(1, in: .contacts), .sample(1, in: .sessions)]
        try store.apply(rows.map { .put($0) })
        try nextStep()
        try store.apply([.delete(.contacts, rows[0].id)])
        try nextStep()
        try expect(try store.row(.contacts, rows[0].id), is: nil, "the row deleted")
        try expect(try store.row(.sessions, rows[1].id), is: rows[1], "the row of the other table")
    }

    mutating func deletingRow() throws {
        try store.apply([.put(.sample(1)), .put(.sample(2)), .put(.sample(3))])
        try nextStep()
        try store.apply([.delete(.messages, Row.sample(2).id), .delete(.messages, .sample(0xEE))])
        try nextStep()
        try expect(try store.row(.messages, Row.sample(2).id), is: nil, "the row deleted")
        try expect([.sample(1), .sample(3)], in: .messages, conversation: .sample(0xC0))
    }

    mutating func deletingConversation() throws {
        let other = RowID.sample(0xC1)
        let rows = [Row.sample(1), .sample(2), .sample(3, conversation: other), .sample(4, in: .pendingReceipts)]
        try store.apply(rows.map { .put($0) })
        try nextStep()
        try store.apply([.deleteConversation(.messages, .sample(0xC0)), .deleteConversation(.outbox, other)])
        try nextStep()
        try expect([], in: .messages, conversation: .sample(0xC0))
        try expect([rows[2]], in: .messages, conversation: other)
        try expect([rows[3]], in: .pendingReceipts, conversation: .sample(0xC0))
    }

    mutating func order() throws {
        let last = Row.sample(1, version: 3)
        try store.apply([
            .put(.sample(1)), .delete(.messages, last.id), .put(.sample(1, version: 2)),
            .put(.sample(2)), .put(last), .put(.sample(3)), .delete(.messages, Row.sample(3).id),
        ])
        try nextStep()
        try expect([last, .sample(2)], in: .messages, conversation: .sample(0xC0))
        try store.apply([.deleteConversation(.messages, .sample(0xC0)), .put(.sample(4)), .put(.sample(5))])
        try nextStep()
        try expect([.sample(4), .sample(5)], in: .messages, conversation: .sample(0xC0))
    }
}
