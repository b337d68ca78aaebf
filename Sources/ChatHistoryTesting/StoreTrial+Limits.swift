import ChatHistory

extension StoreTrial {
    private func row(sealedByteCount: Int, _ number: UInt16) -> Row {
        Row(
            table: .messages,
            id: .sample(0x1D, number),
            conversation: .sample(0xC0),
            sequence: UInt64(number),
            version: 1,
            sealed: [UInt8](repeating: 0x5A, count: sealedByteCount)
        )
    }

    mutating func atomicity() throws {
        let kept = Row.sample(1)
        let tooLong = row(sealedByteCount: HistoryLimits.sealedByteCount + 1, 9)
        try store.apply([.put(kept)])
        try nextStep()
        let refused: [StoreChange] = [
            .put(.sample(2)), .delete(.messages, kept.id), .deleteConversation(.messages, kept.conversation),
            .put(tooLong), .put(.sample(3)),
        ]
        try expect(.recordTooLarge, from: "a batch with a record too long") { try store.apply(refused) }
        try expect([kept], in: .messages, conversation: nil)
        try nextStep()
        try expect([kept], in: .messages, conversation: nil)
    }

    mutating func recordLimit() throws {
        let longest = row(sealedByteCount: HistoryLimits.sealedByteCount, 1)
        let longer = row(sealedByteCount: HistoryLimits.sealedByteCount + 1, 2)
        try store.apply([.put(longest)])
        try expect(.recordTooLarge, from: "a longer record") { try store.apply([.put(longer)]) }
        try nextStep()
        // Compared by hand: a failure would otherwise print two megabytes.
        let found = try store.row(.messages, longest.id)
        try expect(found == longest, is: true, "whether the longest record came back")
        try expect(try store.count(.messages, conversation: nil), is: 1, "count")
    }

    mutating func batchLimit() throws {
        let changes = (0..<HistoryLimits.batchChangeCount).map { StoreChange.put(.sample(UInt16($0))) }
        let more = changes + [.put(.sample(.max))]
        try expect(.batchTooLarge, from: "a larger batch") { try store.apply(more) }
        try nextStep()
        try expect(try store.count(.messages, conversation: nil), is: 0, "count after the larger batch")
        try store.apply(changes)
        try nextStep()
        try expect(try store.count(.messages, conversation: nil), is: changes.count, "count")
        try store.apply([])
    }

    mutating func pageLimit() throws {
        let most = HistoryLimits.pageRowCount
        try store.apply((0...most).map { .put(.sample(UInt16($0))) })
        try nextStep()
        let page = try store.rows(.messages, conversation: nil, before: nil, limit: most)
        try expect(page.count, is: most, "rows of the largest page")
        for limit in [Int.min, -1, 0, most + 1, Int.max] {
            try expect(.pageLimit, from: "a page of \(limit)") {
                _ = try store.rows(.messages, conversation: nil, before: nil, limit: limit)
            }
            try expect(.pageLimit, from: "a rising page of \(limit)") {
                _ = try store.rows(.messages, conversation: nil, after: nil, limit: limit)
            }
        }
    }

    mutating func closing() throws {
        try store.apply([.put(.sample(1))])
        try store.close()
        try store.close()
        try expect(.closed, from: "apply") { try store.apply([.put(.sample(2))]) }
        try expect(.closed, from: "row") { _ = try store.row(.messages, .zero) }
        try expect(.closed, from: "rows") {
            _ = try store.rows(.messages, conversation: nil, before: nil, limit: 1)
        }
        try expect(.closed, from: "rising rows") {
            _ = try store.rows(.messages, conversation: nil, after: nil, limit: 1)
        }
        try expect(.closed, from: "highestSequence") {
            _ = try store.highestSequence(.messages, conversation: .zero)
        }
        try expect(.closed, from: "count") { _ = try store.count(.messages, conversation: nil) }
    }
}
