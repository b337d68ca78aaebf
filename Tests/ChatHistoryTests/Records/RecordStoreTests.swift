import ChatHistory
import Testing

@Suite("Record book")
struct RecordStoreTests {
    private let store = MemoryStore()

    private func recordStore() -> RecordStore {
        RecordStore(store: store, keys: TestKeys())
    }

    @Test(
        "A record is found by its name and by its id, whole",
        arguments: RecordTable.allCases.filter { $0 != .keys && $0 != .digests }
    )
    func reading(table: RecordTable) throws {
        let label = conversation("Ada and Bo")
        var batch = RecordBatch()
        batch.put(table, name: [1, 2], conversation: label, sequence: 12, plaintext: [7, 0x80, 0])
        try recordStore().apply(batch)
        let id = TestKeys().rowID(table, name: [1, 2])
        let record = try #require(try recordStore().get(table, name: [1, 2]))
        #expect(record.table == table)
        #expect(record.id == id)
        #expect(record.conversation == label)
        #expect(record.sequence == 12)
        #expect(record.version == 1)
        #expect(record.plaintext == [7, 0x80, 0])
        #expect(try recordStore().get(table, id: id) == record)
        #expect(try recordStore().get(table, name: [1]) == nil)
    }

    @Test("Every length comes back, sealed in steps of 64 bytes", arguments: [0, 1, 62, 63, 64, 65, 127, 128, 5_000])
    func lengths(byteCount: Int) throws {
        var random = TestRandom(seed: UInt64(byteCount))
        let plaintext = random.bytes(byteCount)
        var batch = RecordBatch()
        batch.put(.settings, name: [1], plaintext: plaintext)
        try recordStore().apply(batch)
        #expect(try recordStore().get(.settings, name: [1])?.plaintext == plaintext)
        let row = try #require(try store.rows(.settings, conversation: nil, before: nil, limit: 1).first)
        #expect(row.sealed.count == (byteCount / 64 + 1) * 64 + 28)
    }

