import Foundation

/// A finished run of a program.
struct Command: Sendable {
    let status: Int32
    let output: String
    let errors: String

    /// Runs a program to its end.
    ///
    /// Its outputs go through files, so that it cannot fill a pipe.
    @discardableResult
    static func run(_ arguments: [String], environment: [String: String] = [:], input: String? = nil) throws -> Command
    {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let folder = try TemporaryFolder()
        let files = ["out", "err"].map { folder.url.appending(path: $0) }
        for file in files { try Data().write(to: file) }
        let handles = try files.map(FileHandle.init(forWritingTo:))
        process.standardOutput = handles[0]
        process.standardError = handles[1]
        let pipe = Pipe()
        process.standardInput = input == nil ? FileHandle.nullDevice : pipe
        try process.run()
        // The child has its own handles; these would stay open as long as these tests run.
        for handle in handles { try handle.close() }
        if let input {
            try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try pipe.fileHandleForWriting.close()
        }
        process.waitUntilExit()
        return Command(
            status: process.terminationStatus,
            output: try String(contentsOf: files[0], encoding: .utf8),
            errors: try String(contentsOf: files[1], encoding: .utf8)
        )
    }

    /// The command built beside these tests.
    static let earshot: String = {
        let bundle = CommandLine.arguments.first.map { URL(filePath: $0).deletingLastPathComponent() }
        let candidates = [bundle, bundle?.deletingLastPathComponent()].compactMap {
            $0?.appending(path: "earshot").path
        }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? builtBesideSources
    }()

    private static var builtBesideSources: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: ".build/debug/earshot").path
    }
}

/// A folder that is deleted with this value.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "earshot-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
