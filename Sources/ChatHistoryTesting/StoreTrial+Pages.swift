import ChatHistory

extension StoreTrial {
    mutating func conversationPages() throws {
        let conversation = RowID.sample(0xC0)
        // Three rows share each sequence, so pages end among equals.
        let numbers = (0..<30).map { (index: UInt16) in index * 17 % 30 }
        let rows = numbers.map { Row.sample($0, sequence: UInt64($0 / 3)) }
        let unknownPeers = [Row.sample(90, conversation: .sample(0xC1)), .sample(91, in: .pendingReceipts)]
        try store.apply((rows + unknownPeers).map { .put($0) })
        try nextStep()
        let sorted = rows.sorted { $0.position > $1.position }
        for limit in [1, 2, 7, 30, 31] {
            let found = try walk(.messages, conversation: conversation, limit: limit)
            try expect(found, is: sorted, "pages of \(limit)")
        }
        let before = RowPosition(sequence: 4)
        let page = try store.rows(.messages, conversation: conversation, before: before, limit: 5)
        try expect(page, is: Array(sorted.filter { $0.sequence < 4 }.prefix(5)), "5 rows before a sequence")
        let none: [Row] = try store.rows(.messages, conversation: conversation, before: sorted.last?.position, limit: 5)
        try expect(none, is: [Row](), "rows before the first")
    }

    mutating func tablePages() throws {
        let rows = (0..<40).map { (number: UInt16) in
            Row.sample(number, conversation: .sample(0xC0, number % 4), sequence: UInt64(number / 5))
        }
        try store.apply((rows + [.sample(91, in: .pendingReceipts)]).map { .put($0) })
        try nextStep()
        let sorted = rows.sorted { $0.position > $1.position }
        for limit in [1, 7, 40, 41] {
            try expect(try walk(.messages, conversation: nil, limit: limit), is: sorted, "pages of \(limit)")
        }
        let before = RowPosition(sequence: 3)
        let page = try store.rows(.messages, conversation: nil, before: before, limit: 6)
        try expect(page, is: Array(sorted.filter { $0.sequence < 3 }.prefix(6)), "6 rows before a sequence")
    }

    mutating func risingPages() throws {
        let conversations = (0..<4).map { (number: UInt16) in RowID.sample(0xC0, number) }
        let rows = (0..<40).map { (index: UInt16) in
            let number = index * 17 % 40
            return Row.sample(number, conversation: conversations[Int(number % 4)], sequence: UInt64(number / 5))
        }
        try store.apply((rows + [.sample(91, in: .pendingReceipts)]).map { .put($0) })
        try nextStep()
        for conversation in [nil] + conversations {
            let sorted = rows.filter { conversation == nil || $0.conversation == conversation }
                .sorted { $0.position < $1.position }
            for limit in [1, 7, sorted.count, sorted.count + 1] {
                try expect(
                    try climb(conversation, limit: limit, to: sorted.count),
                    is: sorted,
                    "rising pages of \(limit)"
                )
            }
            // A position without an id stands before every row of its sequence.
            let page = try store.rows(
                .messages,
                conversation: conversation,
                after: RowPosition(sequence: 3),
                limit: 6
            )
            try expect(page, is: Array(sorted.filter { $0.sequence >= 3 }.prefix(6)), "6 rows from a sequence on")
            let last = sorted.last?.position
            let none = try store.rows(.messages, conversation: conversation, after: last, limit: 5)
            try expect(none, is: [Row](), "rows after the last")
        }
    }

    /// Collects the messages from rising pages of `limit` until one is not full, or there are more than expected.
    private func climb(_ conversation: RowID?, limit: Int, to count: Int) throws -> [Row] {
        var rows = try store.rows(.messages, conversation: conversation, after: nil, limit: limit)
        var last = rows.count
        while last == limit, rows.count <= count {
            let page = try store.rows(.messages, conversation: conversation, after: rows.last?.position, limit: limit)
            rows += page
            last = page.count
        }
        return rows
    }

    mutating func highestSequence() throws {
        let conversation = RowID.sample(0xC0)
        try expect(try store.highestSequence(.messages, conversation: conversation), is: nil, "of an empty store")
        let top = Row.sample(2, sequence: UInt64(Int64.max) + 7)
        try store.apply([.put(.sample(1)), .put(top), .put(.sample(3, in: .pendingReceipts, sequence: .max))])
        try nextStep()
        let highest = try store.highestSequence(.messages, conversation: conversation)
        try expect(highest, is: top.sequence, "beyond 2^63")
        try store.apply([.delete(.messages, top.id)])
        try nextStep()
        let next = try store.highestSequence(.messages, conversation: conversation)
        try expect(next, is: 1, "when the highest is deleted")
        try store.apply([.deleteConversation(.messages, conversation)])
        let gone = try store.highestSequence(.messages, conversation: conversation)
        try expect(gone, is: nil, "when the conversation is deleted")
    }

    mutating func counting() throws {
        let other = RowID.sample(0xC1)
        try expect(try store.count(.messages, conversation: nil), is: 0, "of an empty store")
        try store.apply([
            .put(.sample(1)), .put(.sample(2)), .put(.sample(2, version: 2)), .put(.sample(3, conversation: other)),
            .put(.sample(4, in: .pendingReceipts)),
        ])
        try nextStep()
        try expect(try store.count(.messages, conversation: nil), is: 3, "of the table")
        try expect(try store.count(.messages, conversation: .sample(0xC0)), is: 2, "of a conversation")
        let second = Row.sample(2).position
        let (all, own) = (RowID?.none, RowID?.some(.sample(0xC0)))
        try expect(try store.count(.messages, conversation: all, before: second), is: 1, "before a row")
        try expect(
            try store.count(.messages, conversation: own, before: second),
            is: 1,
            "before a row of a conversation"
        )
        let above = RowPosition(sequence: UInt64(Int64.max) + 7)
        try expect(try store.count(.messages, conversation: own, before: above), is: 2, "before 2^63")
        try store.apply([.deleteConversation(.messages, .sample(0xC0))])
        try nextStep()
        try expect(try store.count(.messages, conversation: nil), is: 1, "after a deletion")
        try expect(try store.count(.messages, conversation: .sample(0xC0)), is: 0, "of the conversation deleted")
    }
}
