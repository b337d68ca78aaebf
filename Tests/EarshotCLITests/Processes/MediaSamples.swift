import Foundation
import Testing

/// Pictures and recordings with private metadata, and a reader of that metadata.
enum MediaSamples {
    static let areToolsInstalled = ["exiftool", "opusenc"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }
    static let need: Comment = "needs exiftool and opusenc: Scripts/bootstrap installs them"

    /// A word in everything that the samples plant.
    static let secret = "SECRET"

    /// Makes a JPEG of 40 by 30 pixels that reveals camera, place, time, owner and program, with a preview, a comment
    /// and more after its end.
    static func photo(in folder: TemporaryFolder) throws -> String {
        let path = folder.path("Anna at home, \(secret).jpg")
        let tests = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let picture = try Data(contentsOf: tests.appending(path: "Vectors/plain.jpg"))
        try picture.write(to: URL(filePath: path))
        try picture.write(to: URL(filePath: folder.path("preview.jpg")))
        _ = try run(
            "exiftool",
            [
                "-q", "-overwrite_original", "-Make=\(secret)", "-Model=\(secret)",
                "-DateTimeOriginal=2026:11:21 12:00:00",
                "-GPSLatitude=52.5", "-GPSLatitudeRef=N", "-GPSLongitude=13.4", "-GPSLongitudeRef=E",
                "-XMP:Creator=\(secret)", "-IPTC:By-line=\(secret)", "-Comment=\(secret)",
                "-ThumbnailImage<=\(folder.path("preview.jpg"))", path,
            ]
        )
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(secret.utf8) + picture)
        try file.close()
        return path
    }

    /// Makes a recording of a tone in Opus that reveals its artist and program.
    static func recording(seconds: Int, in folder: TemporaryFolder) throws -> String {
        let rate = 8_000
        let samples = (0..<seconds * rate).flatMap { index -> [UInt8] in
            let value = Int16(12_000 * sin(Double(index) * 2 * .pi * 440 / Double(rate)))
            return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
        let raw = folder.path("tone.raw")
        try Data(samples).write(to: URL(filePath: raw))
        let path = folder.path("\(secret) \(seconds).opus")
        _ = try run(
            "opusenc",
            [
                "--quiet", "--raw", "--raw-rate", "\(rate)", "--raw-chan", "1", "--bitrate", "8", "--artist", secret,
                "--comment", "LOCATION=\(secret)", raw, path,
            ]
        )
        return path
    }

    /// Reads a file's tags with ExifTool, with the group of each tag in front; the file system's tags are left out.
    static func tags(of path: String) throws -> Set<String> {
        let output = try run("exiftool", ["-j", "-a", "-u", "-U", "-G1", path])
        let answers = try #require(JSONSerialization.jsonObject(with: output) as? [[String: Any]])
        let keys = answers.first.map { Array($0.keys) } ?? []
        return Set(keys.filter { !$0.hasPrefix("System:") && !$0.hasPrefix("ExifTool:") && $0 != "SourceFile" })
    }

    private static func run(_ tool: String, _ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/\(tool)")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(tool) failed")
        return data
    }
}
