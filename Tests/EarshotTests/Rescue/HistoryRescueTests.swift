import ChatCrypto
import ChatHistory
import Earshot
import Foundation
import Testing

@testable import ChatCore

/// Data directories that lack certain parts.
@Suite("Rescue of a home", .timeLimit(.minutes(30)))
struct HistoryRescueTests {
    private let scene: FileScene

    init() throws { scene = try FileScene() }

    /// Changes rows of a data directory without using any key.
    private func change(_ home: TestHome, _ body: (SQLiteStore) throws -> [StoreChange]) throws {
        let store = try SQLiteStore(directory: home.directory.path)
        try store.apply(try body(store))
        try store.close()
    }

    private func rows(_ store: SQLiteStore, _ table: RecordTable) throws -> [Row] {
        try store.rows(table, conversation: nil, after: nil, limit: 1_000)
    }

    /// Saves everything that opens and imports it into a new data directory.
    ///
    /// Returns the texts and files that exist there.
    private func rescued(_ home: TestHome, _ known: DamagedHome, name: String) async throws -> Set<String> {
        let place = scene.folder.appending(path: name)
        let before = try home.files()
        let rescue = try HistoryRescue(home: home.directory)
        try await rescue.export(to: place)
        let page = scene.folder.appending(path: name + ".html")
        try await rescue.export(to: page, ExportOptions(.html))
        #expect(try home.files() == before)
        let node = try await ChatNode.create(name: "New")
        let report = try await node.history.importArchive(from: place)
        #expect(report.brokenCount == 0, "\(report.broken)")
        #expect(report.fileCount == 1)
        var texts: Set<String> = []
        for conversation in Set(known.messages.values.map(\.conversation)) {
            let messages = try await node.conversation(conversation).history(limit: 1_000)
            texts.formUnion(messages.map(\.text))
            for message in messages where !message.files.isEmpty {
                #expect(try await scene.content(of: message.id, at: node) == known.fileBytes)
            }
        }
        await node.stop()
        let shown = try String(contentsOf: page, encoding: .utf8)
        #expect(shown.contains("leaf 1 ") && shown.contains("oak 2"))
        return texts
    }

    @Test(
        "Whatever table is lost but that of messages and their keys, all messages and files are saved",
        arguments: [
            .identity, .contacts, .bundles, .sessions, .outbox, .conversations, .settings, .groups, .digests,
            .conversationSettings,
        ] as [RecordTable]
    )
    func lostTable(table: RecordTable) async throws {
        let known = try await TestHome.talkative(isOpen: false, texts: 4)
        let home = try TestHome(copying: known.files)
        try change(home) { store in try rows(store, table).map { .delete(table, $0.id) } }
        #expect(try await rescued(home, known, name: "\(table)") == Set(known.messages.values.map(\.text)))
    }

    @Test("A home that a changed record keeps shut says that there is a rescue, and the rescue has all messages")
    func tampered() async throws {
        let known = try await TestHome.talkative(isOpen: false, texts: 4)
        let home = try TestHome(copying: known.files)
        try change(home) { store in
            try rows(store, .contacts).map { row in
                var sealed = row.sealed
                sealed[20] ^= 1
                return .put(
                    Row(
                        table: row.table,
                        id: row.id,
                        conversation: row.conversation,
                        sequence: row.sequence,
                        version: row.version,
                        sealed: sealed
                    )
                )
            }
        }
        let before = try home.files()
        let error = try #require(try await home.refusal())
        #expect(error.code == .homeCorrupt && error.reason.contains("history export --rescue"), "\(error)")
        for (name, bytes) in before where name != "lock" { #expect(try home.files()[name] == bytes, "\(name)") }
        let report = try HistoryRescue(home: home.directory).report
        #expect(report.tables.first { $0.name == "contacts" }?.count.damagedCount == 1)
        #expect(report.tables.first { $0.name == "messages" }?.count.missingCount == 0)
        #expect(try await rescued(home, known, name: "tampered") == Set(known.messages.values.map(\.text)))
    }

    @Test("Messages whose key is gone, or that were removed, are counted by conversation")
    func counts() async throws {
        let known = try await TestHome.talkative(isOpen: false, texts: 4)
        let home = try TestHome(copying: known.files)
        var lost: (conversation: RowID, count: Int)?
        try change(home) { store in
            let keys = try rows(store, .keys)
            let count = try store.count(.messages, conversation: keys[0].conversation)
            lost = (keys[0].conversation, count)
            let other = try store.rows(.messages, conversation: keys[1].conversation, after: nil, limit: 1)
            return [.delete(.keys, keys[0].id), .delete(.messages, other[0].id)]
        }
        let report = try HistoryRescue(home: home.directory).report
        let count = try #require(lost?.count)
        #expect(report.conversations.map(\.count.damagedCount).sorted() == [0, count])
        #expect(
            report.conversations.map(\.count.missingCount) == [1, 0]
                || report.conversations.map(\.count.missingCount) == [0, 1]
        )
        #expect(report.conversations.allSatisfy { $0.id != nil })
        #expect(report.total.missingCount == 2 && report.total.damagedCount == count)
    }

    @Test("A home that a node has open, that has a passphrase, that is erased or is none, is refused for that")
    func refusals() async throws {
        func code(_ home: TestHome, _ passphrase: String? = nil) -> ChatError.Code? {
            do throws(ChatError) {
                _ = try HistoryRescue(home: home.directory, key: Home.Key(passphrase: passphrase))
                return nil
            } catch {
                return error.code
            }
        }
        let home = try TestHome()
        #expect(code(home) == .noIdentity)
        try await home.open(name: "Alice", passphrase: "horse") { _ in #expect(code(home) == .homeInUse) }
        #expect(code(home) == .locked)
        #expect(code(home, "cow") == .locked)
        #expect(code(home, "horse") == nil)
        let other = try TestHome()
        try await other.open(name: "Bob") { _ in }
        try FileManager.default.removeItem(at: other.file("history.sqlite"))
        #expect(code(other) == .homeUnusable)
        try FileManager.default.copyItem(at: home.file("history.sqlite"), to: other.file("history.sqlite"))
        #expect(code(other) == .homeCorrupt)
        try Data().write(to: home.file("erasing"))
        #expect(code(home, "horse") == .erasing)
    }
}
