import ChatHistory
import Foundation
import Testing

/// Tests with a history on disk that loses parts below SQLite.
@Suite("Rows rescued of a damaged history")
struct RowSalvageTests {
    private static let pageByteCount = 4_096
    private let folder: TemporaryFolder
    private let labels = [conversation("ours"), conversation("theirs")]

    init() throws { folder = try TemporaryFolder() }

    /// Writes messages, every third of them longer than a page.
    private func write(_ range: ClosedRange<UInt64>, _ recordStore: RecordStore) throws {
        for number in range {
            let text = "text \(number) " + String(repeating: "x", count: number.isMultiple(of: 3) ? 9_000 : 30)
            try recordStore.apply(.message(text, in: labels[Int(number % 2)], number))
        }
    }

    private func open<Value>(_ body: (RecordStore, SQLiteStore) throws -> Value) throws -> Value {
        let store = try SQLiteStore(directory: folder.history)
        let recordStore = RecordStore(store: store, keys: TestKeys())
        if try !recordStore.startWatching(anchor: AnchorFile(directory: folder.history)) {
            try recordStore.takeOver(isMissing: false)
        }
        defer { try? store.close() }
        return try body(recordStore, store)
    }

    private func salvage(_ directory: String? = nil) throws -> SalvagedHistory? {
        let directory = directory ?? folder.history
        func bytes() throws -> [String: Data] {
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            return try Dictionary(
                uniqueKeysWithValues: names.map { name in
                    (name, try Data(contentsOf: URL(filePath: directory + "/" + name)))
                }
            )
        }
        let before = try bytes()
        let history = SalvagedHistory(try RowSalvage(directory: directory), keys: { _ in TestKeys() })
        #expect(try bytes() == before)
        return history
    }

    private func texts(_ history: SalvagedHistory) throws -> Set<String> {
        let recordStore = RecordStore(store: history.store, keys: TestKeys())
        return Set(try recordStore.all(.messages).map(\.text))
    }

    @Test("Of a whole history all rows are saved, and so are they without tree, header and the page of its id")
    func withoutTree() throws {
        try open { recordStore, _ in try write(1...120, recordStore) }
        let whole = try #require(try salvage())
        #expect(whole.tables[.messages]?.savedCount == 120 && whole.tables[.messages]?.expectedCount == 120)
        var file = try folder.read(folder.database)
        var damaged = 0
        for page in 0..<file.count / Self.pageByteCount {
            let start = page * Self.pageByteCount
            // The test erases the first page, the page of the id, all inner pages of trees and all leaves of indexes.
            let holdsID = file[start] == 0x0D && file[start + 3] == 0 && file[start + 4] == 1 && page < 3
            guard page == 0 || holdsID || [0x02, 0x05, 0x0A].contains(file[start]) else { continue }
            for index in start..<start + Self.pageByteCount { file[index] = 0 }
            damaged += 1
        }
        #expect(damaged > 4)
        try folder.write(file, to: folder.database)
        let history = try #require(try salvage())
        #expect(history.tables == whole.tables)
        #expect(try texts(history) == texts(whole) && texts(whole).count == 120)
        #expect(history.store.databaseID == whole.store.databaseID)
    }

    @Test("What is only in the log is saved, the newest of each row, and what was deleted is not")
    func log() throws {
        let copy = try TemporaryFolder()
        try open { recordStore, _ in
            try write(1...30, recordStore)
            try recordStore.apply(.message("anew", in: labels[1], 1))
            var batch = RecordBatch()
            batch.delete(.outbox, name: [1])
            batch.put(.outbox, name: [2], plaintext: [2])
            try recordStore.apply(batch)
            batch = RecordBatch()
            batch.delete(.outbox, name: [2])
            try recordStore.apply(batch)
            try FileManager.default.copyItem(atPath: folder.history, toPath: copy.history)
        }
        let log = copy.database + "-wal"
        let bytes = try copy.read(log)
        try #require(bytes.count > 20 * (Self.pageByteCount + 24))
        let history = try #require(try salvage(copy.history))
        #expect(history.tables[.messages]?.savedCount == 30 && history.tables[.outbox] == nil)
        let recordStore = RecordStore(store: history.store, keys: TestKeys())
        #expect(try recordStore.all(.messages).filter { $0.text == "anew" }.map(\.version) == [2])
        // A log with a damaged header or frame still yields rows.
        for place in [8, 20, 32 + 20, 32 + 24 + 100] {
            var damaged = bytes
            damaged[place] ^= 0xFF
            try copy.write(damaged, to: log)
            let history = try #require(try salvage(copy.history))
            #expect(history.tables[.messages]?.savedCount ?? 0 >= 20, "\(place)")
        }
    }

    @Test(
        "Pages that were made on purpose cost no more than others, and none traps",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func hostilePages(seed: UInt64) throws {
        try open { recordStore, _ in try write(1...12, recordStore) }
        var random = TestRandom(seed: seed)
        var file = try folder.read(folder.database)
        let whole = file.count / Self.pageByteCount
        for _ in 0..<40 {
            var page = random.bytes(Self.pageByteCount)
            page[0] = 0x0D
            // As many cells as fit: in random positions, in one position, or each with the longest possible chain.
            let kind = Int.random(in: 0..<3, using: &random)
            (page[3], page[4]) = (0x07, 0xFC)
            for index in 0..<2_044 where kind > 0 {
                let place = kind == 1 ? 4_000 : 100 + index
                (page[8 + 2 * index], page[9 + 2 * index]) = (UInt8(place >> 8), UInt8(place & 0xFF))
            }
            if kind == 1 {
                // A row of one mebibyte that continues in the same page.
                page.replaceSubrange(4_000..<4_004, with: [0xC0, 0x80, 0x00, 0x01])
            }
            file += page
        }
        try folder.write(file, to: folder.database)
        let history = try #require(try salvage())
        #expect(history.tables[.messages]?.savedCount == 12, "\(whole)")
    }

    @Test("Nothing opens under other keys, and of what is no database nothing is read")
    func nothing() throws {
        try open { recordStore, _ in try write(1...3, recordStore) }
        let salvage = try RowSalvage(directory: folder.history)
        #expect(SalvagedHistory(salvage, keys: { _ in TestKeys(master: 9) }) == nil)
        for count in [0, 1, 4_095, 20_000] {
            try folder.write([UInt8](repeating: 0x0D, count: count), to: folder.database)
            #expect(SalvagedHistory(try RowSalvage(directory: folder.history), keys: { _ in TestKeys() }) == nil)
        }
        try FileManager.default.removeItem(atPath: folder.database)
        #expect(throws: StoreError(.cannotOpen)) { try RowSalvage(directory: folder.history) }
    }
}
