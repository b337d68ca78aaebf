import ChatHistory
import Foundation
import Testing

/// Tests of unusable history files; every refusal leaves every byte of the folder as it was.
@Suite("Unusable history file")
struct UnusableFileTests {
    private static let applicationIDOffset = 68
    private static let userVersionOffset = 60

    private func makeHistory(_ folder: TemporaryFolder, rowCount: UInt64 = 20) throws {
        let store = try SQLiteStore(directory: folder.history)
        try store.apply((1...rowCount).map { .put(.test($0)) })
        try store.close()
    }

    private func expectRefusal(_ code: StoreError.Code, _ folder: TemporaryFolder) throws {
        let before = try folder.files()
        #expect(throws: StoreError(code)) { try SQLiteStore(directory: folder.history) }
        #expect(try folder.files() == before)
    }

    @Test("A history of a newer version is refused")
    func newerVersion() throws {
        let folder = try TemporaryFolder()
        try makeHistory(folder)
        try folder.patch(at: Self.userVersionOffset, [0, 0, 0, 2])
        try expectRefusal(.newerVersion, folder)
    }

    @Test(
        "A database of another program is refused",
        arguments: [[0, 0, 0, 0], [0x47, 0x50, 0x4B, 0x47]] as [[UInt8]]
    )
    func foreignDatabase(applicationID: [UInt8]) throws {
        let folder = try TemporaryFolder()
        try makeHistory(folder)
        try folder.patch(at: Self.applicationIDOffset, applicationID)
        try expectRefusal(.foreignDatabase, folder)
    }

    @Test("A database of another program keeps its unfinished log")
    func foreignLog() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(directory: folder.history)
        try store.apply([.put(.test(1))])
        let copy = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: copy.history, withIntermediateDirectories: false)
        for (name, bytes) in try folder.files() {
            try copy.write(bytes, to: copy.history + "/" + name)
        }
        try copy.patch(at: Self.applicationIDOffset, [1, 2, 3, 4])
        #expect(try copy.files().keys.sorted() == ["history.lock", "history.sqlite", "history.sqlite-wal"])
        try expectRefusal(.foreignDatabase, copy)
    }

    @Test(
        "A log that a stop left under its second name is taken up, and of two names one goes",
        arguments: [false, true]
    )
    func keptLog(hasBoth: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(directory: folder.history)
        try store.apply([.put(.test(1))])
        let copy = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: copy.history, withIntermediateDirectories: false)
        for (name, bytes) in try folder.files() where name != "history.sqlite-wal" || hasBoth {
            try copy.write(bytes, to: copy.history + "/" + name)
        }
        let log = try #require(try folder.files()["history.sqlite-wal"])
        try copy.write(log, to: copy.history + "/history.sqlite-wal.kept")
        let opened = try SQLiteStore(directory: copy.history)
        #expect(try opened.count(.messages, conversation: nil) == 1)
        try opened.close()
        #expect(try copy.files()["history.sqlite-wal.kept"] == nil)
    }

    static let marks: [(Int, StoreError.Code)] = [
        (userVersionOffset, .newerVersion), (applicationIDOffset, .foreignDatabase),
    ]

    @Test("Marks are looked at also when a journal lies beside the file", arguments: marks)
    func besideJournal(offset: Int, code: StoreError.Code) throws {
        let folder = try TemporaryFolder()
        try makeHistory(folder)
        try folder.patch(at: offset, [9, 9, 9, 9])
        try folder.write([], to: folder.database + "-journal")
        let before = try folder.read(folder.database)
        #expect(throws: StoreError(code)) { try SQLiteStore(directory: folder.history) }
        #expect(try folder.read(folder.database) == before)
    }

    @Test("A file that is no database is refused", arguments: [1, 99, 100, 5_000])
    func notDatabase(byteCount: Int) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.history, withIntermediateDirectories: false)
        try folder.write([], to: folder.history + "/history.lock")
        try folder.write(Array("Dear diary, ".utf8) + [UInt8](repeating: 0x20, count: byteCount), to: folder.database)
        try expectRefusal(.notDatabase, folder)
    }

    @Test("A file cut short in its header is refused")
    func cutHeader() throws {
        let folder = try TemporaryFolder()
        try makeHistory(folder)
        try folder.write(Array(try folder.read(folder.database).prefix(60)), to: folder.database)
        try expectRefusal(.notDatabase, folder)
    }

    @Test("A folder whose place is missing, or where a file stands, cannot be opened")
    func cannotOpen() throws {
        let folder = try TemporaryFolder()
        #expect(throws: StoreError(.cannotOpen)) { try SQLiteStore(directory: folder.path + "/no/history") }
        try folder.write([1], to: folder.history)
        #expect(throws: StoreError(.cannotOpen)) { try SQLiteStore(directory: folder.history) }
    }

    @Test("A folder in the place of the database cannot be opened")
    func folderAsDatabase() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.database, withIntermediateDirectories: true)
        #expect(throws: StoreError(.cannotOpen)) { try SQLiteStore(directory: folder.history) }
    }

    @Test("A first start that was interrupted before anything was written is taken up")
    func interruptedStart() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.history, withIntermediateDirectories: false)
        try folder.write([], to: folder.database)
        try folder.write([], to: folder.database + "-journal")
        try makeHistory(folder)
        #expect(try SQLiteStore(directory: folder.history).count(.messages, conversation: nil) == 20)
    }

    @Test("A history without one of its tables or indexes is corrupt")
    func schemaChanged() throws {
        let folder = try TemporaryFolder()
        try makeHistory(folder)
        // The index changes both in its name and in its SQL text, so that SQLite itself detects no error.
        var file = Data(try folder.read(folder.database))
        while let name = file.range(of: Data("record_name".utf8)) {
            file.replaceSubrange(name, with: Data("record_nome".utf8))
        }
        try folder.write(Array(file), to: folder.database)
        try expectRefusal(.corrupt, folder)
    }

    @Test(
        "Damaged pages give the error corrupt or rows that will not open, never a trap",
        arguments: 1...40 as ClosedRange<UInt64>
    )
    func damagedPages(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        try makeHistory(folder, rowCount: 300)
        var file = try folder.read(folder.database)
        var random = TestRandom(seed: seed)
        let page = 4_096 * Int.random(in: 1..<file.count / 4_096, using: &random)
        for _ in 0..<Int.random(in: 1...400, using: &random) {
            file[page + Int.random(in: 0..<4_096, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
        }
        try folder.write(file, to: folder.database)
        #expect(throws: Never.self) { try self.useDamaged(folder) }
    }

    /// Reads and writes the whole history; any step may report that the history is corrupt.
    private func useDamaged(_ folder: TemporaryFolder) throws {
        func attempt(_ body: () throws -> Void) throws {
            do {
                try body()
            } catch let error as StoreError where error.code == .corrupt {}
        }
        try attempt {
            let store = try SQLiteStore(directory: folder.history)
            for number in UInt64(1)...300 {
                try attempt { _ = try store.row(.messages, .test(number)) }
            }
            try attempt { _ = try store.rows(.messages, conversation: .test(7), before: nil, limit: 1_000) }
            try attempt { _ = try store.rows(.messages, conversation: nil, before: nil, limit: 1_000) }
            try attempt { _ = try store.highestSequence(.messages, conversation: .test(7)) }
            try attempt { _ = try store.count(.messages, conversation: nil) }
            try attempt { try store.apply((290...310).map { .put(.test($0)) }) }
            try attempt { try store.apply([.deleteConversation(.messages, .test(7))]) }
            try attempt { try store.close() }
        }
    }
}