    @Test("Versions count up, over deletions too and from what an earlier run left")
    func versions() throws {
        let first = recordStore()
        var versions: [UInt32] = []
        for round in 0..<6 {
            var batch = RecordBatch()
            if round == 3 { batch.delete(.outbox, name: [1]) }
            batch.put(.outbox, name: [1], plaintext: [UInt8(round)])
            try (round < 5 ? first : recordStore()).apply(batch)
            versions.append(try #require(try first.get(.outbox, name: [1])).version)
        }
        #expect(versions == [1, 2, 3, 5, 6, 7])
    }

    @Test("A message that a run before wrote is written over, whether or not it was looked at")
    func messagesAgain() throws {
        let label = conversation("ours")
        try recordStore().apply(.message("first", in: label, 1))
        try recordStore().apply(.message("second", in: label, 1))
        let third = recordStore()
        _ = try third.page(.messages, conversation: label, limit: 9)
        try third.apply(.message("third", in: label, 1))
        let record = try #require(try recordStore().page(.messages, conversation: label, limit: 9).first)
        #expect(record.version == 3 && record.plaintext == Array("third".utf8))
        #expect(try store.count(.messages, conversation: label) == 1)
    }

    @Test("A batch is applied in order, and a record put twice in it has the last content")
    func batchOrder() throws {
        let recordStore = recordStore()
        var batch = RecordBatch()
        batch.put(.pendingReceipts, name: [1], plaintext: [1])
        batch.put(.pendingReceipts, name: [1], plaintext: [2])
        batch.put(.pendingReceipts, name: [2], plaintext: [3])
        batch.delete(.pendingReceipts, name: [2])
        #expect(batch.count == 4)
        try recordStore.apply(batch)
        #expect(try recordStore.all(.pendingReceipts).map(\.plaintext) == [[2]])
        #expect(try recordStore.get(.pendingReceipts, name: [1])?.version == 2)
    }

    @Test("A record is written again and deleted by the id it was read with")
    func byID() throws {
        let recordStore = recordStore()
        var batch = RecordBatch()
        batch.put(.outbox, name: [1], plaintext: [1])
        batch.put(.outbox, name: [2], plaintext: [2])
        try recordStore.apply(batch)
        var next = RecordBatch()
        next.put(.outbox, id: recordStore.rowID(.outbox, name: [1]), sequence: 4, plaintext: [3])
        next.delete(.outbox, id: recordStore.rowID(.outbox, name: [2]))
        try recordStore.apply(next)
        #expect(try recordStore.all(.outbox).map(\.plaintext) == [[3]])
        #expect(try recordStore.get(.outbox, name: [1])?.sequence == 4)
    }

    @Test("Pages give the messages of a conversation, newest first")
    func pages() throws {
        let recordStore = recordStore()
        let ours = conversation("ours")
        for number in UInt64(1)...9 {
            try recordStore.apply(.message("ours \(number)", in: ours, number))
            try recordStore.apply(.message("theirs \(number)", in: conversation("theirs"), number))
        }
        let first = try recordStore.page(.messages, conversation: ours, limit: 4)
        #expect(first.map(\.text) == ["ours 9", "ours 8", "ours 7", "ours 6"])
        let second = try recordStore.page(.messages, conversation: ours, before: first.last?.position, limit: 4)
        #expect(second.map(\.text) == ["ours 5", "ours 4", "ours 3", "ours 2"])
        let below = try recordStore.page(.messages, conversation: ours, before: RowPosition(sequence: 3), limit: 9)
        #expect(below.map(\.text) == ["ours 2", "ours 1"])
        #expect(try recordStore.highestSequence(.messages, conversation: ours) == 9)
        #expect(try recordStore.count(.messages, conversation: ours) == 9)
        #expect(try recordStore.count(.messages) == 18)
    }

    @Test("All records of a table come back, also when they are more than a page")
    func all() throws {
        let recordStore = recordStore()
        var batch = RecordBatch()
        let most = HistoryLimits.pageRowCount + 5
        for number in 0..<most {
            batch.put(.bundles, name: bigEndian(UInt64(number)), plaintext: bigEndian(UInt64(number)))
        }
        try recordStore.apply(batch)
        let found = try recordStore.all(.bundles)
        #expect(
            found.map(\.plaintext).sorted { $0.lexicographicallyPrecedes($1) }
                == (0..<most).map { bigEndian(UInt64($0)) }
        )
    }

    @Test("A batch that is refused changes nothing, and the same records can be written after")
    func refusedBatch() throws {
        let recordStore = recordStore()
        let label = conversation("new")
        var batch = RecordBatch.message("first", in: label, 1)
        let long = [UInt8](repeating: 1, count: HistoryLimits.recordByteCount + 1)
        batch.put(.settings, name: [9], plaintext: long)
        #expect(throws: StoreError(.recordTooLarge)) { try recordStore.apply(batch) }
        #expect(try RecordTable.allCases.map { try recordStore.count($0) }.allSatisfy { $0 == 0 })
        try recordStore.apply(.message("second", in: label, 1))
        #expect(try recordStore.page(.messages, conversation: label, limit: 1).map(\.text) == ["second"])
    }

    @Test("A record of the greatest length is kept")
    func longest() throws {
        let plaintext = [UInt8](repeating: 1, count: HistoryLimits.recordByteCount)
        var batch = RecordBatch()
        batch.put(.settings, name: [9], plaintext: plaintext)
        try recordStore().apply(batch)
        #expect(try recordStore().get(.settings, name: [9])?.plaintext == plaintext)
    }

    @Test("A batch larger than a store takes is refused, and an empty one does nothing")
    func batchLimit() throws {
        let recordStore = recordStore()
        var batch = RecordBatch()
        try recordStore.apply(batch)
        for number in 0...HistoryLimits.batchChangeCount {
            batch.put(.bundles, name: bigEndian(UInt64(number)), plaintext: [])
        }
        #expect(throws: StoreError(.batchTooLarge)) { try recordStore.apply(batch) }
        #expect(try recordStore.count(.bundles) == 0)
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
            try RecordStore(store: MemoryStore(), keys: TestKeys()).deleteConversation(.zero)
        }
    }
}
