import ChatHistory
import Testing

/// Tests that search the files of a store for the written plaintext; the tests of ChatCrypto cover the seal itself.
@Suite("Confidentiality at rest")
struct ConfidentialityTests {
    private static let people = ["contact: ada.lovelace", "conversation: ada and bo"]
    private static let text = "meet me at the lighthouse"

    private func secrets() -> [[UInt8]] {
        (Self.people + [Self.text]).map { Array($0.utf8) }
    }

    private func write(_ recordStore: RecordStore) throws {
        var batch = RecordBatch()
        for table in RecordTable.allCases where table != .keys && table != .digests {
            for (number, name) in Self.people.enumerated() {
                batch.put(
                    table,
                    name: Array(name.utf8),
                    conversation: conversation(Self.people[1]),
                    sequence: UInt64(number),
                    plaintext: Array("\(table): \(name): \(Self.text)".utf8)
                )
            }
        }
        try recordStore.apply(batch)
    }

    @Test("No plaintext and no name is in any file, whether the store is open, emptied or closed")
    func files() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(directory: folder.history)
        let recordStore = RecordStore(store: store, keys: TestKeys())
        try write(recordStore)
        try write(recordStore)
        let row = try #require(try store.rows(.contacts, conversation: nil, before: nil, limit: 1).first)
        var moments: [[String: [UInt8]]] = [try folder.files()]
        #expect(
            names(of: moments[0], containing: row.sealed) == ["history.sqlite-wal"],
            "the search finds what is there"
        )
        #expect(try recordStore.get(.contacts, id: row.id)?.text.hasSuffix(Self.text) == true)
        try recordStore.deleteConversation(conversation("another"))
        moments.append(try folder.files())
        try store.close()
        moments.append(try folder.files())
        #expect(names(of: moments[2], containing: row.sealed) == ["history.sqlite"])
        for files in moments {
            for secret in secrets() {
                #expect(names(of: files, containing: secret) == [])
            }
        }
    }

    @Test("The key of a deleted conversation and its messages are in no file")
    func deletedConversation() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(directory: folder.history)
        let recordStore = RecordStore(store: store, keys: TestKeys())
        let label = conversation("gone")
        for number in UInt64(1)...20 {
            try recordStore.apply(.message(Self.text, in: label, number))
        }
        let rows =
            try store.rows(.messages, conversation: label, before: nil, limit: 100)
            + store.rows(.keys, conversation: label, before: nil, limit: 100)
        #expect(rows.count == 21)
        try recordStore.deleteConversation(label)
        let files = try folder.files()
        for row in rows {
            #expect(names(of: files, containing: Array(row.sealed.prefix(24))) == [])
            #expect(names(of: files, containing: row.id.bytes) == [])
        }
        try store.close()
    }
}
