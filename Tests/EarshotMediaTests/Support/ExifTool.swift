import Foundation
import Testing

/// A reader of metadata that shares no code with the media sanitizer: ExifTool, from Debian's libimage-exiftool-perl.
enum ExifTool {
    static let isInstalled = FileManager.default.isExecutableFile(atPath: path)
    static let need: Comment = "needs exiftool: Scripts/bootstrap installs it"
    private static let path = "/usr/bin/exiftool"

    /// Writes tags into a file and returns the result.
    static func plant(_ arguments: [String], into bytes: [UInt8], ending: String) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "planted.\(ending)")
        try Data(bytes).write(to: file)
        try run(arguments + ["-m", "-q", "-q", "-overwrite_original", file.path])
        return [UInt8](try Data(contentsOf: file))
    }

    /// Reads the names of all tags of each file, with their group in front, without those of the file system.
    static func tags(of files: [[UInt8]], ending: String) throws -> [Set<String>] {
        let folder = try TemporaryFolder()
        let paths = try files.enumerated().map { index, bytes in
            let file = folder.url.appending(path: "\(index).\(ending)")
            try Data(bytes).write(to: file)
            return file.path
        }
        let output = try run(["-j", "-a", "-u", "-U", "-G1", "-struct"] + paths)
        let answers = try #require(JSONSerialization.jsonObject(with: output) as? [[String: Any]])
        return answers.map { answer in
            Set(answer.keys.filter { !$0.hasPrefix("System:") && !$0.hasPrefix("ExifTool:") && $0 != "SourceFile" })
        }
    }

    @discardableResult
    private static func run(_ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return data
    }
}

/// A folder that is deleted with this value.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "earshot-media-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
