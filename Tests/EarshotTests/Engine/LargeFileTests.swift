import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Large files in conversations")
struct LargeFileTests {
    /// Makes the reference of a message to a blob that no node has.
    ///
    /// This is enough for a test that fetches nothing.
    private static func file(_ byteCount: UInt64, _ number: UInt8 = 1) throws -> SealedFile {
        let root = [UInt8](repeating: number, count: 32)
        let reference = try #require(BlobReference(root: root, byteCount: byteCount))
        return SealedFile(
            file: "\(number)",
            reference: FileReference(name: "film.mp4", type: "video/mp4", reference: reference, key: root)
        )
    }

    private static func send(_ files: [SealedFile], in world: EngineWorld, from index: Int = 0) throws -> MessageID {
        var id: MessageID?
        try world.step(index) { id = try $0.send("", files: files, to: .direct(world[1].id)).id }
        world.run(for: 5_000)
        return try #require(id)
    }

    @Test("A large file is expected, and its message has no receipt before it is here")
    func expected() throws {
        let world = try EngineWorld()
        try world.friends()
        let message = try Self.send([try Self.file(1_000_000)], in: world)
        let id = BlobID(message: message, index: 0)
        let order = try #require(world[1].engine.attachments.blobs[id]?.order)
        #expect(order.peer == world[0].id)
        #expect(order.chunks == ChunkSet(chunkCount: 31))
        #expect(world.fragments == [])
        #expect(try world[0].statuses(to: world[1].id, at: world.now).last == .carried)
        try world.step(1) { try $0.completeFile(id) }
        world.run(for: 5_000)
        #expect(world[1].progressTold == [1_000_000])
        #expect(try world[1].hasAllFiles(of: world[0].id, at: world.now) == [true])
        #expect(try world[0].statuses(to: world[1].id, at: world.now).last == .delivered)
    }

    @Test("The last byte of a file is reported with its conversation, and then its message as it is from then on")
    func completion() throws {
        let world = try EngineWorld()
        try world.friends()
        let message = try Self.send([try Self.file(1_000_000, 1), try Self.file(2_000_000, 2)], in: world)
        let conversation = ConversationID.direct(world[0].id)
        let before = world[1].events.count
        for index in 0...1 { try world.step(1) { try $0.completeFile(BlobID(message: message, index: index)) } }
        var told: [ChatEvent] = []
        for (index, event) in world[1].events.dropFirst(before).enumerated() {
            guard case .changed(let changed) = event else {
                told.append(event)
                continue
            }
            #expect(changed.id == message && changed.conversation == conversation)
            #expect(changed.files.map(\.isComplete) == (index == 1 ? [true, false] : [true, true]))
        }
        #expect(
            told == [
                .progress(conversation, message, file: 0, byteCount: 1_000_000, total: 1_000_000),
                .progress(conversation, message, file: 1, byteCount: 2_000_000, total: 2_000_000),
            ]
        )
        #expect(world[1].events.count == before + 4)
    }

    @Test("What is noted of a large file is there after a restart, and what is missing is ordered again")
    func restart() throws {
        let world = try EngineWorld()
        try world.friends()
        let id = BlobID(message: try Self.send([try Self.file(1_000_000)], in: world), index: 0)
        var chunks = ChunkSet(chunkCount: 31)
        for index in [0, 7, 30] { chunks.insert(index) }
        try world.step(1) { try $0.noteChunks(chunks, of: id) }
        try world.restart(1)
        #expect(world[1].engine.attachments.blobs[id]?.order?.chunks == chunks)
        #expect(world[1].orders.last?.chunks == chunks)
    }

    @Test("An own object is for the peer whom its message went to, and for nobody else")
    func others() throws {
        let world = try EngineWorld(["Alice", "Bob", "Eve"])
        try world.friends()
        try world.step(0) { try $0.decide(.accept, about: world[2].id) }
        let message = try Self.send([try Self.file(1_000_000)], in: world)
        let root = [UInt8](repeating: 1, count: 32)
        func held(by index: Int, for other: Int) -> [BlobID] {
            world[index].engine.heldBlobs(root, for: world[other].id).map(\.id)
        }
        #expect(held(by: 0, for: 1) == [BlobID(message: message, index: 0)])
        #expect(held(by: 0, for: 2) == [])
        // The recipient does not give the blob to others either.
        #expect(held(by: 1, for: 0) == [] && held(by: 1, for: 2) == [])
    }

    @Test("A stranger's large files are not fetched before the user accepts")
    func unknownPeers() throws {
        let world = try EngineWorld()
        let id = BlobID(message: try Self.send([try Self.file(1_000_000)], in: world), index: 0)
        #expect(world[1].engine.attachments.blobs[id] == nil)
        #expect(world[1].orders == [])
        try world.step(1) { try $0.decide(.accept, about: world[0].id) }
        #expect(world[1].orders.map(\.id) == [id])
    }

    @Test("A file that is given up is fetched no more, its message is receipted, and another one is not affected")
    func cancellation() throws {
        let world = try EngineWorld()
        try world.friends()
        let message = try Self.send([try Self.file(1_000_000, 1), try Self.file(2_000_000, 2)], in: world)
        try world.step(1) { try $0.cancelFile(0, of: message) }
        #expect(world[1].failures == [.fileFailed(.direct(world[0].id), message, file: 0, .cancelled)])
        #expect(world[1].engine.attachments.blobs.count == 1)
        world.run(for: 5_000)
        #expect(try world[0].statuses(to: world[1].id, at: world.now).last == .carried)
        for index in [0, 2] {
            let error = #expect(throws: ChatError.self) {
                try world.step(1) { try $0.cancelFile(index, of: message) }
            }
            #expect(error?.code == .notFound)
        }
        try world.step(1) { try $0.cancelFile(1, of: message) }
        world.run(for: 5_000)
        #expect(try world[0].statuses(to: world[1].id, at: world.now).last == .delivered)
        try world.restart(1)
        #expect(world[1].engine.attachments.blobs.count == 0)
    }

    @Test("What is not whole after seven days is given up at both ends")
    func expiry() throws {
        let world = try EngineWorld()
        try world.friends()
        let message = try Self.send([try Self.file(1_000_000)], in: world)
        world.sleep(for: ChatLimits.fileAge - 60_000)
        #expect(world[1].engine.attachments.blobs.count == 1)
        world.sleep(for: 180_000)
        #expect(world[1].failures == [.fileFailed(.direct(world[0].id), message, file: 0, .expired)])
        #expect(world[1].engine.attachments.blobs.count == 0)
        #expect(try world[0].statuses(to: world[1].id, at: world.now).last == .failed(.expired))
        try world.restart(1)
        world.run(for: 10_000)
        #expect(try world[0].statuses(to: world[1].id, at: world.now).last == .failed(.expired))
    }

    @Test("Who has something large for a peer shows where it is, until that has it")
    func offer() throws {
        let world = try EngineWorld()
        try world.friends()
        try world.send("hello yourself", from: 1, to: world[0].id)
        world.run(for: 1_000)
        let message = try Self.send([try Self.file(1_000_000)], in: world)
        let count = world.helloCount
        try world.step(0) { $0.offerPaths() }
        #expect(world.helloCount == count + 1)
        world.run(for: 1_000)
        #expect(world[1].engine.paths.bestPath(to: world[0].id) != nil)
        try world.step(1) { try $0.completeFile(BlobID(message: message, index: 0)) }
        world.run(for: 120_000)
        try world.step(0) { $0.offerPaths() }
        #expect(world.helloCount == count + 1)
    }
}
