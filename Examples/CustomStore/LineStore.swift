import ChatHistory
import Foundation
import Synchronization

/// A store in one file of lines.
///
/// Each line is a batch, which is written and synced before it counts; opening reads all lines.
/// It is small and slow to open, but complete: a crash leaves at most half a line at the end, which is no batch.
final class LineStore: MessageStore {
    private struct State {
        /// All rows, in memory; the file restores them.
        let rows: MemoryStore
        let file: FileHandle
        /// Units: bytes; the position of the next line.
        var end: UInt64
        var isClosed = false
    }

    let databaseID: [UInt8]
    private let state: Mutex<State>

    /// Opens the store in a file, or creates it.
    ///
    /// - Throws: `corrupt` if a line inside of the file is not one of a store, `cannotOpen`, `ioFailed`.
    init(_ url: URL) throws(StoreError) {
        do {
            var text = FileManager.default.fileExists(atPath: url.path) ? try Data(contentsOf: url) : Data()
            if text.isEmpty {
                let id = Data((0..<RowID.byteCount).map { _ in UInt8.random(in: .min ... .max) })
                text = try Self.line(.store(id: id))
                try text.write(to: url, options: .atomic)
            }
            let (id, rows, end) = try Self.read(text)
            let file = try FileHandle(forUpdating: url)
            try file.truncate(atOffset: end)
            databaseID = id
            state = Mutex(State(rows: rows, file: file, end: end))
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.cannotOpen, cause: error)
        }
    }

    func apply(_ changes: [StoreChange]) throws(StoreError) {
        try HistoryLimits.check(changes)
        try access { state throws(StoreError) in
            for case .insert(let row) in changes where try state.rows.row(row.table, row.id) != nil {
                throw StoreError(.rowExists)
            }
            do {
                let line = try Self.line(.batch(changes.map(StoredChange.init)))
                try state.file.seek(toOffset: state.end)
                try state.file.write(contentsOf: line)
                try state.file.synchronize()
                state.end += UInt64(line.count)
            } catch {
                // No half line may stand before the next one.
                try? state.file.truncate(atOffset: state.end)
                throw StoreError(.ioFailed, cause: error)
            }
            try state.rows.apply(changes)
        }
    }

    func row(_ table: RecordTable, _ id: RowID) throws(StoreError) -> Row? {
        try access { state throws(StoreError) in try state.rows.row(table, id) }
    }

    func rows(
        _ table: RecordTable,
        conversation: RowID?,
        before: RowPosition?,
        limit: Int
    ) throws(StoreError) -> [Row] {
        try access { state throws(StoreError) in
            try state.rows.rows(table, conversation: conversation, before: before, limit: limit)
        }
    }

    func rows(
        _ table: RecordTable,
        conversation: RowID?,
        after: RowPosition?,
        limit: Int
    ) throws(StoreError) -> [Row] {
        try access { state throws(StoreError) in
            try state.rows.rows(table, conversation: conversation, after: after, limit: limit)
        }
    }

    func highestSequence(_ table: RecordTable, conversation: RowID) throws(StoreError) -> UInt64? {
        try access { state throws(StoreError) in try state.rows.highestSequence(table, conversation: conversation) }
    }

    func count(_ table: RecordTable, conversation: RowID?, before: RowPosition?) throws(StoreError) -> Int {
        try access { state throws(StoreError) in
            try state.rows.count(table, conversation: conversation, before: before)
        }
    }

    func close() throws(StoreError) {
        try state.withLock { state throws(StoreError) in
            guard !state.isClosed else { return }
            state.isClosed = true
            do {
                try state.file.close()
            } catch {
                throw StoreError(.ioFailed, cause: error)
            }
        }
    }

    private func access<Value: Sendable>(
        _ body: (inout State) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try state.withLock { state throws(StoreError) in
            guard !state.isClosed else { throw StoreError(.closed) }
            return try body(&state)
        }
    }

    private static func line(_ line: StoredLine) throws -> Data {
        try JSONEncoder().encode(line) + Data("\n".utf8)
    }

    /// Reads the id and the rows, and finds the end of the last whole line.
    private static func read(_ text: Data) throws -> (id: [UInt8], rows: MemoryStore, end: UInt64) {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        let decoder = JSONDecoder()
        guard let first = lines.first, case .store(let id) = try? decoder.decode(StoredLine.self, from: first) else {
            throw StoreError(.corrupt)
        }
        let rows = MemoryStore()
        for line in lines.dropFirst() {
            guard case .batch(let stored) = try? decoder.decode(StoredLine.self, from: line) else {
                throw StoreError(.corrupt)
            }
            let changes = stored.compactMap(\.change)
            guard changes.count == stored.count else { throw StoreError(.corrupt) }
            try rows.apply(changes)
        }
        return ([UInt8](id), rows, UInt64(lines.reduce(0) { $0 + $1.count + 1 }))
    }
}
