import ChatHistory
import Testing

@Suite("Conversation keys")
struct ConversationKeyTests {
    private let store = MemoryStore()
    private let keys = TestKeys()

    private func book() -> RecordBook {
        RecordBook(store: store, keys: keys)
    }

    private func keyID(_ label: RowID) -> RowID {
        keys.rowID(.keys, name: label.bytes)
    }

    @Test("A conversation's key is made once, with its first message")
    func madeOnce() throws {
        let label = conversation("ours")
        let book = book()
        try book.apply(.message("1", in: label, 1))
        let row = try #require(try store.row(.keys, keyID(label)))
        try book.apply(.message("2", in: label, 2))
        try self.book().apply(.message("3", in: label, 3))
        #expect(try store.row(.keys, keyID(label)) == row)
        #expect(try store.count(.keys, conversation: nil) == 1)
        #expect(try self.book().page(.messages, conversation: label, limit: 9).map(\.text) == ["3", "2", "1"])
    }

    @Test("Messages of one conversation do not open under the key of another")
    func separateKeys() throws {
        let first = conversation("first")
        let second = conversation("second")
        try book().apply(.message("1", in: first, 1))
        try book().apply(.message("2", in: second, 1))
        let firstKey = try #require(try store.row(.keys, keyID(first)))
        let secondKey = try #require(try store.row(.keys, keyID(second)))
        let kept = try #require(try book().get(.keys, id: firstKey.id)).plaintext
        #expect(try book().get(.keys, id: secondKey.id)?.plaintext != kept)
        try store.apply([.put(secondKey.with(sealed: firstKey.sealed))])
        #expect(throws: StoreError(.tampered)) { try book().page(.messages, conversation: second, limit: 1) }
    }

    @Test("Deleting a conversation takes its rows in every table and leaves the others")
    func deletion() throws {
        let label = conversation("gone")
        let other = conversation("stays")
        let book = book()
        var batch = RecordBatch.message("1", in: label, 1)
        batch.put(.conversations, name: [1], conversation: label, plaintext: [1])
        batch.put(.outbox, name: [1], conversation: label, plaintext: [1])
        batch.put(.settings, name: [1], plaintext: [1])
        try book.apply(batch)
        try book.apply(.message("2", in: other, 1))
        try book.deleteConversation(label)
        var counts: [RecordTable: Int] = [:]
        for table in RecordTable.allCases {
            counts[table] = try book.count(table)
            #expect(try book.count(table, conversation: label) == 0)
        }
        #expect(counts.filter { $0.value > 0 } == [.messages: 1, .keys: 1, .settings: 1])
        #expect(try book.page(.messages, conversation: other, limit: 1).map(\.text) == ["2"])
    }

    @Test("A conversation begun again after its deletion has a new key")
    func begunAgain() throws {
        let label = conversation("again")
        let book = book()
        try book.apply(.message("1", in: label, 1))
        let key = try #require(try book.get(.keys, id: keyID(label)))
        let message = try #require(try store.rows(.messages, conversation: label, before: nil, limit: 1).first)
        try book.deleteConversation(label)
        try book.apply(.message("2", in: label, 2))
        let next = try #require(try book.get(.keys, id: keyID(label)))
        #expect(next.plaintext != key.plaintext)
        #expect(next.version > key.version)
        try store.apply([.put(message)])
        #expect(throws: StoreError(.tampered)) { try book.get(.messages, id: message.id) }
    }

    @Test("The key goes first and by itself; interrupted there, the conversation tells that its key is missing")
    func interruptedDeletion() throws {
        let label = conversation("half")
        let failing = FailingStore(base: store, applies: 1)
        try book().apply(.message("1", in: label, 1))
        let interrupted = RecordBook(store: failing, keys: keys)
        #expect(throws: StoreError(.ioFailed)) { try interrupted.deleteConversation(label) }
        #expect(try store.count(.keys, conversation: nil) == 0)
        #expect(try store.count(.messages, conversation: nil) == 1)
        for book in [interrupted, book()] {
            #expect(throws: StoreError(.keyMissing)) { try book.page(.messages, conversation: label, limit: 1) }
        }
        #expect(throws: StoreError(.keyMissing)) { try book().apply(.message("2", in: label, 2)) }
        try book().deleteConversation(label)
        try book().apply(.message("2", in: label, 2))
        #expect(try book().page(.messages, conversation: label, limit: 9).map(\.text) == ["2"])
    }

    @Test("A key whose batch the store refused is not used for later messages")
    func refusedKey() throws {
        let label = conversation("first")
        let failing = FailingStore(base: store, applies: 0)
        let book = RecordBook(store: failing, keys: keys)
        #expect(throws: StoreError(.ioFailed)) { try book.apply(.message("1", in: label, 1)) }
        failing.allow(1)
        try book.apply(.message("2", in: label, 1))
        #expect(try self.book().page(.messages, conversation: label, limit: 9).map(\.text) == ["2"])
    }

    @Test("More conversations than keys are kept open are still read")
    func manyConversations() throws {
        let book = book()
        let labels = (0..<HistoryLimits.openedKeyCount * 2 + 10).map { conversation("number \($0)") }
        for label in labels {
            try book.apply(.message("hello", in: label, 1))
        }
        for label in labels + labels.reversed() {
            #expect(try book.page(.messages, conversation: label, limit: 2).map(\.text) == ["hello"])
        }
    }
}
