import Foundation
import MeshCore
import MeshSimulation

@testable import MeshTransport

/// A folder for the log of a store, removed at deinit; it is on a small disk of its own if a test has to fill it.
final class StoreFolder: Sendable {
    /// The reason to skip tests that need a small disk.
    static let need = "needs the right to mount a small disk in memory (root on Linux)"

    static let canBeSmall: Bool = (try? StoreFolder(kibibytes: 64)) != nil

    private let folder: URL
    private let isMounted: Bool

    var log: URL { folder.appending(path: "mesh.log") }

    /// Makes the folder; with a size, the folder is a disk in memory of that size.
    init(kibibytes: Int? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "earshot-store-\(UUID().uuidString)")
        isMounted = kibibytes != nil
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard let kibibytes else { return }
        try Self.run("mount", "-t", "tmpfs", "-o", "size=\(kibibytes)k", "none", folder.path)
    }

    deinit {
        if isMounted { try? Self.run("umount", "--lazy", folder.path) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Uses up all free space of the disk, or frees it again.
    func fill(_ isFull: Bool) throws {
        let filler = folder.appending(path: "filler")
        guard isFull else { return try FileManager.default.removeItem(at: filler) }
        try Data().write(to: filler)
        let handle = try FileHandle(forWritingTo: filler)
        defer { try? handle.close() }
        while (try? handle.write(contentsOf: Data(count: 512))) != nil {}
    }

    var bytes: [UInt8] {
        get throws { [UInt8](try Data(contentsOf: log)) }
    }

    func write(_ bytes: some Sequence<UInt8>) throws {
        try Data(bytes).write(to: log)
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    /// Makes a log of the file that is not yet open.
    func makeLog(sizeLimit: Int = 1 << 20) -> StoreLog {
        StoreLog(path: log.path, sizeLimit: sizeLimit)
    }

    /// Opens the log, reads its contents and closes it.
    func contents(seconds: UInt64 = 0, wall: UInt64 = 1_000) async throws -> StoreLog.Contents {
        let log = makeLog()
        let contents = try await log.load(at: .at(seconds, wall: wall))
        try await log.end(at: .at(seconds, wall: wall))
        return contents
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

extension StoreLog.Time {
    static func at(_ seconds: UInt64, wall: UInt64) -> StoreLog.Time {
        StoreLog.Time(now: MeshInstant(nanoseconds: seconds * 1_000_000_000), wall: wall)
    }
}

extension StoreRecord {
    /// Makes the record of an envelope whose content follows from its number.
    static func held(_ number: UInt8, life: UInt16 = 100, byteCount: Int = 40, isOwn: Bool = false) -> StoreRecord {
        let body = [UInt8](repeating: number, count: byteCount)
        return .held(
            Envelope(kind: .sealed, life: life, body: body),
            shortID: UInt64(number),
            isOwn: isOwn
        )
    }
}
