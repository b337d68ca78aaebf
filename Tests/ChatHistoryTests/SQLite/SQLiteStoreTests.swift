import ChatHistory
import Foundation
import Testing

@Suite("SQLite store")
struct SQLiteStoreTests {
    @Test("Every file of the store is for its owner alone")
    func fileModes() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(directory: folder.history)
        try store.apply([.put(.test(1))])
        var modes: [String: Int] = [:]
        for name in try folder.files().keys {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.history + "/" + name)
            modes[name] = (attributes[.posixPermissions] as? NSNumber)?.intValue
        }
        #expect(modes == ["history.lock": 0o600, "history.sqlite": 0o600, "history.sqlite-wal": 0o600])
        try store.close()
    }

    @Test("A database that others may read is closed to them when opened")
    func tightenedMode() throws {
        let folder = try TemporaryFolder()
        try SQLiteStore(directory: folder.history).close()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.database)
        try SQLiteStore(directory: folder.history).close()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.database)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("Two stores have two ids")
    func databaseIDs() throws {
        let first = try TemporaryFolder()
        let second = try TemporaryFolder()
        let ids = try [first, second].map { try SQLiteStore(directory: $0.history).databaseID }
        #expect(ids[0] != ids[1])
    }

    @Test("Closing leaves one database file and no log")
    func closedFiles() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(directory: folder.history)
        try store.apply([.put(.test(1))])
        try store.close()
        #expect(try folder.files().keys.sorted() == ["history.lock", "history.sqlite"])
    }

    @Test("A second store in the folder is refused while the first is open, and leaves it alone")
    func inUse() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(directory: folder.history)
        for _ in 0..<2 {
            #expect(throws: StoreError(.inUse)) { try SQLiteStore(directory: folder.history) }
        }
        try store.apply([.put(.test(1))])
        try store.close()
        let next = try SQLiteStore(directory: folder.history)
        #expect(try next.row(.messages, .test(1)) == .test(1))
    }

    @Test("Another process is refused too, also after this one tried a second time")
    func inUseElsewhere() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(directory: folder.history)
        #expect(throws: StoreError(.inUse)) { try SQLiteStore(directory: folder.history) }
        await #expect(processExitsWith: .success) { [path = folder.history as String] in
            #expect(throws: StoreError(.inUse)) { try SQLiteStore(directory: path) }
        }
        try store.close()
    }

    @Test("A store that is let go without closing gives the folder free and has kept everything")
    func letGo() throws {
        let folder = try TemporaryFolder()
        try SQLiteStore(directory: folder.history).apply([.put(.test(1))])
        let next = try SQLiteStore(directory: folder.history)
        #expect(try next.row(.messages, .test(1)) == .test(1))
    }

    static let erasures: [(StoreChange, gone: [UInt64])] = [
        (.deleteConversation(.messages, .test(7)), gone: [1, 2, 3]),
        (.delete(.messages, .test(2)), gone: [2]),
    ]

    @Test("What is erased is in no file afterwards", arguments: erasures)
    func erasure(change: StoreChange, gone: [UInt64]) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(directory: folder.history)
        var random = TestRandom(seed: 5)
        // The second row is longer than a page, so its deletion frees whole pages.
        let rows = [1, 2, 3].map { Row.test($0, sealed: random.bytes($0 == 2 ? 20_000 : 400)) }
        try store.apply(rows.map { .put($0) })
        let pieces = rows.flatMap { row in [row.sealed.prefix(16), row.sealed.suffix(16)].map { ($0, row.sequence) } }
        for (piece, _) in pieces {
            #expect(names(of: try folder.files(), containing: Array(piece)) == ["history.sqlite-wal"])
        }
        try store.apply([change])
        for (piece, number) in pieces {
            let left = names(of: try folder.files(), containing: Array(piece))
            #expect(left == (gone.contains(number) ? [] : ["history.sqlite"]))
        }
    }

    @Test("Changes from many tasks are all kept")
    func manyTasks() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(directory: folder.history)
        try await withThrowingTaskGroup { group in
            for task in UInt64(0)..<8 {
                group.addTask {
                    for number in 0..<25 {
                        try store.apply([.put(.test(task * 100 + UInt64(number)))])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.count(.messages, conversation: nil) == 200)
    }
}
