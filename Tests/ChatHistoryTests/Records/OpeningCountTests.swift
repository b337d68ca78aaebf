import Testing

@testable import ChatHistory

@Suite("Messages counted at an opening")
struct OpeningCountTests {
    /// Makes a store whose integrity digests claim `count` messages of one conversation that has none.
    private func store(sayingMessages count: UInt64) throws -> MemoryStore {
        let store = MemoryStore()
        let writer = RecordStore(store: store, keys: TestKeys())
        let label = conversation("ours")
        let key = RowKey(table: .digests, id: writer.rowID(.digests, name: label.bytes))
        let bytes = bigEndian(count) + [UInt8](repeating: 0, count: 32)
        let row = writer.sealed(bytes, key, label, 0, 1, TestKeys().cipher(for: .digests))
        var digests = IntegrityDigests()
        digests.root = writer.mark(of: row)
        let head = writer.sealed(digests.head, writer.headKey, .zero, 0, 1, TestKeys().cipher(for: .digests))
        try store.apply([.put(row), .put(head)])
        return store
    }

    @Test("Up to the limit what is missing is told at once, beyond it when all is looked through")
    func openingCount() throws {
        let limit = HistoryLimits.openingCount
        for (count, isToldAtOnce) in [(limit, true), (limit + 1, false)] {
            let recordStore = RecordStore(store: try store(sayingMessages: count), keys: TestKeys())
            #expect(try recordStore.startWatching())
            #expect(recordStore.findings.contains { $0.kind == .rowsChanged } == isToldAtOnce)
            try recordStore.check()
            #expect(recordStore.findings.map(\.expected) == [count] && recordStore.findings.map(\.found) == [0])
        }
    }
}
