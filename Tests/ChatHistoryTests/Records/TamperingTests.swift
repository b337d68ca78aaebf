import ChatHistory
import Testing

/// A change that an intruder with access to the disk can make to a row.
enum Alteration: String, CaseIterable, Sendable {
    case nonce, ciphertext, tag, shorter, longer, empty
    case sequence, version, highestVersion, conversation, otherRow, otherTable, otherStore

    /// Returns the row that replaces the first of two.
    func applied(to row: Row, other: Row) -> Row {
        switch self {
        case .nonce: row.with(sealed: row.sealed.flipping(at: 0))
        case .ciphertext: row.with(sealed: row.sealed.flipping(at: row.sealed.count / 2))
        case .tag: row.with(sealed: row.sealed.flipping(at: row.sealed.count - 1))
        case .shorter: row.with(sealed: row.sealed.dropLast())
        case .longer: row.with(sealed: row.sealed + [0])
        case .empty: row.with(sealed: [])
        case .sequence: row.with(sequence: row.sequence + 1)
        case .version: row.with(version: row.version + 1)
        case .highestVersion: row.with(version: .max)
        case .conversation: row.with(conversation: ChatHistoryTests.conversation("elsewhere"))
        case .otherRow: row.with(sealed: other.sealed)
        case .otherTable: row.with(sealed: other.sealed)
        case .otherStore: row
        }
    }
}

extension [UInt8] {
    fileprivate func flipping(at index: Int) -> [UInt8] {
        var copy = self
        copy[index] ^= 0x10
        return copy
    }
}

@Suite("Tampering")
struct TamperingTests {
    private let label = conversation("ours")

    /// Makes two records of one table, or of two tables or stores if the alteration needs them, and alters the first.
    private func alteredStore(_ alteration: Alteration, _ table: RecordTable) throws -> (MemoryStore, RowID) {
        let store = MemoryStore()
        let source = alteration == .otherStore ? MemoryStore() : store
        let otherTable: RecordTable =
            alteration == .otherTable ? (table == .outbox ? .pendingReceipts : .outbox) : table
        let recordStore = RecordStore(store: source, keys: TestKeys())
        var batch = RecordBatch()
        batch.put(table, name: [1], conversation: label, sequence: 3, plaintext: [1, 2, 3])
        batch.put(
            otherTable,
            name: [alteration == .otherTable ? 1 : 2],
            conversation: label,
            sequence: 3,
            plaintext: [4]
        )
        try recordStore.apply(batch)
        let id = recordStore.rowID(table, name: [1])
        let otherID = recordStore.rowID(otherTable, name: [alteration == .otherTable ? 1 : 2])
        let row = try #require(try source.row(table, id))
        let other = try #require(try source.row(otherTable, otherID))
        // The key of the messages moves with them, so that the message itself is refused.
        let keys = try source.rows(.keys, conversation: nil, before: nil, limit: 2)
        if alteration != .otherStore { try store.apply(keys.map { .put($0) }) }
        try store.apply([.put(alteration.applied(to: row, other: other))])
        return (store, id)
    }

    @Test(
        "A row that was changed, moved or swapped is refused by name",
        arguments: Alteration.allCases,
        [.outbox, .messages] as [RecordTable]
    )
    func altered(alteration: Alteration, table: RecordTable) throws {
        let (store, id) = try alteredStore(alteration, table)
        // A message of another store, or with the label of a conversation that has no key, has no key at all.
        let isKeyless = table == .messages && [.otherStore, .conversation].contains(alteration)
        let code: StoreError.Code = isKeyless ? .keyMissing : .tampered
        let recordStore = RecordStore(store: store, keys: TestKeys())
        let reads: [() throws -> Void] = [
            { _ = try recordStore.get(table, name: [1]) },
            { _ = try recordStore.get(table, id: id) },
            { _ = try recordStore.page(table, conversation: nil, limit: 9) },
            { _ = try recordStore.all(table) },
        ]
        for read in reads {
            let error = try #require(throws: StoreError.self) { try read() }
            #expect(error.code == code)
            #expect(error.table == table)
            #expect(error.rowID == id)
        }
    }

    @Test("A version at the end of its range is not counted on")
    func exhaustedVersion() throws {
        let (store, _) = try alteredStore(.highestVersion, .outbox)
        var batch = RecordBatch()
        batch.put(.outbox, name: [1], plaintext: [])
        #expect(throws: StoreError(.tampered)) { try RecordStore(store: store, keys: TestKeys()).apply(batch) }
    }

    @Test("Records written under other keys are refused")
    func otherKeys() throws {
        let store = MemoryStore()
        var batch = RecordBatch()
        batch.put(.settings, id: .test(1), plaintext: [1])
        try RecordStore(store: store, keys: TestKeys()).apply(batch)
        let other = RecordStore(store: store, keys: TestKeys(master: 1))
        #expect(throws: StoreError(.tampered)) { try other.get(.settings, id: .test(1)) }
    }

