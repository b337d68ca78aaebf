import GRDB
import GRDBSQLite
import Synchronization

/// A store in the file `history.sqlite` of a directory.
///
/// The store owns the directory while it is open: a second store there, in this or another process, is refused with
/// `inUse`. A change is on the disk when `apply` returns. Deleted content is overwritten in the file; after the
/// deletion of a conversation, a message or a key the log is emptied too. A file that cannot be used is left as it is.
///
/// One connection serves reads and writes in turn; a call blocks its thread until the disk has answered.
public final class SQLiteStore: MessageStore {
    private struct Connection {
        let file: HistoryFile
        let queue: DatabaseQueue
        let lock: DirectoryLock
    }

    /// Random bytes made with the store and kept with it.
    ///
    /// Shape: 16 bytes.
    public let databaseID: [UInt8]
    /// The open connection; nil once closed.
    private let connection: Mutex<Connection?>

    /// Opens the history of a directory, and creates both if they do not exist; the parent directory must exist.
    ///
    /// - Throws: `inUse`, `readOnly`, `cannotOpen`, `diskFull`, `ioFailed`; `notDatabase`, `foreignDatabase`,
    ///   `newerVersion` or `corrupt` when there is a file that cannot be used. Nothing in it is changed then.
    public convenience init(directory: String) throws(StoreError) {
        try self.init(directory: directory, newID: (0..<RowID.byteCount).map { _ in .random(in: .min ... .max) })
    }

    /// Opens the history of a directory; a new history gets this id, for rows that were bound to it elsewhere.
    package init(directory: String, newID: [UInt8]) throws(StoreError) {
        try PrivateDirectory.make(directory, hasParents: true)
        let lock = try DirectoryLock(directory: directory)
        let file = HistoryFile(directory: directory)
        try file.prepare()
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        configuration.label = "earshot.history"
        configuration.prepareDatabase { db in
            try Self.orLeave(db) { try Schema.configure(db) }
        }
        do {
            let queue = try DatabaseQueue(path: file.path, configuration: configuration)
            databaseID = try queue.inDatabase { db in
                try Self.orLeave(db) { try Schema.prepare(db, newID: newID) }
            }
            connection = Mutex(Connection(file: file, queue: queue, lock: lock))
        } catch {
            throw StoreError(database: error)
        }
    }

    /// Applies changes in order, all or none; they are on the disk when this returns.
    public func apply(_ changes: [StoreChange]) throws(StoreError) {
        try HistoryLimits.check(changes)
        try access { db in
            try db.apply(changes)
            guard changes.contains(where: \.isErasure) else { return }
            // The change is made and durable, so a failure here is not a failure of the change. The remaining content
            // of the log is sealed; the next erasure or `close` empties it.
            try? db.emptyLog()
        }
    }

    /// Returns the row of a table and id, or nil if there is none.
    public func row(_ table: RecordTable, _ id: RowID) throws(StoreError) -> Row? {
        try access { try $0.row(table, id) }
    }

    /// Returns a page of rows in falling order of position.
    ///
    /// A page of a whole table sorts the table; a page of a conversation reads only the rows that it returns.
    public func rows(
        _ table: RecordTable,
        conversation: RowID?,
        before: RowPosition?,
        limit: Int
    ) throws(StoreError) -> [Row] {
        try HistoryLimits.check(pageLimit: limit)
        return try access {
            try $0.rows(table, conversation: conversation, from: before, isRising: false, limit: limit)
        }
    }

    /// Returns a page of rows in rising order of position, with the same costs as the falling ones.
    public func rows(
        _ table: RecordTable,
        conversation: RowID?,
        after: RowPosition?,
        limit: Int
    ) throws(StoreError) -> [Row] {
        try HistoryLimits.check(pageLimit: limit)
        return try access {
            try $0.rows(table, conversation: conversation, from: after, isRising: true, limit: limit)
        }
    }

    /// Returns the highest sequence among the rows of a conversation, or nil if it has none.
    public func highestSequence(_ table: RecordTable, conversation: RowID) throws(StoreError) -> UInt64? {
        try access { try $0.highestSequence(table, conversation: conversation) }
    }

    /// Returns the number of rows of a conversation or of the whole table, all of them before `before` if that is
    /// given.
    public func count(
        _ table: RecordTable,
        conversation: RowID?,
        before: RowPosition?
    ) throws(StoreError) -> Int {
        try access { try $0.count(table, conversation: conversation, before: before) }
    }

    /// Empties the log into the file, closes the file and releases the directory.
    public func close() throws(StoreError) {
        guard let closing = connection.withLock({ $0.take() }) else { return }
        let emptied = Result { try closing.queue.inDatabase { try $0.emptyLog() } }
        do {
            try closing.queue.close()
            try emptied.get()
        } catch {
            throw StoreError(database: error)
        }
    }

    /// Closes the history and releases the directory; file and log stay byte for byte as they are.
    package func leave() {
        guard let closing = connection.withLock({ $0.take() }) else { return }
        closing.file.keepingLog {
            closing.queue.inDatabase { Self.leaveLog($0) }
            try? closing.queue.close()
        }
    }

    /// Runs a body; if it fails, prepares the connection so that closing it leaves the log as `leave` does.
    private static func orLeave<Value>(_ db: Database, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            leaveLog(db)
            throw error
        }
    }

    /// Keeps SQLite from writing the log into the file when the connection closes next: an interrupt stops that before
    /// its first page, and SQLite keeps the unwritten log.
    private static func leaveLog(_ db: Database) {
        guard let connection = db.sqliteConnection else { return }
        sqlite3_interrupt(connection)
    }

    private func access<Value: Sendable>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try connection.withLock { connection throws(StoreError) in
            guard let connection else { throw StoreError(.closed) }
            do {
                return try connection.queue.inDatabase(body)
            } catch {
                throw StoreError(database: error)
            }
        }
    }
}
