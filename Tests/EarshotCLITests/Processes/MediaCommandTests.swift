import Earshot
import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

/// Two processes on the loopback interface.
///
/// The judges of the received files share no code with the media sanitizer.
@Suite(
    "Pictures and voice notes between two people",
    .timeLimit(.minutes(30)),
    .enabled(if: MediaSamples.areToolsInstalled, MediaSamples.need)
)
struct MediaCommandTests {
    /// The tags that ExifTool reads from a JPEG without metadata.
    private static let plainTags: Set<String> = [
        "Composite:ImageSize", "Composite:Megapixels", "File:BitsPerSample", "File:ColorComponents",
        "File:EncodingProcess", "File:FileType", "File:FileTypeExtension", "File:ImageHeight", "File:ImageWidth",
        "File:MIMEType", "File:YCbCrSubSampling", "JFIF:JFIFVersion", "JFIF:ResolutionUnit", "JFIF:XResolution",
        "JFIF:YResolution",
    ]

    /// Makes Alice and Bob, who has accepted her.
    private static func friends() async throws -> ConversationCommandTests.Pair {
        let pair = try await ConversationCommandTests.Pair()
        let first = try await pair.aliceSends("Bob", "hello", "--timeout", "60s")
        try #require(first.status == 0, "\(first)")
        let accepted = try await pair.bob("trust", "accept", "Alice")
        try #require(accepted.status == 0, "\(accepted)")
        return pair
    }

    /// Returns Bob's newest message from Alice and the paths of its files' copies, once the files are here.
    private static func received(
        by pair: ConversationCommandTests.Pair
    ) async throws -> (message: MessageReply, paths: [String]) {
        let message = try #require(try await pair.bob.client.call(HistoryCall(conversation: "Alice")).last)
        var paths: [String] = []
        for index in (message.files ?? []).indices {
            let call = MediaCall(message: message.id, index: index, folder: pair.folder.path("saved"))
            paths.append(try await pair.bob.client.call(call).path)
        }
        return (message, paths)
    }

    @Test("What the recipient saves of a picture tells nothing but what is seen")
    func picture() async throws {
        let pair = try await Self.friends()
        let photo = try MediaSamples.photo(in: pair.folder)
        let planted = try MediaSamples.tags(of: photo)
        #expect(planted.isSuperset(of: ["IFD0:Make", "GPS:GPSLatitude", "XMP-dc:Creator", "IPTC:By-line"]))
        #expect(planted.isSuperset(of: ["File:Comment", "IFD1:ThumbnailImage"]))

        let sent = try await pair.aliceSends(
            "Bob",
            "see",
            "--image",
            photo,
            "--image",
            photo,
            "--longest-edge",
            "39",
            "--wait",
            "delivered",
            "--timeout",
            "60s"
        )
        #expect(sent.status == 0, "\(sent)")
        let (message, paths) = try await Self.received(by: pair)
        #expect(message.kind == "image")
        #expect(message.files?.map(\.name) == ["picture.jpg", "picture.jpg"])
        #expect(message.files?.map(\.type) == ["image/jpeg", "image/jpeg"])
        #expect(message.files?.map { [$0.width, $0.height] } == [[39, 29], [39, 29]])
        #expect(paths.map { URL(filePath: $0).lastPathComponent } == ["picture.jpg", "picture (2).jpg"])
        for path in paths {
            #expect(try MediaSamples.tags(of: path).subtracting(Self.plainTags) == [])
            #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data(MediaSamples.secret.utf8)) == nil)
        }
        let shown = try await EarshotProcess.run(["--home", pair.bobHome, "history", "show", "Alice"])
        #expect(shown.output.contains("[picture.jpg, 39 x 29, "), "\(shown)")
        try await pair.close()
    }