    @Test("A row set back to an older version is noticed by the book that read or wrote the newer one")
    func replayed() throws {
        let store = MemoryStore()
        let writer = RecordStore(store: store, keys: TestKeys())
        var batch = RecordBatch()
        batch.put(.sessions, id: .test(1), plaintext: [1])
        try writer.apply(batch)
        let old = try #require(try store.row(.sessions, .test(1)))
        try writer.apply(batch)
        let reader = RecordStore(store: store, keys: TestKeys())
        #expect(try reader.get(.sessions, id: .test(1))?.version == 2)
        try store.apply([.put(old)])
        for recordStore in [writer, reader] {
            #expect(throws: StoreError(.tampered)) { try recordStore.get(.sessions, id: .test(1)) }
            #expect(throws: StoreError(.tampered)) { try recordStore.all(.sessions) }
        }
    }

    @Test("A deleted row that was put back is noticed")
    func resurrected() throws {
        let store = MemoryStore()
        let recordStore = RecordStore(store: store, keys: TestKeys())
        var batch = RecordBatch()
        batch.put(.outbox, id: .test(1), plaintext: [1])
        try recordStore.apply(batch)
        let old = try #require(try store.row(.outbox, .test(1)))
        var deletion = RecordBatch()
        deletion.delete(.outbox, id: .test(1))
        try recordStore.apply(deletion)
        #expect(try recordStore.get(.outbox, id: .test(1)) == nil)
        try store.apply([.put(old)])
        #expect(throws: StoreError(.tampered)) { try recordStore.get(.outbox, id: .test(1)) }
    }

    @Test("A store that answers with rows from elsewhere is not believed")
    func misplacedAnswers() throws {
        let store = MemoryStore()
        let writer = RecordStore(store: store, keys: TestKeys())
        var batch = RecordBatch()
        for number in UInt64(1)...3 {
            batch.put(.outbox, id: .test(number), conversation: label, sequence: number, plaintext: [])
        }
        try writer.apply(batch)
        let rows = try store.rows(.outbox, conversation: nil, before: nil, limit: 3)
        func recordStore(_ answer: [Row]) -> RecordStore {
            RecordStore(store: AnsweringStore(databaseID: store.databaseID, answer: answer), keys: TestKeys())
        }
        #expect(try recordStore(rows).page(.outbox, conversation: label, limit: 3).count == 3)
        let pages: [() throws -> [Record]] = [
            { try recordStore(rows.reversed()).page(.outbox, conversation: label, limit: 3) },
            { try recordStore([rows[0], rows[0]]).page(.outbox, conversation: label, limit: 3) },
            { try recordStore(rows).page(.outbox, conversation: label, limit: 2) },
            { try recordStore(rows).page(.outbox, conversation: .test(99), limit: 3) },
            { try recordStore(rows).page(.pendingReceipts, conversation: label, limit: 3) },
            { try recordStore(rows).page(.outbox, conversation: label, before: RowPosition(sequence: 3), limit: 3) },
        ]
        for page in pages {
            #expect(throws: StoreError(.tampered)) { try page() }
        }
        #expect(throws: StoreError(.tampered)) { try recordStore(rows).get(.outbox, id: .test(1)) }
        #expect(throws: StoreError(.tampered)) { try recordStore(rows).get(.pendingReceipts, id: .test(3)) }
        #expect(try recordStore(rows).get(.outbox, id: .test(3))?.sequence == 3)
    }

    @Test("Of 20,000 records changed by chance none opens and none traps", arguments: [11, 12, 13, 14] as [UInt64])
    func mutated(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let store = MemoryStore()
        let recordStore = RecordStore(store: store, keys: TestKeys())
        var opened = 0
        for round in 0..<50 {
            var batch = RecordBatch()
            let length = Int.random(in: 0...150, using: &random)
            batch.put(.sessions, id: .test(UInt64(round)), plaintext: random.bytes(length))
            try recordStore.apply(batch)
            let row = try #require(try store.row(.sessions, .test(UInt64(round))))
            for _ in 0..<100 {
                var sealed = random.mutate(row.sealed)
                if sealed == row.sealed { sealed.append(0) }
                try store.apply([.put(row.with(sealed: sealed))])
                do throws(StoreError) {
                    _ = try recordStore.get(.sessions, id: row.id)
                    opened += 1
                } catch {
                    #expect(error == StoreError(.tampered))
                }
            }
        }
        #expect(opened == 0)
    }
}

extension TestRandom {
    /// Returns the bytes with flipped bits, cut, lengthened, or replaced.
    fileprivate mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
        var copy = bytes
        switch Int.random(in: 0..<6, using: &self) {
        case 0: return self.bytes(Int.random(in: 0...200, using: &self))
        case 1: return Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &self)))
        case 2: return bytes + self.bytes(Int.random(in: 1...64, using: &self))
        default:
            for _ in 0..<Int.random(in: 1...4, using: &self) {
                copy[Int.random(in: 0..<copy.count, using: &self)] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            }
            return copy
        }
    }
}
