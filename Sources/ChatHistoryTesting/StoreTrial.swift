import ChatHistory

/// One run of a check: the store, the closure that opens it again, and the checks with their failure texts.
struct StoreTrial {
    let check: StoreCheck
    private(set) var store: any MessageStore
    let reopen: (@Sendable () throws -> any MessageStore)?

    /// Ends a step: closes a persistent store and opens it again.
    mutating func nextStep() throws {
        guard let reopen else { return }
        try store.close()
        store = try reopen()
    }

    func expect<Value: Equatable>(_ found: Value, is expected: Value, _ what: String) throws(ConformanceFailure) {
        guard found != expected else { return }
        throw ConformanceFailure(check: check, detail: "\(what): expected \(expected), found \(found)")
    }

    func expect(_ code: StoreError.Code, from call: String, _ body: () throws -> Void) throws(ConformanceFailure) {
        let found: String
        do {
            try body()
            found = "no error"
        } catch let error as StoreError where error.code == code {
            return
        } catch {
            found = "\(error)"
        }
        throw ConformanceFailure(check: check, detail: "\(call): expected the error \(code), found \(found)")
    }

    /// Collects the rows from pages of `limit` until one is not full.
    func walk(_ table: RecordTable, conversation: RowID?, limit: Int) throws -> [Row] {
        var rows = try store.rows(table, conversation: conversation, before: nil, limit: limit)
        var last = rows.count
        while last == limit {
            let page = try store.rows(table, conversation: conversation, before: rows.last?.position, limit: limit)
            rows += page
            last = page.count
        }
        return rows
    }

    /// Compares everything the store reports about a conversation.
    func expect(_ expected: [Row], in table: RecordTable, conversation: RowID?) throws {
        let sorted = expected.sorted { $0.position > $1.position }
        try expect(try walk(table, conversation: conversation, limit: 7), is: sorted, "pages of 7")
        try expect(try store.count(table, conversation: conversation), is: sorted.count, "count")
        if let conversation {
            let highest = try store.highestSequence(table, conversation: conversation)
            try expect(highest, is: sorted.first?.sequence, "highest sequence")
        }
    }
}

extension RowID {
    /// Makes an id of 14 equal bytes and a number.
    static func sample(_ fill: UInt8, _ number: UInt16 = 0) -> RowID {
        let bytes = [UInt8](repeating: fill, count: 14) + [UInt8(number >> 8), UInt8(number & 0xFF)]
        return RowID(bytes: bytes) ?? .zero
    }
}

extension Row {
    /// Makes a row whose sealed bytes encode its numbers.
    static func sample(
        _ number: UInt16,
        in table: RecordTable = .messages,
        conversation: RowID = .sample(0xC0),
        sequence: UInt64? = nil,
        version: UInt32 = 1
    ) -> Row {
        let sealed = [table.rawValue, UInt8(number >> 8), UInt8(number & 0xFF), UInt8(version & 0xFF)]
        return Row(
            table: table,
            id: .sample(0x1D, number),
            conversation: conversation,
            sequence: sequence ?? UInt64(number),
            version: version,
            sealed: [UInt8](repeating: 0xA5, count: HistoryLimits.sealByteCount) + sealed
        )
    }
}