    @Test("A picture whose pixels need no change keeps them, and one sent as a file keeps everything, which is told")
    func untouched() async throws {
        let pair = try await Self.friends()
        let photo = try MediaSamples.photo(in: pair.folder)
        let sent = try await EarshotProcess.run(
            ["--home", pair.aliceHome, "send"] + pair.mesh
                + ["Bob", "--file", photo, "--image", photo, "--wait", "delivered", "--timeout", "60s"]
        )
        #expect(sent.status == 0, "\(sent)")
        #expect(sent.errors.contains("is sent unchanged") && sent.errors.contains("--image"), "\(sent)")
        let (message, paths) = try await Self.received(by: pair)
        #expect(message.kind == "file")
        #expect(message.files?.map(\.width) == [nil, 40])
        #expect(try Data(contentsOf: URL(filePath: paths[0])) == Data(contentsOf: URL(filePath: photo)))
        let plain = try Data(contentsOf: URL(filePath: pair.folder.path("preview.jpg")))
        let scan = try #require(plain.range(of: Data([0xFF, 0xDA])))
        #expect(try Data(contentsOf: URL(filePath: paths[1])).range(of: plain[scan.lowerBound...]) != nil)
        #expect(try MediaSamples.tags(of: paths[1]).subtracting(Self.plainTags) == [])
        try await pair.close()
    }

    @Test("What the recipient saves of a voice note tells nothing but what is heard, and is shown before it is played")
    func voice() async throws {
        let pair = try await Self.friends()
        let recording = try MediaSamples.recording(seconds: 2, in: pair.folder)
        let original = try Data(contentsOf: URL(filePath: recording))
        #expect(original.range(of: Data(MediaSamples.secret.utf8)) != nil)
        let sent = try await pair.aliceSends("Bob", "--voice", recording, "--wait", "delivered", "--timeout", "60s")
        #expect(sent.status == 0, "\(sent)")
        let (message, paths) = try await Self.received(by: pair)
        #expect(message.kind == "voice")
        let file = try #require(message.files?.first)
        #expect(file.name == "voice.ogg" && file.type == "audio/ogg" && file.cut == false)
        #expect(file.duration == 2)
        #expect(file.peaks?.count == 64)
        #expect(file.peaks?.allSatisfy { $0 > 50 } == true)
        let saved = try Data(contentsOf: URL(filePath: paths[0]))
        for word in [MediaSamples.secret, "libopus", "opusenc", "ENCODER"] {
            #expect(saved.range(of: Data(word.utf8)) == nil)
        }
        let shown = try await EarshotProcess.run(["--home", pair.bobHome, "history", "show", "Alice"])
        #expect(shown.output.contains("[voice.ogg, 0:02 "), "\(shown)")
        let list = try await EarshotProcess.run(["--home", pair.bobHome, "history", "list"])
        #expect(list.output.contains("Voice note"), "\(list)")
        try await pair.close()
    }

    @Test("Of a recording of more than a minute the first minute goes, which is told")
    func longVoice() async throws {
        let pair = try await Self.friends()
        let recording = try MediaSamples.recording(seconds: 63, in: pair.folder)
        let sent = try await EarshotProcess.run(
            ["--home", pair.aliceHome, "send"] + pair.mesh
                + ["Bob", "--voice", recording, "--wait", "delivered", "--timeout", "60s"]
        )
        #expect(sent.status == 0, "\(sent)")
        #expect(sent.errors.contains("first minute"), "\(sent)")
        let (message, _) = try await Self.received(by: pair)
        let file = try #require(message.files?.first)
        #expect(file.cut == true)
        #expect((59.9...60).contains(file.duration ?? 0))
        try await pair.close()
    }

    @Test("What cannot be cleaned is refused with 65, the reason and what to do, and nothing is sent")
    func refusals() async throws {
        let pair = try await Self.friends()
        let text = pair.folder.path("notes.txt")
        try Data("no picture".utf8).write(to: URL(filePath: text))
        let heic = pair.folder.path("a.jpg")
        try Data([0, 0, 0, 24] + Array("ftypheic".utf8)).write(to: URL(filePath: heic))
        let cases = [
            ("--image", text, "send it as a file"), ("--image", heic, "export it as JPEG"),
            ("--voice", text, "Opus in Ogg or WebM"), ("--image", pair.folder.path("none"), "cannot be found"),
            ("--image", pair.folder.url.path, "is not a file"),
        ]
        for (option, path, reason) in cases {
            let run = try await pair.aliceSends("Bob", "see", option, path)
            #expect(run.status == 65 && run.output == "" && run.errors.contains(reason), "\(run)")
        }
        let edge = try await pair.aliceSends("Bob", "--image", text, "--longest-edge", "0")
        #expect(edge.status == 64 && edge.output == "", "\(edge)")
        let history = try await pair.bob.client.call(HistoryCall(conversation: "Alice"))
        #expect(history.map(\.text) == ["hello"])
        try await pair.close()
    }
}
