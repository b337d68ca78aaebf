import Bytes
import ChatCrypto
import Earshot
import Foundation
import MeshCore
import Testing

@testable import ChatCore

@Suite("Files under attack, restarts and full disks")
struct HostileFileTests {
    @Test("Forged pieces under a genuine tag change nothing, and the genuine ones still count")
    func forged() async throws {
        let world = try EngineWorld()
        try world.friends()
        let bytes = FileScene.bytes(100_000)
        world.deaf = [1]
        let message = try await world.send(files: [bytes], to: world[1].id)
        world.run(for: 5_000)
        let genuine = world.fragments
        #expect(genuine.count == 7)
        world.deaf = []
        try world.bringMessages(to: 1)
        for (number, fragment) in genuine.enumerated() {
            var forgeries: [[UInt8]] = []
            for place in [0, 7, 8, 15, 16, 19, 20, fragment.body.count - 1] {
                var body = fragment.body
                body[place] ^= 1
                forgeries.append(body)
            }
            forgeries += [fragment.body + [0], fragment.body.dropLast(), Array(fragment.body.prefix(20)), []]
            forgeries.append(Array(fragment.body.prefix(20)) + genuine[(number + 1) % 7].body.dropFirst(20))
            for body in forgeries { try world.receive(Submission(.chunk, body, 100), at: 1) }
        }
        #expect(world[1].progressTold == [])
        for fragment in genuine.shuffled() { try world.receive(fragment, at: 1) }
        #expect(try await world.content(of: message, at: 1) == bytes)
    }

    @Test("Pieces of an object that is not the one named are refused as a whole, and the right ones count afterwards")
    func wrongObject() async throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let source = BlobFolder()
        defer { source.close() }
        let files = try FileScene()
        let draft = FileDraft(try files.file("a.bin", FileScene.bytes(30_000)))
        let sealed = try await source.seal(draft, limit: 100_000)
        let named = sealed.reference
        let content = ContentBytes.files([named], order: 1)
        let id = try scene.bring(content, from: &bob)
        let right = source.read(sealed.file, at: 0, count: 30_016) ?? []
        for isRight in [false, true] {
            for start in [0, 16_360] {
                var fragment = Array(right[start..<min(start + 16_360, right.count)])
                if !isRight { fragment[5] ^= 1 }
                let index = UInt32(start / 16_360)
                let label = ChunkLabel(root: named.reference.root, index: index, fragment: fragment)
                try scene.world.receive(Submission(.chunk, label.bytes + index.bigEndianBytes + fragment, 100))
            }
            #expect(try scene.alice.hasAllFiles(of: bob.id, at: scene.now) == [isRight])
        }
        #expect(try await scene.world.content(of: id, at: 0) == FileScene.bytes(30_000))
    }

    @Test("A restart after any piece goes on with what is missing", arguments: 0...7)
    func restart(after count: Int) async throws {
        let world = try EngineWorld()
        try world.friends()
        world.deaf = [1]
        let bytes = FileScene.bytes(100_000)
        let message = try await world.send(files: [bytes], to: world[1].id)
        world.run(for: 5_000)
        world.deaf = []
        try world.bringMessages(to: 1)
        for fragment in world.fragments.prefix(count) { try world.receive(fragment, at: 1) }
        try world[1].restore(at: world.now)
        world[1].forgetEvents()
        for fragment in world.fragments { try world.receive(fragment, at: 1) }
        #expect(world[1].progressTold.count == 7 - count)
        #expect(try await world.content(of: message, at: 1) == bytes)
        world.run(for: 5_000)
        #expect(try world[0].statuses(to: world[1].id, at: world.now).last == .delivered)
    }

    @Test("A crash anywhere loses no file", arguments: [1, 2, 3, 4] as [UInt64])
    func crashes(seed: UInt64) async throws {
        let world = try EngineWorld(quality: EngineWorld.Quality(), seed: seed)
        try world.friends()
        let bytes = FileScene.bytes(150_000)
        let message = try await world.send(files: [bytes], to: world[1].id)
        world.crashesLeft = 5
        world.run(for: 60_000)
        #expect(world.crashCount > 0)
        world.crashesLeft = 0
        world.run(for: 30_000)
        #expect(try await world.content(of: message, at: 1) == bytes)
        #expect(try world[0].statuses(to: world[1].id, at: world.now).last == .delivered)
    }

    @Test("While the store refuses nothing of a file counts, and with room again all of it comes")
    func fullStore() async throws {
        let world = try EngineWorld()
        try world.friends()
        world[1].store.isFull = true
        let bytes = FileScene.bytes(60_000)
        let message = try await world.send(files: [bytes], to: world[1].id)
        world.run(for: 10_000)
        #expect(world[1].progressTold == [])
        world[1].store.isFull = false
        world.run(for: 10_000)
        #expect(try await world.content(of: message, at: 1) == bytes)
    }

    @Test("Files that no record knows are swept at the start, others stay")
    func orphans() async throws {
        let world = try EngineWorld()
        try world.friends()
        let message = try await world.send(files: [[1, 2, 3]], to: world[1].id)
        world.run(for: 5_000)
        let files = world[1].blobFiles
        #expect(files.count == 1)
        try world[1].blobs.write([BlobFolder.Write(file: "left", offset: 0, bytes: [1])])
        try world[1].restore(at: world.now)
        #expect(world[1].blobFiles == files)
        #expect(try await world.content(of: message, at: 1) == [1, 2, 3])
    }

    @Test("A damaged object is told and leaves no copy")
    func damaged() async throws {
        let world = try EngineWorld()
        try world.friends()
        let message = try await world.send(files: [FileScene.bytes(40_000)], to: world[1].id)
        world.run(for: 5_000)
        let file = try #require(world[1].blobFiles.first)
        try world[1].blobs.write([BlobFolder.Write(file: file, offset: 35_000, bytes: [1, 2, 3])])
        let error = await #expect(throws: ChatError.self) { try await world.content(of: message, at: 1) }
        #expect(error?.code == .fileUnusable)
    }
}

extension EngineWorld {
    /// Gives a node every submission except fragments, and lets the node process them.
    func bringMessages(to index: Int) throws {
        for submission in submitted where submission.kind != .chunk { try receive(submission, at: index) }
    }
}

extension ContentBytes {
    /// Encodes files without a text (PROTOCOL §10).
    static func files(_ files: [FileReference], order: UInt64) -> [UInt8] {
        frame(order: order, sentAt: 1_800_000_000_000)
            + field(
                4,
                files.flatMap { file in
                    field(
                        2,
                        field(1, Array(file.name.utf8)) + field(2, Array(file.type.utf8))
                            + number(3, file.reference.byteCount) + field(4, file.reference.root) + field(5, file.key)
                    )
                }
            )
    }
}
