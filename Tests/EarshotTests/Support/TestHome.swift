import Earshot
import Foundation

@testable import ChatCore

/// The data directory of a node for one test.
///
/// It is removed when the instance is freed.
final class TestHome: Sendable {
    private let folder: URL
    /// The data directory itself.
    ///
    /// It does not exist before a node makes it.
    let directory: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "earshot-home-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        directory = folder.appending(path: "home")
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Makes or opens the data directory, runs `body` with its node, and stops the node.
    @discardableResult
    func open<Value: Sendable>(
        name: String? = nil,
        passphrase: String? = nil,
        clockError: Duration = .zero,
        _ body: (ChatNode) async throws -> Value
    ) async throws -> Value {
        var settings = ChatConfiguration()
        settings.environment = SystemEnvironment(clockError: clockError)
        let place = Home.directory(directory, key: Home.Key(passphrase: passphrase))
        let node = try await ChatNode.open(place, orCreate: name, settings)
        do {
            let value = try await body(node)
            await node.stop()
            return value
        } catch {
            await node.stop()
            throw error
        }
    }

    /// Returns the error with which the data directory refuses to open; nil if it opens.
    func refusal(name: String? = nil, passphrase: String? = nil) async throws -> ChatError? {
        do {
            try await open(name: name, passphrase: passphrase) { _ in }
            return nil
        } catch let error as ChatError {
            return error
        }
    }

    func file(_ name: String) -> URL { directory.appending(path: name) }

    /// Returns the bytes of every file by name.
    func files() throws -> [String: Data] {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path).reduce(into: [:]) { files, name in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: file(name).path, isDirectory: &isFolder)
            if !isFolder.boolValue { files[name] = try Data(contentsOf: file(name)) }
        }
    }

    /// Returns the names of the files that contain the bytes.
    func files(containing bytes: some Sequence<UInt8>) throws -> [String] {
        let wanted = Data(bytes)
        return try files().filter { $0.value.range(of: wanted) != nil }.keys.sorted()
    }

    /// Changes a file that no node has open.
    func change(_ name: String, _ body: (inout [UInt8]) -> Void) throws {
        var bytes = [UInt8](try Data(contentsOf: file(name)))
        body(&bytes)
        // The write happens in place, so the file keeps its mode.
        let handle = try FileHandle(forWritingTo: file(name))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    func setMode(_ mode: Int, of path: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path.path)
    }
}
