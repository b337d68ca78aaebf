import Foundation

/// A database of a SQLite library that is loaded at run time: the system's own, or SQLCipher's with a key.
///
/// Its rows have the columns and the settings of Earshot's rows, but their content is not sealed. The library is
/// loaded at run time, since two SQLites cannot be linked into one program.
final class PlainDatabase {
    private typealias Handle = OpaquePointer
    private typealias Open = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Handle?>) -> Int32
    private typealias Execute =
        @convention(c) (Handle, UnsafePointer<CChar>, OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Int32
    private typealias Prepare =
        @convention(c) (Handle, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<Handle?>, OpaquePointer?) -> Int32
    private typealias BindInteger = @convention(c) (Handle, Int32, Int64) -> Int32
    private typealias BindBytes = @convention(c) (Handle, Int32, UnsafeRawPointer?, Int32, Int) -> Int32
    private typealias OfStatement = @convention(c) (Handle) -> Int32

    private static let done: Int32 = 101
    /// The loading flags. A library's calls to itself stay in the library, although another SQLite is in the program.
    #if canImport(Glibc)
        private static let loading = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND
    #else
        private static let loading = RTLD_NOW | RTLD_LOCAL
    #endif
    /// The constant that tells SQLite to copy bound values (SQLITE_TRANSIENT).
    private static let copying = -1

    private let database: Handle
    private let insertion: Handle
    private let bindInteger: BindInteger
    private let bindBytes: BindBytes
    private let step: OfStatement
    private let reset: OfStatement
    private let finish: OfStatement
    private let closeDatabase: OfStatement

    /// Creates a database in a file.
    ///
    /// With a key, only SQLCipher's library encrypts it.
    init(library: String, file: String, key: String? = nil) throws {
        guard let loaded = dlopen(library, Self.loading) else {
            throw BenchFailure("\(library) cannot be loaded: install its package")
        }
        func symbol<Function>(_ name: String, as type: Function.Type) throws -> Function {
            guard let address = dlsym(loaded, "sqlite3_" + name) else {
                throw BenchFailure("\(library) has no sqlite3_\(name)")
            }
            return unsafeBitCast(address, to: type)
        }
        var handle: Handle?
        guard try symbol("open", as: Open.self)(file, &handle) == 0, let handle else {
            throw BenchFailure("\(file) cannot be made")
        }
        let execute = try symbol("exec", as: Execute.self)
        let settings = (key.map { ["PRAGMA key = '\($0)'"] } ?? []) + Self.settings
        for statement in settings where execute(handle, statement, nil, nil, nil) != 0 {
            throw BenchFailure("\(library) does not take: \(statement)")
        }
        var prepared: Handle?
        let sql = "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?)"
        guard try symbol("prepare_v2", as: Prepare.self)(handle, sql, -1, &prepared, nil) == 0, let prepared else {
            throw BenchFailure("\(library) does not take: \(sql)")
        }
        database = handle
        insertion = prepared
        bindInteger = try symbol("bind_int64", as: BindInteger.self)
        bindBytes = try symbol("bind_blob", as: BindBytes.self)
        step = try symbol("step", as: OfStatement.self)
        reset = try symbol("reset", as: OfStatement.self)
        finish = try symbol("finalize", as: OfStatement.self)
        closeDatabase = try symbol("close", as: OfStatement.self)
    }

    /// The settings of `Schema` in ChatHistory.
    private static let settings = [
        """
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
        PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_mode = WAL;
        """,
        """
        CREATE TABLE record (kind INTEGER NOT NULL, id BLOB NOT NULL, conversation BLOB NOT NULL,
            sequence INTEGER NOT NULL, version INTEGER NOT NULL, content BLOB NOT NULL);
        CREATE UNIQUE INDEX record_name ON record (kind, id);
        CREATE INDEX record_order ON record (kind, conversation, sequence, id);
        """,
    ]

    /// Writes a row in its own transaction.
    func insert(id: [UInt8], conversation: [UInt8], sequence: Int, content: [UInt8]) throws {
        _ = bindInteger(insertion, 1, 8)
        _ = bindBytes(insertion, 2, id, Int32(id.count), Self.copying)
        _ = bindBytes(insertion, 3, conversation, Int32(conversation.count), Self.copying)
        _ = bindInteger(insertion, 4, Int64(sequence))
        _ = bindInteger(insertion, 5, 1)
        _ = bindBytes(insertion, 6, content, Int32(content.count), Self.copying)
        guard step(insertion) == Self.done, reset(insertion) == 0 else { throw BenchFailure("a row was not written") }
    }

    func close() {
        _ = finish(insertion)
        _ = closeDatabase(database)
    }
}
