import ChatHistory
import Testing

@Suite("Record book")
struct RecordBookTests {
    private let store = MemoryStore()

    private func book() -> RecordBook {
        RecordBook(store: store, keys: TestKeys())
    }

    @Test(
        "A record is found by its name and by its id, whole",
        arguments: RecordTable.allCases.filter { $0 != .keys && $0 != .sums }
    )
    func reading(table: RecordTable) throws {
        let label = conversation("Ada and Bo")
        var batch = RecordBatch()
        batch.put(table, name: [1, 2], conversation: label, sequence: 12, plaintext: [7, 0x80, 0])
        try book().apply(batch)
        let id = TestKeys().rowID(table, name: [1, 2])
        let record = try #require(try book().get(table, name: [1, 2]))
        #expect(record.table == table)
        #expect(record.id == id)
        #expect(record.conversation == label)
        #expect(record.sequence == 12)
        #expect(record.version == 1)
        #expect(record.plaintext == [7, 0x80, 0])
        #expect(try book().get(table, id: id) == record)
        #expect(try book().get(table, name: [1]) == nil)
    }

    @Test("Every length comes back, sealed in steps of 64 bytes", arguments: [0, 1, 62, 63, 64, 65, 127, 128, 5_000])
    func lengths(byteCount: Int) throws {
        var random = TestRandom(seed: UInt64(byteCount))
        let plaintext = random.bytes(byteCount)
        var batch = RecordBatch()
        batch.put(.settings, name: [1], plaintext: plaintext)
        try book().apply(batch)
        #expect(try book().get(.settings, name: [1])?.plaintext == plaintext)
        let row = try #require(try store.rows(.settings, conversation: nil, before: nil, limit: 1).first)
        #expect(row.sealed.count == (byteCount / 64 + 1) * 64 + 28)
    }

    @Test("Versions count up, over deletions too and from what an earlier run left")
    func versions() throws {
        let first = book()
        var versions: [UInt32] = []
        for round in 0..<6 {
            var batch = RecordBatch()
            if round == 3 { batch.delete(.outbox, name: [1]) }
            batch.put(.outbox, name: [1], plaintext: [UInt8(round)])
            try (round < 5 ? first : book()).apply(batch)
            versions.append(try #require(try first.get(.outbox, name: [1])).version)
        }
        #expect(versions == [1, 2, 3, 5, 6, 7])
    }

    @Test("A message that a run before wrote is written over, whether or not it was looked at")
    func messagesAgain() throws {
        let label = conversation("ours")
        try book().apply(.message("first", in: label, 1))
        try book().apply(.message("second", in: label, 1))
        let third = book()
        _ = try third.page(.messages, conversation: label, limit: 9)
        try third.apply(.message("third", in: label, 1))
        let record = try #require(try book().page(.messages, conversation: label, limit: 9).first)
        #expect(record.version == 3 && record.plaintext == Array("third".utf8))
        #expect(try store.count(.messages, conversation: label) == 1)
    }

    @Test("A batch is applied in order, and a record put twice in it has the last content")
    func batchOrder() throws {
        let book = book()
        var batch = RecordBatch()
        batch.put(.owed, name: [1], plaintext: [1])
        batch.put(.owed, name: [1], plaintext: [2])
        batch.put(.owed, name: [2], plaintext: [3])
        batch.delete(.owed, name: [2])
        #expect(batch.count == 4)
        try book.apply(batch)
        #expect(try book.all(.owed).map(\.plaintext) == [[2]])
        #expect(try book.get(.owed, name: [1])?.version == 2)
    }

    @Test("A record is written again and deleted by the id it was read with")
    func byID() throws {
        let book = book()
        var batch = RecordBatch()
        batch.put(.outbox, name: [1], plaintext: [1])
        batch.put(.outbox, name: [2], plaintext: [2])
        try book.apply(batch)
        var next = RecordBatch()
        next.put(.outbox, id: book.rowID(.outbox, name: [1]), sequence: 4, plaintext: [3])
        next.delete(.outbox, id: book.rowID(.outbox, name: [2]))
        try book.apply(next)
        #expect(try book.all(.outbox).map(\.plaintext) == [[3]])
        #expect(try book.get(.outbox, name: [1])?.sequence == 4)
    }

    @Test("Pages give the messages of a conversation, newest first")
    func pages() throws {
        let book = book()
        let ours = conversation("ours")
        for number in UInt64(1)...9 {
            try book.apply(.message("ours \(number)", in: ours, number))
            try book.apply(.message("theirs \(number)", in: conversation("theirs"), number))
        }
        let first = try book.page(.messages, conversation: ours, limit: 4)
        #expect(first.map(\.text) == ["ours 9", "ours 8", "ours 7", "ours 6"])
        let second = try book.page(.messages, conversation: ours, before: first.last?.position, limit: 4)
        #expect(second.map(\.text) == ["ours 5", "ours 4", "ours 3", "ours 2"])
        let below = try book.page(.messages, conversation: ours, before: RowPosition(sequence: 3), limit: 9)
        #expect(below.map(\.text) == ["ours 2", "ours 1"])
        #expect(try book.highestSequence(.messages, conversation: ours) == 9)
        #expect(try book.count(.messages, conversation: ours) == 9)
        #expect(try book.count(.messages) == 18)
    }

    @Test("All records of a table come back, also when they are more than a page")
    func all() throws {
        let book = book()
        var batch = RecordBatch()
        let most = HistoryLimits.pageRowCount + 5
        for number in 0..<most {
            batch.put(.bundles, name: bigEndian(UInt64(number)), plaintext: bigEndian(UInt64(number)))
        }
        try book.apply(batch)
        let found = try book.all(.bundles)
        #expect(
            found.map(\.plaintext).sorted { $0.lexicographicallyPrecedes($1) }
                == (0..<most).map { bigEndian(UInt64($0)) }
        )
    }

