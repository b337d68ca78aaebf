import GRDB

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension StoreError {
    /// Takes an error of the database, or of our own code beneath it.
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

    /// Takes an error number of the system.
    init(systemError number: Int32) {
        self.init(Self.code(systemError: number), cause: SystemFailure(number: number))
    }

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

    static func code(systemError number: Int32) -> Code {
        switch number {
        case ENOSPC, EDQUOT: .diskFull
        case EROFS, EACCES, EPERM: .readOnly
        case EWOULDBLOCK: .inUse
        case EIO: .ioFailed
        default: .cannotOpen
        }
    }

    /// An error number of the system, as a cause.
    private struct SystemFailure: Error, CustomStringConvertible {
        let number: Int32
        var description: String { "system error \(number): \(String(cString: strerror(number)))" }
    }
}
