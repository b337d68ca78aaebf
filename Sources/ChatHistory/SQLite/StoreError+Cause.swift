import GRDB

extension StoreError {
    /// Wraps an error of the database, or of Earshot's own code beneath it.
    init(database error: any Error) {
        switch error {
        case let error as StoreError:
            self = error
        case let error as DatabaseError:
            self.init(Self.code(sqliteResult: error.resultCode.rawValue), cause: error)
        default:
            self.init(.failed, cause: error)
        }
    }

    /// Maps a result code of SQLite.
    ///
    /// Source: SQLite, "Result and Error Codes"; the primary code is the lower 8 bits.
    static func code(sqliteResult: Int32) -> Code {
        switch ResultCode(rawValue: sqliteResult & 0xFF) {
        case .SQLITE_FULL: .diskFull
        case .SQLITE_READONLY, .SQLITE_PERM: .readOnly
        case .SQLITE_CORRUPT: .corrupt
        case .SQLITE_NOTADB: .notDatabase
        case .SQLITE_BUSY, .SQLITE_LOCKED: .inUse
        case .SQLITE_IOERR: .ioFailed
        case .SQLITE_CANTOPEN: .cannotOpen
        default: .failed
        }
    }
}
