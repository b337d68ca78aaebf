import EarshotRPC
import Foundation
import Testing

/// The command as a separate process.
enum EarshotProcess {
    /// The result of a run.
    struct Run: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs the command to its end, with only the given variables of Earshot in its environment.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        under wrapper: [String] = []
    ) async throws -> Run {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = wrapper + [try executable()] + arguments
        process.environment = inherited.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let files = ["out", "err"].map(folder.url.appendingPathComponent)
        for file in files { try Data().write(to: file) }
        let handles = try files.map(FileHandle.init(forWritingTo:))
        process.standardOutput = handles[0]
        process.standardError = handles[1]
        let (exit, continuation) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        // The child has its own handles; these would stay open as long as these tests run.
        for handle in handles { try handle.close() }
        for await _ in exit {}
        return Run(
            status: process.terminationStatus,
            output: try String(contentsOf: files[0], encoding: .utf8),
            errors: try String(contentsOf: files[1], encoding: .utf8)
        )
    }

    /// The command built beside these tests.
    static func executable() throws -> String {
        let beside = CommandLine.arguments.first.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
        let places = [beside, beside?.deletingLastPathComponent(), Bundle.main.bundleURL].compactMap { $0 }
        let paths = places.map { $0.appendingPathComponent("earshot").path }
        return try #require(paths.first { FileManager.default.isExecutableFile(atPath: $0) }, "no earshot in \(paths)")
    }

    static let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("EARSHOT_") }

    #if os(Linux)
        static let loopback = "lo"
    #else
        static let loopback = "lo0"
    #endif
}

/// A directory that is deleted with this value.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "earshot-cli-\(UUID().uuidString.prefix(13))"
        )
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
