#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The database file as bytes: created for its owner alone, and checked before SQLite opens it.
///
/// SQLite changes a file by opening it, because it completes the content of the log. A foreign file must therefore be
/// recognized without SQLite. `Schema` writes the marks checked here before it turns the log on, so they are in the
/// file itself from the start.
struct HistoryFile {
    /// The length of the header.
    ///
    /// Units: bytes; source: SQLite, "Database File Format" 1.3.
    private static let headerByteCount = 100
    private static let magic = Array("SQLite format 3\0".utf8)
    private static let userVersionOffset = 60
    private static let applicationIDOffset = 68

    let path: String
    private var log: String { path + "-wal" }
    private var keptLog: String { log + ".kept" }

    init(directory: String) {
        path = directory + "/history.sqlite"
    }

    /// Creates the file, empty and for its owner alone, or checks that the existing file can be written and is a
    /// history.
    ///
    /// - Throws: `notDatabase`, `foreignDatabase`, `newerVersion`, or what the system reports.
    func prepare() throws(StoreError) {
        takeUpLog()
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(systemError: errno) }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: Self.headerByteCount)
        let count = pread(descriptor, &header, header.count, 0)
        guard count >= 0 else { throw StoreError(systemError: errno) }
        // With a rollback journal beside it the file is half written, by a first start that was interrupted or by
        // another program. SQLite repairs it, and `Schema` checks it then.
        guard count > 0, access(path + "-journal", F_OK) != 0 else { return }
        try Self.check(header: Array(header.prefix(count)))
        guard fchmod(descriptor, 0o600) == 0 else { throw StoreError(systemError: errno) }
    }

    /// Closes the database and keeps the log beside it: SQLite deletes a log without intact content, although much of a
    /// damaged one can be read.
    func keepingLog(_ close: () -> Void) {
        takeUpLog()
        link(log, keptLog)
        close()
        takeUpLog()
    }

    /// Restores the first name of the log if it has its second one; if it has both names, removes the second.
    private func takeUpLog() {
        if access(log, F_OK) == 0 { unlink(keptLog) } else { rename(keptLog, log) }
    }

    private static func check(header: [UInt8]) throws(StoreError) {
        guard header.count == headerByteCount, header.starts(with: magic) else { throw StoreError(.notDatabase) }
        guard integer(in: header, at: applicationIDOffset) == Schema.applicationID else {
            throw StoreError(.foreignDatabase)
        }
        guard integer(in: header, at: userVersionOffset) <= Schema.version else { throw StoreError(.newerVersion) }
    }

    private static func integer(in header: [UInt8], at offset: Int) -> Int {
        header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
