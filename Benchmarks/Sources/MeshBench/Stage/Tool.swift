import Foundation

/// Other programs that the bench runs to their end.
enum Tool {
    /// Runs a program and returns its output.
    ///
    /// - Parameters:
    ///   - folder: The directory to run it in.
    ///   - remedy: The advice for a person if it fails.
    @discardableResult
    static func run(_ arguments: [String], in folder: URL? = nil, otherwise remedy: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchFailure("'\(arguments.joined(separator: " "))' failed: \(remedy)")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
