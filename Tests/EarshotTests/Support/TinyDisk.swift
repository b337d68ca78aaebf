import Foundation

@testable import ChatCore

/// A small disk in memory that is mounted for one test.
///
/// Only root on Linux can mount one.
final class TinyDisk: Sendable {
    /// The reason why tests that need the disk are skipped.
    static let need = "needs the right to mount a small disk in memory (root on Linux)"

    static let isPossible: Bool = (try? TinyDisk(kibibytes: 64)) != nil

    private let mountPoint: URL

    /// The data directory of a node on the disk.
    var home: URL { mountPoint.appending(path: "home") }

    init(kibibytes: Int) throws {
        mountPoint = FileManager.default.temporaryDirectory.appending(path: "earshot-disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: mountPoint, withIntermediateDirectories: true)
        try Self.run("mount", "-t", "tmpfs", "-o", "size=\(kibibytes)k", "none", mountPoint.path)
    }

    deinit {
        try? Self.run("umount", "--lazy", mountPoint.path)
        try? FileManager.default.removeItem(at: mountPoint)
    }

    func resize(kibibytes: Int) throws {
        try Self.run("mount", "-o", "remount,size=\(kibibytes)k", mountPoint.path)
    }

    func makeReadOnly() throws {
        try Self.run("mount", "-o", "remount,ro", mountPoint.path)
    }

    /// Takes all the space that remains.
    func fill() throws {
        let file = mountPoint.appending(path: "filler")
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        while (try? handle.write(contentsOf: Data(count: 4_096))) != nil {}
    }

    /// Frees the space again.
    func clear() throws {
        try FileManager.default.removeItem(at: mountPoint.appending(path: "filler"))
    }

    /// Returns the bytes of every file of the data directory by name.
    func files() throws -> [String: Data] {
        try FileManager.default.contentsOfDirectory(atPath: home.path).reduce(into: [:]) { files, name in
            files[name] = try Data(contentsOf: home.appending(path: name))
        }
    }

    private static func run(_ command: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableNotLoadable) }
    }
}
