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

    /// The pieces that were written for mailboxes since the last call.
    private static func pieces(in world: EngineWorld) -> [MailboxMessage] {
        world.takeSubmitted().filter { $0.kind == .far }.compactMap { MailboxMessage(decoding: $0.body) }
            .filter { $0.content == .piece }
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
        #expect(Set(pieces.map(\.tag)).count == 1)
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
        #expect(Set(first.map(\.tag)) != Set(second.map(\.tag)))
        #expect(try await world.content(of: message, at: 1) == file)
        #expect(try world[0].statuses(to: world[1].id, at: world.now).last == .delivered)
    }

    @Test("A day has room for 1,024 pieces; other files wait for the next one")
    func room() async throws {
        let world = try Self.apart()
        world.isHubUp = false
        for number in 0..<8 {
            let files = (0..<8).map { _ in FileScene.bytes(262_144) }
            _ = try await world.send("\(number)", files: files, to: world[1].id)
            world.run(for: 1_000)
        }
        world.run(minutes: 5)
        #expect(Self.pieces(in: world).count == FarLimits.pieceCountOfDay / 17 * 17)
    }
}
