import ChatCrypto
import ChatHistory
import Earshot
import Testing

@testable import ChatCore

/// Each fact is encoded field by field in the protobuf format, so that the tests detect a change of the format.
@Suite("What messages say of pictures and voice notes")
struct MediaFactsTests {
    private static let peaks = (0..<64).map { UInt8($0) }

    private static func picture(_ width: UInt64, _ height: UInt64) -> [UInt8] {
        ContentBytes.field(40, ContentBytes.number(1, width) + ContentBytes.number(2, height))
    }

    private static func voice(_ duration: UInt64, _ peaks: [UInt8] = peaks, cut: UInt64 = 0) -> [UInt8] {
        ContentBytes.field(
            41,
            ContentBytes.number(1, duration) + ContentBytes.field(2, peaks) + ContentBytes.number(3, cut)
        )
    }

    /// Returns the only file of a text with such a file; nil if the decoder refuses it.
    private static func file(_ type: String, _ size: UInt64, _ media: [UInt8]) -> FileReference? {
        let content = ContentBytes.media(type: type, size: size, media)
        guard case .text(let text) = MessageContent.decode(content)?.body else { return nil }
        return text.files.first
    }

    @Test(
        "Pictures within bounds are taken",
        arguments: [
            ("image/png", 1, 1, 1), ("image/jpeg", 33_554_432, 16_384, 3_051), ("image/gif", 9, 1, 16_384),
            ("image/webp", 9, 7_000, 7_000),
        ] as [(String, UInt64, UInt64, UInt64)]
    )
    func pictures(type: String, size: UInt64, width: UInt64, height: UInt64) throws {
        let facts = try #require(ImageFacts(width: Int(width), height: Int(height)))
        let file = Self.file(type, size, Self.picture(width, height))
        #expect(file?.media == .image(facts))
        #expect(file?.type == type)
    }

    @Test(
        "Pictures that cannot be are refused with their message",
        arguments: [
            ("image/png", 1, 0, 1), ("image/png", 1, 1, 0), ("image/png", 1, 16_385, 1), ("image/png", 1, 1, 16_385),
            ("image/png", 1, 16_384, 3_052), ("image/png", 1, 1_000_000_000, 1_000_000_000),
            ("image/png", 1, .max, .max), ("image/png", 0, 1, 1), ("image/png", 33_554_433, 1, 1),
            ("image/svg+xml", 1, 1, 1), ("audio/ogg", 1, 1, 1), ("what", 1, 1, 1),
        ] as [(String, UInt64, UInt64, UInt64)]
    )
    func falsePictures(type: String, size: UInt64, width: UInt64, height: UInt64) {
        #expect(MessageContent.decode(ContentBytes.media(type: type, size: size, Self.picture(width, height))) == nil)
    }

