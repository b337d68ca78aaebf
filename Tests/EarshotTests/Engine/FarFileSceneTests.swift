import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Files to contacts in another mesh")
struct FarFileSceneTests {
    /// Two contacts whose meshes have parted some minutes ago.
    private static func apart() throws -> EngineWorld {
        let world = try EngineWorld()
        try world.friends()
        for node in 0...1 {
            try world.send("hello", from: node, to: world[1 - node].id)
            world.run(for: 3_000)
        }
        world.islands = [0, 1]
        world.run(minutes: 3)
        _ = world.takeSubmitted()
        return world
    }

    /// The mailboxes of the pieces that were written for them since the last call.
    private static func pieces(in world: EngineWorld) -> [MailboxTag] {
        world.takeSubmitted().filter { $0.kind == .farChunk }.compactMap { MailboxTag(ofMail: $0.body) }
    }

    @Test("Small files cross by the mailbox, and their message is confirmed once they are whole")
    func small() async throws {
        let world = try Self.apart()
        let files = [FileScene.bytes(200_000), FileScene.bytes(1), FileScene.bytes(262_144)]
        let message = try await world.send("three", files: files, to: world[1].id)
        world.run(for: 5_000)
        #expect(try world[0].statuses(to: world[1].id, at: world.now).last == .delivered)
        for (index, file) in files.enumerated() {
            #expect(try await world.content(of: message, index, at: 1) == file)
        }
        // All lie under the tag of the message, in sizes of messages, each once.
        let pieces = Self.pieces(in: world)
        #expect(pieces.count == 13 + 1 + 17)
        #expect(Set(pieces).count == 1)
        world.run(minutes: 10)
        #expect(Self.pieces(in: world).isEmpty)
    }

    @Test("A file too large for the mailbox waits until both are near")
    func large() async throws {
        let world = try Self.apart()
        let scene = try FileScene()
        let draft = FileDraft(try scene.file("large", FileScene.bytes(262_145)))
        let file = try await world[0].blobs.seal(draft, limit: 1 << 20)
        try world.step(0) { _ = try $0.send("large", files: [file], to: .direct(world[1].id)) }
        world.run(for: 5_000)
        #expect(try world[1].history(with: world[0].id, at: world.now).last?.text == "large")
        #expect(Self.pieces(in: world).isEmpty)
        #expect(try world[0].statuses(to: world[1].id, at: world.now).last == .carried)
    }

    @Test("Pieces that a hub has lost are written again on the next day")
    func lost() async throws {
        let world = try Self.apart()
        world.isHubUp = false
        let file = FileScene.bytes(50_000)
        let message = try await world.send("lost", files: [file], to: world[1].id)
        world.run(minutes: 5)
        let first = Self.pieces(in: world)
        world.isHubUp = true
        world.run(minutes: 24 * 60)
        let second = Self.pieces(in: world)
        #expect(first.count == 4 && second.count == 4)
        #expect(Set(first).isDisjoint(with: second))
        #expect(try await world.content(of: message, at: 1) == file)
        #expect(try world[0].statuses(to: world[1].id, at: world.now).last == .delivered)
    }

    @Test("A day has room for 512 pieces of one conversation; other files wait, and long texts do not")
    func room() async throws {
        let world = try Self.apart()
        world.isHubUp = false
        for number in 0..<4 {
            let files = (0..<8).map { _ in FileScene.bytes(262_144) }
            _ = try await world.send("\(number)", files: files, to: world[1].id)
            world.run(for: 1_000)
        }
        world.run(minutes: 5)
        #expect(Self.pieces(in: world).count == FarLimits.conversationPieceCount / 17 * 17)
        try await world.send(longText: String(repeating: "long ", count: 8_000), to: world[1].id)
        world.run(minutes: 5)
        #expect(Self.pieces(in: world).count == 3)
    }

    @Test("The room of a day has limits for all conversations, for files and for long texts")
    func limits() throws {
        var pieces = FarPieces()
        let conversations = (0..<3).map { ConversationID.direct(Numbered.peer($0)) }
        func take(_ count: Int, _ conversation: Int, isText: Bool = false) -> Bool {
            pieces.takeRoom(for: count, in: conversations[conversation], isText: isText)
        }
        for conversation in 0..<2 {
            #expect(take(FarLimits.conversationPieceCount, conversation))
            #expect(!take(1, conversation))
        }
        #expect(!take(1, 2))
        #expect(take(FarLimits.textPieceCount, 2, isText: true))
        #expect(!take(1, 2, isText: true))
    }

    @Test("Pieces that come before their message are taken from the store once it is there")
    func early() async throws {
        let world = try Self.apart()
        world.isHubUp = false
        let file = FileScene.bytes(50_000)
        let message = try await world.send("late", files: [file], to: world[1].id)
        world.run(minutes: 1)
        let submitted = world.submitted
        for piece in submitted where piece.kind == .farChunk { try world.receive(piece, at: 1) }
        for mail in submitted where mail.kind == .far { try world.receive(mail, at: 1) }
        world.run(for: 5_000)
        #expect(try await world.content(of: message, at: 1) == file)
    }
}
