import Testing

@testable import ChatHistory

@Suite("Sums of the conversations changed last")
struct RecentSumsTests {
    private let store = MemoryStore()
    private let labels = (0..<HistoryLimits.recentSumCount + 2).map { conversation("\($0)") }

    private func book() throws -> RecordBook {
        let book = RecordBook(store: store, keys: TestKeys())
        if try !book.startWatching() { try book.takeOver(isMissing: false) }
        return book
    }

    @Test("Up to the limit they are in the head, and the one changed longest ago gets a row beyond it")
    func limit() throws {
        let book = try book()
        for label in labels.dropLast(2) { try book.apply(.message("text", in: label, 1)) }
        #expect(try store.rows(.sums, conversation: nil, after: nil, limit: 9).count == 1)
        try book.apply(.message("another", in: labels[0], 2))
        for label in labels.suffix(2) { try book.apply(.message("text", in: label, 1)) }
        let rows = try store.rows(.sums, conversation: nil, after: nil, limit: 9)
        #expect(Set(rows.map(\.conversation)) == [.zero, labels[1], labels[2]])
        let again = try self.book()
        try again.check()
        #expect(again.findings == [])
    }

    @Test("The head counts where a row of a conversation is older")
    func olderRow() throws {
        let book = try book()
        for label in labels { try book.apply(.message("text", in: label, 1)) }
        try book.apply(.message("another", in: labels[0], 2))
        try store.apply([.deleteConversation(.messages, labels[0])])
        let again = try self.book()
        let finding = try #require(again.findings.first)
        #expect((finding.kind, finding.expected, finding.found) == (.rowsChanged, 2, 0))
        #expect(finding.conversation == labels[0] && again.findings.count == 1)
    }

    @Test("A conversation that has gone leaves neither row nor place in the head")
    func gone() throws {
        let book = try book()
        for label in labels { try book.apply(.message("text", in: label, 1)) }
        for label in labels { try book.deleteConversation(label) }
        #expect(try store.rows(.sums, conversation: nil, after: nil, limit: 9).count == 1)
        let again = try self.book()
        #expect(again.ledger?.conversationSums.isEmpty == true && again.findings == [])
    }

    @Test("Bytes that no head has are refused")
    func refused() {
        var sum = RowSum()
        sum.add(SIMD4(1, 2, 3, 4))
        var sums = RecentSums()
        sums.set(sum, of: labels[0])
        var whole: [UInt8] = []
        sums.encode(into: &whole)
        func decoded(_ bytes: [UInt8]) -> RecentSums? {
            var rest = bytes[...]
            let sums = RecentSums(decoding: &rest)
            return rest.isEmpty ? sums : nil
        }
        let entry = Array(whole.dropFirst())
        #expect(decoded(whole) == sums)
        #expect(decoded([2] + entry + entry) == nil)
        #expect(decoded([1] + entry.prefix(16) + RowSum().bytes) == nil)
        #expect(decoded(Array(whole.dropLast())) == nil && decoded([]) == nil)
        let many = labels.dropLast().flatMap { $0.bytes + sum.bytes }
        #expect(decoded([UInt8(HistoryLimits.recentSumCount + 1)] + many) == nil)
        #expect(decoded([UInt8(HistoryLimits.recentSumCount)] + many.dropLast(56)) != nil)
    }
}
