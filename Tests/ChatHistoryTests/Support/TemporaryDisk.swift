import Foundation

/// A small disk in memory, mounted for one test; only root on Linux can mount one.
final class TemporaryDisk: Sendable {
    /// The reason to skip tests that need such a disk.
    static let need = "needs the right to mount a small disk in memory (root on Linux)"

    static let isPossible: Bool = (try? TemporaryDisk(kibibytes: 64)) != nil

    private let folder: TemporaryFolder
    private let mountPoint: String

    /// The path of the folder for a store.
    var history: String { mountPoint + "/history" }

    init(kibibytes: Int) throws {
        folder = try TemporaryFolder()
        mountPoint = folder.path + "/disk"
        try FileManager.default.createDirectory(atPath: mountPoint, withIntermediateDirectories: false)
        try Self.run("mount", "-t", "tmpfs", "-o", "size=\(kibibytes)k", "none", mountPoint)
    }

    deinit {
        try? Self.run("umount", "--lazy", mountPoint)
    }

    func grow(kibibytes: Int) throws {
        try Self.run("mount", "-o", "remount,size=\(kibibytes)k", mountPoint)
    }

    func makeReadOnly() throws {
        try Self.run("mount", "-o", "remount,ro", mountPoint)
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
