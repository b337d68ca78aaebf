import Foundation

/// An empty folder that is removed at deinit.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/earshot-history-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of the folder for a store; the store creates it.
    var history: String { path + "/history" }

    var database: String { history + "/history.sqlite" }

    /// Returns the bytes of every file of the store, by name.
    func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: history) {
            files[name] = try read(history + "/" + name)
        }
        return files
    }

    func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// Changes bytes of the database file while no store has it open.
    func patch(at offset: Int, _ bytes: [UInt8]) throws {
        var file = try read(database)
        file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        try write(file, to: database)
    }
}

/// Returns the names of the files that contain the bytes.
func names(of files: [String: [UInt8]], containing bytes: [UInt8]) -> [String] {
    files.filter { Data($0.value).range(of: Data(bytes)) != nil }.keys.sorted()
}
