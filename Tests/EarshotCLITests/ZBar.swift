import Foundation
import Testing

/// A reader of QR codes that has nothing in common with what draws them: zbarimg, from Debian's zbar-tools.
enum ZBar {
    static let isInstalled = FileManager.default.isExecutableFile(atPath: path)
    static let need: Comment = "needs zbarimg: Scripts/bootstrap installs it"
    private static let path = "/usr/bin/zbarimg"
    /// Units: dots of a picture along a module.
    private static let scale = 4

    /// What the codes say that lines of half blocks show on a dark terminal.
    static func read(_ lines: [String]) throws -> [String] {
        let folder = try TemporaryFolder()
        let picture = folder.url.appending(path: "code.pgm")
        try Data(draw(lines)).write(to: picture)
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = ["--raw", "--quiet", picture.path]
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").map(String.init)
    }

    /// The lines of an output that are a code's.
    static func lines(of output: String) -> [String] {
        output.split(separator: "\n").map(String.init).filter { !$0.isEmpty && $0.allSatisfy(" ▀▄█".contains) }
    }

    /// A grey picture, two rows of modules a line.
    private static func draw(_ lines: [String]) -> [UInt8] {
        var rows: [[UInt8]] = []
        for line in lines {
            rows.append(line.map { "▀█".contains($0) ? 255 : 0 })
            rows.append(line.map { "▄█".contains($0) ? 255 : 0 })
        }
        let dots = rows.flatMap { row in
            [[UInt8]](repeating: row.flatMap { [UInt8](repeating: $0, count: scale) }, count: scale).joined()
        }
        let (width, height) = (scale * (rows.first?.count ?? 0), scale * rows.count)
        return Array("P5\n\(width) \(height)\n255\n".utf8) + dots
    }
}
