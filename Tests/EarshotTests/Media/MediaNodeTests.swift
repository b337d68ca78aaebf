import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

@Suite("Pictures and voice notes between nodes", .timeLimit(.minutes(30)))
struct MediaNodeTests {
    private static let image: [UInt8] = [1, 200, 5, 201, 6]
    private static let voice: [UInt8] = [2, 200, 7, 7, 7]

    @Test("What goes is what the cleaner leaves, under a name that tells nothing, with what is said of it")
    func clean() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let scene = try FileScene()
        let alice = try await LiveNode("Alice", mesh, cleaner: PickyCleaner())
        let bob = try await LiveNode("Bob", mesh, cleaner: PickyCleaner())
        let files: [FileDraft] = [
            .image(try scene.file("Anna at home.jpg", Self.image), longestEdge: 9),
            .voice(try scene.file("2026-11-21 Anna.opus", Self.voice)),
            .image(try scene.file("b", Self.image), name: "sunset"),
        ]
        let peaks = [UInt8](repeating: 9, count: 64)
        let facts = [
            try #require(ImageFacts(width: 3, height: 9).map(MediaFacts.image)),
            try #require(VoiceFacts(milliseconds: 4, peaks: peaks, isCut: true).map(MediaFacts.voice)),
            try #require(ImageFacts(width: 3, height: 1).map(MediaFacts.image)),
        ]
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            try await bob.node.contacts.decide(.accept, about: try await bob.meets("Alice"))
            let sent = try await alice.node.conversation(.direct(bobID)).send("see", files: files)
            for index in files.indices { try await bob.hasFile(index, of: sent.id) }
            let received = try #require(try await bob.node.conversation(.direct(sent.sender)).history().last)
            for message in [sent, received] {
                #expect(message.files.map(\.name) == ["picture.png", "voice.ogg", "sunset.png"])
                #expect(message.files.map(\.type) == ["image/png", "audio/ogg", "image/png"])
                #expect(message.files.map(\.media) == facts)
            }
            for (index, bytes) in ([[1, 5, 6], [2, 7, 7, 7], [1, 5, 6]] as [[UInt8]]).enumerated() {
                #expect(try await scene.content(of: sent.id, index, at: bob.node) == bytes)
            }
        }
    }

    @Test("What is refused, or too large to be cleaned, is not sent, and nothing of it is kept")
    func refused() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let scene = try FileScene()
        let home = try TestHome()
        let alice = try await LiveNode("Alice", mesh, home: .directory(home.directory), cleaner: PickyCleaner())
        let bob = try await LiveNode("Bob", mesh)
        let large = try scene.file("large", Self.image)
        try FileHandle(forWritingTo: large).truncate(atOffset: UInt64(MediaLimits.sourceByteCount) + 1)
        let good = FileDraft.image(try scene.file("good", Self.image))
        let cases: [(FileDraft, ChatError.Code)] = [
            (.image(try scene.file("a", Self.voice)), .mediaRefused),
            (.voice(try scene.file("b", Self.image)), .mediaRefused),
            (.image(large), .tooLarge), (.voice(large), .tooLarge),
            (.image(scene.copies), .fileUnusable), (.image(URL(filePath: "/dev/zero")), .fileUnusable),
        ]
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            for (draft, code) in cases {
                let error = await #expect(throws: ChatError.self) {
                    try await alice.node.conversation(.direct(bobID)).send("", files: [good, draft])
                }
                #expect(error?.code == code)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: home.file("blobs").path) == [])
            #expect(try await alice.node.conversation(.direct(bobID)).history() == [])
        }
    }

    @Test("Without a cleaner nothing goes as a picture or voice note, and the same goes as a file")
    func noCleaner() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let scene = try FileScene()
        let home = try TestHome()
        let alice = try await LiveNode("Alice", mesh, home: .directory(home.directory))
        let bob = try await LiveNode("Bob", mesh)
        let url = try scene.file("a.png", Self.image)
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            for draft in [FileDraft.image(url), .voice(url)] {
                let files = [FileDraft(url), draft]
                let error = await #expect(throws: ChatError.self) {
                    try await alice.node.conversation(.direct(bobID)).send("", files: files)
                }
                #expect(error?.code == .noMediaCleaner)
                #expect(error?.reason.contains("as a file") == true)
            }
            #expect(await alice.node.status.outboxCount == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: home.file("blobs").path) == [])
            let sent = try await alice.node.conversation(.direct(bobID)).send("", files: [FileDraft(url)])
            #expect(sent.files.map(\.name) == ["a.png"])
            #expect(sent.files.map(\.media) == [nil])
        }
    }

    @Test("What is something else than its message says is not handed out")
    func falseMedia() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let scene = try FileScene()
        let alice = try await LiveNode("Alice", mesh, cleaner: PickyCleaner())
        let bob = try await LiveNode("Bob", mesh, cleaner: PickyCleaner(isBelieving: false))
        let picture = FileDraft.image(try scene.file("a.png", Self.image))
        let file = FileDraft(try scene.file("b.png", Self.image))
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            try await bob.node.contacts.decide(.accept, about: try await bob.meets("Alice"))
            let sent = try await alice.node.conversation(.direct(bobID)).send("", files: [picture, file])
            for index in 0..<2 { try await bob.hasFile(index, of: sent.id) }
            let error = await #expect(throws: ChatError.self) { try await scene.content(of: sent.id, at: bob.node) }
            #expect(error?.code == .mediaRefused)
            #expect(try FileManager.default.contentsOfDirectory(atPath: scene.copies.path) == [])
            #expect(try await scene.content(of: sent.id, 1, at: bob.node) == Self.image)
        }
    }

    @Test("However many are sent at once, one is cleaned at a time")
    func oneAtATime() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let scene = try FileScene()
        let cleaner = PickyCleaner()
        let alice = try await LiveNode("Alice", mesh, cleaner: cleaner)
        let bob = try await LiveNode("Bob", mesh)
        let urls = try (0..<16).map { try scene.file("\($0)", [1] + FileScene.bytes(10_000)) }
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for url in urls {
                    group.addTask { try await alice.node.conversation(.direct(bobID)).send("", files: [.image(url)]) }
                }
                try await group.waitForAll()
            }
        }
        #expect(cleaner.mostAtOnce == 1)
    }
}
