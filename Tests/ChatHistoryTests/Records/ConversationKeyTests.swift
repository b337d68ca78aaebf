import ChatHistory
import Testing

@Suite("Conversation keys")
struct ConversationKeyTests {
    private let store = MemoryStore()
    private let keys = TestKeys()

    private func recordStore() -> RecordStore {
        RecordStore(store: store, keys: keys)
    }

    private func keyID(_ label: RowID) -> RowID {
        keys.rowID(.keys, name: label.bytes)
    }

    @Test("A conversation's key is made once, with its first message")
    func madeOnce() throws {
        let label = conversation("ours")
        let recordStore = recordStore()
        try recordStore.apply(.message("1", in: label, 1))
        let row = try #require(try store.row(.keys, keyID(label)))
        try recordStore.apply(.message("2", in: label, 2))
        try self.recordStore().apply(.message("3", in: label, 3))
        #expect(try store.row(.keys, keyID(label)) == row)
        #expect(try store.count(.keys, conversation: nil) == 1)
        #expect(try self.recordStore().page(.messages, conversation: label, limit: 9).map(\.text) == ["3", "2", "1"])
    }

    @Test("Messages of one conversation do not open under the key of another")
    func separateKeys() throws {
        let first = conversation("first")
        let second = conversation("second")
        try recordStore().apply(.message("1", in: first, 1))
        try recordStore().apply(.message("2", in: second, 1))
        let firstKey = try #require(try store.row(.keys, keyID(first)))
        let secondKey = try #require(try store.row(.keys, keyID(second)))
        let kept = try #require(try recordStore().get(.keys, id: firstKey.id)).plaintext
        #expect(try recordStore().get(.keys, id: secondKey.id)?.plaintext != kept)
        try store.apply([.put(secondKey.with(sealed: firstKey.sealed))])
        #expect(throws: StoreError(.tampered)) { try recordStore().page(.messages, conversation: second, limit: 1) }
    }

    @Test("Deleting a conversation takes its rows in every table and leaves the others")
    func deletion() throws {
        let label = conversation("gone")
        let other = conversation("stays")
        let recordStore = recordStore()
        var batch = RecordBatch.message("1", in: label, 1)
        batch.put(.conversations, name: [1], conversation: label, plaintext: [1])
        batch.put(.outbox, name: [1], conversation: label, plaintext: [1])
        batch.put(.settings, name: [1], plaintext: [1])
        try recordStore.apply(batch)
        try recordStore.apply(.message("2", in: other, 1))
        try recordStore.deleteConversation(label)
        var counts: [RecordTable: Int] = [:]
        for table in RecordTable.allCases {
            counts[table] = try recordStore.count(table)
            #expect(try recordStore.count(table, conversation: label) == 0)
        }
        #expect(counts.filter { $0.value > 0 } == [.messages: 1, .keys: 1, .settings: 1])
        #expect(try recordStore.page(.messages, conversation: other, limit: 1).map(\.text) == ["2"])
    }

    @Test("A conversation begun again after its deletion has a new key")
    func begunAgain() throws {
        let label = conversation("again")
        let recordStore = recordStore()
        try recordStore.apply(.message("1", in: label, 1))
        let key = try #require(try recordStore.get(.keys, id: keyID(label)))
        let message = try #require(try store.rows(.messages, conversation: label, before: nil, limit: 1).first)
        try recordStore.deleteConversation(label)
        try recordStore.apply(.message("2", in: label, 2))
        let next = try #require(try recordStore.get(.keys, id: keyID(label)))
        #expect(next.plaintext != key.plaintext)
        #expect(next.version > key.version)
        try store.apply([.put(message)])
        #expect(throws: StoreError(.tampered)) { try recordStore.get(.messages, id: message.id) }
    }

    @Test("The key goes first and by itself; interrupted there, the conversation tells that its key is missing")
    func interruptedDeletion() throws {
        let label = conversation("half")
        let failing = FailingStore(base: store, applies: 1)
        try recordStore().apply(.message("1", in: label, 1))
        let interrupted = RecordStore(store: failing, keys: keys)
        #expect(throws: StoreError(.ioFailed)) { try interrupted.deleteConversation(label) }
        #expect(try store.count(.keys, conversation: nil) == 0)
        #expect(try store.count(.messages, conversation: nil) == 1)
        for recordStore in [interrupted, recordStore()] {
            #expect(throws: StoreError(.keyMissing)) { try recordStore.page(.messages, conversation: label, limit: 1) }
        }
        #expect(throws: StoreError(.keyMissing)) { try recordStore().apply(.message("2", in: label, 2)) }
        try recordStore().deleteConversation(label)
        try recordStore().apply(.message("2", in: label, 2))
        #expect(try recordStore().page(.messages, conversation: label, limit: 9).map(\.text) == ["2"])
    }

    @Test("A key whose batch the store refused is not used for later messages")
    func refusedKey() throws {
        let label = conversation("first")
        let failing = FailingStore(base: store, applies: 0)
        let recordStore = RecordStore(store: failing, keys: keys)
        #expect(throws: StoreError(.ioFailed)) { try recordStore.apply(.message("1", in: label, 1)) }
        failing.allow(1)
        try recordStore.apply(.message("2", in: label, 1))
        #expect(try self.recordStore().page(.messages, conversation: label, limit: 9).map(\.text) == ["2"])
    }

    @Test("More conversations than keys are kept open are still read")
    func manyConversations() throws {
        let recordStore = recordStore()
        let labels = (0..<HistoryLimits.openedKeyCount * 2 + 10).map { conversation("number \($0)") }
        for label in labels {
            try recordStore.apply(.message("hello", in: label, 1))
        }
        for label in labels + labels.reversed() {
            #expect(try recordStore.page(.messages, conversation: label, limit: 2).map(\.text) == ["hello"])
        }
    }
}
