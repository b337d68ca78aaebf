import Testing

@testable import ChatHistory

@Suite("Sums of the conversations changed last")
struct RecentDigestsTests {
    private let store = MemoryStore()
    private let labels = (0..<HistoryLimits.recentDigestCount + 2).map { conversation("\($0)") }

    private func recordStore() throws -> RecordStore {
        let recordStore = RecordStore(store: store, keys: TestKeys())
        if try !recordStore.startWatching() { try recordStore.takeOver(isMissing: false) }
        return recordStore
    }

    @Test("Up to the limit they are in the head, and the one changed longest ago gets a row beyond it")
    func limit() throws {
        let recordStore = try recordStore()
        for label in labels.dropLast(2) { try recordStore.apply(.message("text", in: label, 1)) }
        #expect(try store.rows(.digests, conversation: nil, after: nil, limit: 9).count == 1)
        try recordStore.apply(.message("another", in: labels[0], 2))
        for label in labels.suffix(2) { try recordStore.apply(.message("text", in: label, 1)) }
        let rows = try store.rows(.digests, conversation: nil, after: nil, limit: 9)
        #expect(Set(rows.map(\.conversation)) == [.zero, labels[1], labels[2]])
        let again = try self.recordStore()
        try again.check()
        #expect(again.findings == [])
    }

    @Test("The head counts where a row of a conversation is older")
    func olderRow() throws {
        let recordStore = try recordStore()
        for label in labels { try recordStore.apply(.message("text", in: label, 1)) }
        try recordStore.apply(.message("another", in: labels[0], 2))
        try store.apply([.deleteConversation(.messages, labels[0])])
        let again = try self.recordStore()
        let finding = try #require(again.findings.first)
        #expect((finding.kind, finding.expected, finding.found) == (.rowsChanged, 2, 0))
        #expect(finding.conversation == labels[0] && again.findings.count == 1)
    }

    @Test("A conversation that has gone leaves neither row nor place in the head")
    func gone() throws {
        let recordStore = try recordStore()
        for label in labels { try recordStore.apply(.message("text", in: label, 1)) }
        for label in labels { try recordStore.deleteConversation(label) }
        #expect(try store.rows(.digests, conversation: nil, after: nil, limit: 9).count == 1)
        let again = try self.recordStore()
        #expect(again.digests?.conversationDigests.isEmpty == true && again.findings == [])
    }

    @Test("Bytes that no head has are refused")
    func refused() {
        var digest = RowDigest()
        digest.add(SIMD4(1, 2, 3, 4))
        var digests = RecentDigests()
        digests.set(digest, of: labels[0])
        var whole: [UInt8] = []
        digests.encode(into: &whole)
        func decoded(_ bytes: [UInt8]) -> RecentDigests? {
            var rest = bytes[...]
            let digests = RecentDigests(decoding: &rest)
            return rest.isEmpty ? digests : nil
        }
        let entry = Array(whole.dropFirst())
        #expect(decoded(whole) == digests)
        #expect(decoded([2] + entry + entry) == nil)
        #expect(decoded([1] + entry.prefix(16) + RowDigest().bytes) == nil)
        #expect(decoded(Array(whole.dropLast())) == nil && decoded([]) == nil)
        let many = labels.dropLast().flatMap { $0.bytes + digest.bytes }
        #expect(decoded([UInt8(HistoryLimits.recentDigestCount + 1)] + many) == nil)
        #expect(decoded([UInt8(HistoryLimits.recentDigestCount)] + many.dropLast(56)) != nil)
    }
}
