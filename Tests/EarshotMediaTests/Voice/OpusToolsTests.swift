import Foundation
import Testing

@testable import EarshotMedia

/// The judges are Xiph's own programs, from Debian's opus-tools.
@Suite("Voice notes and opus-tools", .enabled(if: OpusTools.areInstalled, OpusTools.need))
struct OpusToolsTests {
    @Test("A file of opusenc is taken, and opusinfo finds nothing wrong, and no tags, in the note")
    func both() throws {
        let folder = try TemporaryFolder()
        let (wave, opus) = (folder.url.appending(path: "a.raw"), folder.url.appending(path: "a.opus"))
        // Three seconds of a sawtooth wave, 48 kHz, 16 bits.
        try Data((0..<144_000).flatMap { [0, UInt8($0 % 100)] }).write(to: wave)
        try OpusTools.run(
            "opusenc",
            ["--quiet", "--raw", "--raw-chan", "1", "--artist", "SECRET", wave.path, opus.path]
        )
        let recording = [UInt8](try Data(contentsOf: opus))
        #expect(recording.holdsSecret)
        let note = try VoiceNote(cleaning: recording)
        #expect(note.claim.durationMilliseconds == 3_000)
        try Data(note.bytes).write(to: opus)
        let report = try OpusTools.run("opusinfo", [opus.path])
        #expect(report.contains("Playback length: 0m:03.000s"))
        #expect(!report.contains("WARNING"))
        #expect(!report.contains("SECRET"))
        #expect(!note.bytes.holdsSecret)
    }

    @Test("Notes of every shape are sound to opusinfo", arguments: [1, 2])
    func shapes(channelCount: Int) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "note.opus")
        for sample in [
            try VoiceSample(milliseconds: 3_000, packetMilliseconds: 60, channelCount: channelCount),
            VoiceSample(silentMilliseconds: 61_020),
        ] {
            try Data(VoiceNote(cleaning: sample.webm()).bytes).write(to: file)
            let report = try OpusTools.run("opusinfo", [file.path])
            #expect(report.contains("Playback length"))
            #expect(!report.contains("WARNING"))
        }
    }
}

private enum OpusTools {
    static let areInstalled = ["opusenc", "opusinfo"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }
    static let need: Comment = "needs opusenc and opusinfo: Scripts/bootstrap installs them"

    @discardableResult
    static func run(_ name: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/\(name)")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