    @Test("A batch that is refused changes nothing, and the same records can be written after")
    func refusedBatch() throws {
        let book = book()
        let label = conversation("new")
        var batch = RecordBatch.message("first", in: label, 1)
        let long = [UInt8](repeating: 1, count: HistoryLimits.recordByteCount + 1)
        batch.put(.settings, name: [9], plaintext: long)
        #expect(throws: StoreError(.recordTooLarge)) { try book.apply(batch) }
        #expect(try RecordTable.allCases.map { try book.count($0) }.allSatisfy { $0 == 0 })
        try book.apply(.message("second", in: label, 1))
        #expect(try book.page(.messages, conversation: label, limit: 1).map(\.text) == ["second"])
    }

    @Test("A record of the greatest length is kept")
    func longest() throws {
        let plaintext = [UInt8](repeating: 1, count: HistoryLimits.recordByteCount)
        var batch = RecordBatch()
        batch.put(.settings, name: [9], plaintext: plaintext)
        try book().apply(batch)
        #expect(try book().get(.settings, name: [9])?.plaintext == plaintext)
    }

    @Test("A batch larger than a store takes is refused, and an empty one does nothing")
    func batchLimit() throws {
        let book = book()
        var batch = RecordBatch()
        try book.apply(batch)
        for number in 0...HistoryLimits.batchChangeCount {
            batch.put(.bundles, name: bigEndian(UInt64(number)), plaintext: [])
        }
        #expect(throws: StoreError(.batchTooLarge)) { try book.apply(batch) }
        #expect(try book.count(.bundles) == 0)
    }

    @Test("What only the book may write is a mistake of the caller")
    func preconditions() async {
        await #expect(processExitsWith: .failure) {
            var batch = RecordBatch()
            batch.put(.messages, name: [1], plaintext: [])
        }
        await #expect(processExitsWith: .failure) {
            var batch = RecordBatch()
            batch.put(.keys, name: [1], conversation: .test(1), plaintext: [])
        }
        await #expect(processExitsWith: .failure) {
            var batch = RecordBatch()
            batch.delete(.keys, name: [1])
        }
        await #expect(processExitsWith: .failure) {
            try RecordBook(store: MemoryStore(), keys: TestKeys()).deleteConversation(.zero)
        }
    }
}