    @Test("Voice notes within bounds are taken")
    func voices() throws {
        let short = Self.file("audio/ogg", 1, Self.voice(1))
        #expect(short?.media == VoiceFacts(milliseconds: 1, peaks: Self.peaks).map(MediaFacts.voice))
        let long = Self.file("audio/ogg", 4_194_304, Self.voice(60_000, cut: 1))
        #expect(
            long?.media == VoiceFacts(milliseconds: 60_000, peaks: Self.peaks, isCut: true).map(MediaFacts.voice)
        )
        #expect(short?.media != nil && long?.media != nil)
    }

    @Test(
        "Voice notes that cannot be are refused with their message",
        arguments: [
            ("audio/ogg", 1, 0, 64), ("audio/ogg", 1, 60_001, 64), ("audio/ogg", 1, .max, 64),
            ("audio/ogg", 1, 1, 63), ("audio/ogg", 1, 1, 65), ("audio/ogg", 1, 1, 0), ("audio/ogg", 0, 1, 64),
            ("audio/ogg", 4_194_305, 1, 64), ("audio/mpeg", 1, 1, 64), ("image/png", 1, 1, 64),
        ] as [(String, UInt64, UInt64, Int)]
    )
    func falseVoices(type: String, size: UInt64, duration: UInt64, peakCount: Int) {
        let voice = Self.voice(duration, [UInt8](repeating: 1, count: peakCount))
        #expect(MessageContent.decode(ContentBytes.media(type: type, size: size, voice)) == nil)
    }

    @Test("A file of which nothing is said is only a file, whatever its type")
    func files() {
        let file = Self.file("image/png", 1 << 32, [])
        #expect(file != nil)
        #expect(file?.media == nil)
    }

    @Test("What is written is what the protocol has")
    func written() async throws {
        let world = try EngineWorld()
        try world.friends()
        let image = try #require(ImageFacts(width: 30, height: 20).map(MediaFacts.image))
        let voice = try #require(
            VoiceFacts(milliseconds: 1_500, peaks: Self.peaks, isCut: true).map(MediaFacts.voice)
        )
        let picture = CleanMedia(bytes: [1], type: "image/jpeg", facts: image)
        let note = CleanMedia(bytes: [2], type: "audio/ogg", facts: voice)
        let blobs = world[0].blobs
        let files = [try await blobs.seal(picture, name: "a.jpg"), try await blobs.seal(note, name: "b.ogg")]
        var id: MessageID?
        try world.step(0) { id = try $0.send("", files: files, to: .direct(world[1].id)).id }
        let sent = try #require(id)
        let record = try #require(try world[0].stored(.messages, sent.bytes))
        #expect(record.ranges(of: Self.picture(30, 20)).count == 1)
        #expect(record.ranges(of: Self.voice(1_500, cut: 1)).count == 1)
    }

    @Test("What is said outlives a restart, and the message says it on both sides")
    func restart() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        try scene.bring(ContentBytes.media(type: "image/png", size: 9, Self.picture(30, 20)), from: &bob)
        let facts = ImageFacts(width: 30, height: 20).map(MediaFacts.image)
        #expect(try scene.alice.history(with: bob.id, at: scene.now).flatMap(\.files).map(\.media) == [facts])
        try scene.world.restart(0)
        #expect(try scene.alice.history(with: bob.id, at: scene.now).flatMap(\.files).map(\.media) == [facts])
    }

    @Test("A false picture is dropped, and what follows is shown")
    func dropped() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let picture = Self.picture(1_000_000, 1_000)
        let id = try scene.bring(ContentBytes.media(type: "image/png", size: 9, picture), from: &bob)
        #expect(try scene.alice.store.count(.messages, conversation: nil) == 0)
        #expect(scene.engine.attachments.blobs.count == 0)
        let next = try scene.bring(ContentBytes.text("next", order: 1), from: &bob)
        #expect(try scene.texts(with: bob) == ["next"])
        #expect(try scene.confirmed(to: &bob, among: [id, next]) == [next])
    }

    @Test("A stranger's pictures and voice notes are not fetched before the user accepts", arguments: [9, 1 << 20])
    func unknownPeers(size: UInt64) throws {
        let scene = try ScriptedWorld()
        var eve = try scene.peer("Eve")
        for (order, (type, media)) in [("image/png", Self.picture(9, 9)), ("audio/ogg", Self.voice(9))].enumerated() {
            let content = ContentBytes.media(type: type, size: size, order: UInt64(order + 1), media)
            try scene.bring(content, from: &eve)
        }
        scene.world.run(for: 10_000)
        #expect(
            try scene.alice.history(with: eve.id, at: scene.now).flatMap(\.files).map(\.isComplete) == [false, false]
        )
        #expect(scene.engine.attachments.blobs.count == 0)
        #expect(scene.alice.orders == [] && scene.alice.recalled.isEmpty && scene.alice.blobFiles == [])
        try scene.decide(.accept, about: eve)
        #expect(scene.engine.attachments.blobs.count == 2)
    }
}

extension ContentBytes {
    /// Encodes a file with facts about its media, without a text.
    static func media(type: String, size: UInt64, order: UInt64 = 1, _ media: [UInt8]) -> [UInt8] {
        let key = [UInt8](repeating: 4, count: 32)
        let file =
            field(1, Array("a".utf8)) + field(2, Array(type.utf8)) + number(3, size)
            + field(4, [UInt8](repeating: UInt8(order), count: 32)) + field(5, key) + media
        return frame(order: order, sentAt: 1_800_000_000_000) + field(4, field(2, file))
    }
}
