import Foundation
import Testing

/// A reader of QR codes that shares no code with their renderer: zbarimg, from Debian's zbar-tools.
enum ZBar {
    static let isInstalled = FileManager.default.isExecutableFile(atPath: path)
    static let need: Comment = "needs zbarimg: Scripts/bootstrap installs it"
    private static let path = "/usr/bin/zbarimg"
    /// Units: picture dots along a module.
    private static let scale = 4

    /// Reads the codes in lines of half blocks, as a dark terminal shows them.
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

    /// Selects the lines of an output that belong to a code.
    static func lines(of output: String) -> [String] {
        output.split(separator: "\n").map(String.init).filter { !$0.isEmpty && $0.allSatisfy(" ▀▄█".contains) }
    }

    /// Draws a grey picture, two rows of modules for a line.
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
