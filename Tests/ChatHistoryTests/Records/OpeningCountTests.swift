import Testing

@testable import ChatHistory

@Suite("Messages counted at an opening")
struct OpeningCountTests {
    /// Makes a store whose integrity digests claim `count` messages of one conversation that has none.
    private func store(sayingMessages count: UInt64) throws -> MemoryStore {
        let store = MemoryStore()
        let writer = RecordBook(store: store, keys: TestKeys())
        let label = conversation("ours")
        let key = RowKey(table: .sums, id: writer.rowID(.sums, name: label.bytes))
        let bytes = bigEndian(count) + [UInt8](repeating: 0, count: 32)
        let row = writer.sealed(bytes, key, label, 0, 1, TestKeys().cipher(for: .sums))
        var ledger = SumLedger()
        ledger.root = writer.mark(of: row)
        let head = writer.sealed(ledger.head, writer.headKey, .zero, 0, 1, TestKeys().cipher(for: .sums))
        try store.apply([.put(row), .put(head)])
        return store
    }

    @Test("Up to the limit what is missing is told at once, beyond it when all is looked through")
    func openingCount() throws {
        let limit = HistoryLimits.openingCount
        for (count, isToldAtOnce) in [(limit, true), (limit + 1, false)] {
            let book = RecordBook(store: try store(sayingMessages: count), keys: TestKeys())
            #expect(try book.startWatching())
            #expect(book.findings.contains { $0.kind == .rowsChanged } == isToldAtOnce)
            try book.check()
            #expect(book.findings.map(\.expected) == [count] && book.findings.map(\.found) == [0])
        }
    }
}
