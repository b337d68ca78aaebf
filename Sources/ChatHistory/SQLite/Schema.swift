import Foundation
import GRDB

/// The tables in the file and the numbered steps that create them.
enum Schema {
    /// The application id that marks the file as Earshot's.
    ///
    /// Shape: 4 bytes, the letters "Ears".
    static let applicationID = 0x4561_7273

    /// The steps, in order; a released step never changes.
    ///
    /// `user_version` counts the steps that a file has taken.
    ///
    /// All records are in one table: the number `kind` distinguishes them, and the columns `conversation`, `sequence`
    /// and `id` define the order of their pages. `sequence` holds unsigned numbers moved down by 2^63, so that SQLite
    /// sorts them in their unsigned order.
    private static let steps = [
        """
        CREATE TABLE store (id BLOB NOT NULL) STRICT;
        CREATE TABLE record (
            kind INTEGER NOT NULL,
            id BLOB NOT NULL,
            conversation BLOB NOT NULL,
            sequence INTEGER NOT NULL,
            version INTEGER NOT NULL,
            sealed BLOB NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX record_name ON record (kind, id);
        CREATE INDEX record_order ON record (kind, conversation, sequence, id);
        """
    ]

    /// The objects that the steps create in the file; another program changed a file that holds anything else.
    private static let objects = ["record", "record_name", "record_order", "store"]

    static var version: Int { steps.count }

    /// Sets the options of the connection; none of them changes the file.
    static func configure(_ db: Database) throws {
        try db.execute(
            sql: """
                PRAGMA locking_mode = EXCLUSIVE;
                PRAGMA page_size = \(DatabaseImage.pageByteCount);
                PRAGMA synchronous = FULL;
                PRAGMA fullfsync = ON;
                PRAGMA secure_delete = ON;
                PRAGMA temp_store = MEMORY;
                PRAGMA wal_autocheckpoint = 4000;
                PRAGMA trusted_schema = OFF;
                PRAGMA cell_size_check = ON;
                """
        )
    }

    /// Checks that the file is a history, takes the steps that it has not taken, and returns the store's id.
    ///
    /// The log is turned on last, so that the marks of a file made here are in the file itself; see `HistoryFile`.
    ///
    /// - Parameter newID: the id of a store that is created.
    static func prepare(_ db: Database, newID: [UInt8]) throws -> [UInt8] {
        let taken = try checkedVersion(db)
        if taken < version {
            try db.inTransaction(.exclusive) {
                try take(steps[taken...], newID: newID, db)
                return .commit
            }
        }
        guard try names(db) == objects else { throw StoreError(.corrupt) }
        guard let id = try Data.fetchOne(db, sql: "SELECT id FROM store"), id.count == RowID.byteCount else {
            throw StoreError(.corrupt)
        }
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw StoreError(.cannotOpen, reason: "The disk that holds the history cannot keep a write-ahead log.")
        }
        return Array(id)
    }

    /// Returns the number of steps the file has taken; 0 for an empty one.
    private static func checkedVersion(_ db: Database) throws -> Int {
        let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let taken = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        if application == 0, taken == 0, try names(db).isEmpty { return 0 }
        guard application == applicationID else { throw StoreError(.foreignDatabase) }
        guard taken <= version else { throw StoreError(.newerVersion) }
        guard taken > 0 else { throw StoreError(.corrupt) }
        return taken
    }

    private static func take(_ steps: ArraySlice<String>, newID: [UInt8], _ db: Database) throws {
        for (index, step) in zip(steps.indices, steps) {
            try db.execute(sql: step)
            if index == 0 {
                try db.execute(sql: "INSERT INTO store (id) VALUES (?)", arguments: [Data(newID)])
                try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            }
        }
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }

    private static func names(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema ORDER BY name")
    }
}
