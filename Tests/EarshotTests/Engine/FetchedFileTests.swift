import ChatCrypto
import ChatHistory
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Files that wait for room or are asked for")
struct FetchedFileTests {
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
        try world.step(index) { id = try $0.send("", files: files, to: .direct(world[1 - index].id)).id }
        world.run(for: 5_000)
        return try #require(id)
    }

    /// Makes two contacts.
    ///
    /// The second has space for `limit` bytes.
    private static func world(limit: UInt64) throws -> (world: EngineWorld, space: MediaQuota) {
        let (world, space) = (try EngineWorld(), MediaQuota(limit: limit))
        try world.friends()
        try world.step(1) { engine in engine.attachments.join(space.share()) }
        return (world, space)
    }

    @Test("What there is no room for waits while its message is confirmed, and is fetched in order when something goes")
    func parked() throws {
        let (world, space) = try Self.world(limit: 1_000_000)
        let first = try Self.send([try Self.file(900_000, 1)], in: world)
        let waiting = try Self.send([try Self.file(10, 2), try Self.file(600_000, 3)], in: world)
        let last = try Self.send([try Self.file(300_000, 4)], in: world)
        let sender = ConversationID.direct(world[0].id)
        let failures = [(waiting, 0), (waiting, 1), (last, 0)].map { message, index in
            ChatEvent.fileFailed(sender, message, file: index, .noRoom)
        }
        #expect(world[1].failures == failures)
        #expect(space.byteCount == 900_000 && world[1].orders.map(\.id.message) == [first])
        let statuses = try world[0].statuses(to: world[1].id, at: world.now)
        #expect(statuses == [.carried, .delivered, .delivered])
        let files = try world[1].history(with: world[0].id, at: world.now).flatMap(\.files)
        #expect(files.allSatisfy { !$0.isComplete && $0.isExpected })

        try world.step(1) { try $0.delete(first, forEveryone: false) }
        world.run(for: 1_000)
        let ids = [
            BlobID(message: waiting, index: 0), BlobID(message: waiting, index: 1), BlobID(message: last, index: 0),
        ]
        #expect(world[1].orders.dropFirst().map(\.id) == ids)
        #expect(space.byteCount == 900_010)
        try world.step(1) { engine in
            for id in ids { try engine.completeFile(id) }
        }
        #expect(world[1].progressTold == [10, 600_000, 300_000])
        world.run(for: 5_000)
        for node in world.nodes { #expect(try node.isAtRest) }
    }

    @Test(
        "What waits does so over a restart, is looked at again with other rooms' files gone, and goes after seven days"
    )
    func parkedLong() throws {
        let (world, space) = try Self.world(limit: 1_000_000)
        let room = space.share()
        #expect(room.take(999_999))
        let message = try Self.send([try Self.file(500_000)], in: world)
        let id = BlobID(message: message, index: 0)
        try world[1].restore(at: world.now)
        try world.step(1) { engine in
            engine.attachments.join(space.share())
            try engine.begin()
        }
        let objects = world[1].engine.attachments.blobs
        #expect(objects[id]?.isParked == true && objects.byteCount == 0)
        room.set(0)
        world.sleep(for: 61_000)
        #expect(world[1].engine.attachments.blobs[id]?.order?.peer == world[0].id)

        let (other, full) = try Self.world(limit: 10)
        let late = try Self.send([try Self.file(11)], in: other)
        other.sleep(for: ChatLimits.fileAge + 60_000)
        #expect(other[1].failures == [.noRoom, .expired].map { .fileFailed(.direct(other[0].id), late, file: 0, $0) })
        #expect(other[1].engine.attachments.blobs.count == 0 && full.byteCount == 0)
    }

    @Test("Files of one's own beyond the room are refused and leave nothing, texts of any length are no files")
    func own() async throws {
        let (world, space) = try Self.world(limit: 1_000_000)
        let error = #expect(throws: ChatError.self) { try Self.send([try Self.file(1_000_001)], in: world, from: 1) }
        #expect(error?.code == .limited && error?.limit == 1_000_000)
        #expect(space.byteCount == 0 && world[1].engine.attachments.blobs.count == 0)
        _ = try Self.send([try Self.file(1_000_000)], in: world, from: 1)
        #expect(space.byteCount == 1_000_000)
        let text = String(repeating: "x", count: ChatLimits.longTextByteCount)
        try await world.send(longText: text, to: world[1].id)
        world.run(for: 5_000)
        #expect(try world[1].textsReceived(from: world[0].id, at: world.now) == [text])
    }

    @Test("What was given up is fetched once more when it is asked for, however small, over a restart too")
    func again() throws {
        let (world, space) = try Self.world(limit: 1_000_000)
        let message = try Self.send([try Self.file(1_000, 1), try Self.file(500_000, 2)], in: world)
        for index in 0...1 { try world.step(1) { try $0.cancelFile(index, of: message) } }
        #expect(space.byteCount == 0)
        let count = world[1].orders.count
        for index in [0, 1, 1] { try world.step(1) { try $0.fetchFile(index, of: message) } }
        #expect(world[1].orders.dropFirst(count).map(\.id.index) == [0, 1] && space.byteCount == 501_000)
        let order = try #require(world[1].orders.last { $0.id.index == 0 })
        #expect(order.peer == world[0].id && order.others == [] && order.chunks == ChunkSet(chunkCount: 1))
        try world.restart(1)
        #expect(world[1].orders.last { $0.id.index == 0 } == order)
        #expect(world[1].engine.attachments.blobs[order.id]?.isPulled == true)
        let root = [UInt8](repeating: 1, count: 32)
        #expect(world[0].engine.heldBlobs(root, for: world[1].id).map(\.id) == [order.id])

        try world.step(1) { try $0.missFile(order.id) }
        #expect(world[1].failures.last == .fileFailed(.direct(world[0].id), message, file: 0, .gone))
        #expect(world[1].engine.attachments.blobs.count == 1)
        try world.step(1) { try $0.fetchFile(0, of: message) }
        #expect(world[1].engine.attachments.blobs.count == 2)
    }

    @Test("Of very many objects that lost their pieces, so many begin to be fetched at once, and the others after them")
    func overdueLimit() throws {
        let world = try EngineWorld()
        try world.friends()
        let files = try (1...16).map { try Self.file(1_000, $0) }
        for _ in 0..<17 { try world.step(0) { _ = try $0.send("", files: files, to: .direct(world[1].id)) } }
        for _ in 0..<12 where world[1].orders.isEmpty { world.run(for: 10_000) }
        #expect(world[1].orders.count == ChatLimits.overdueCount)
        world.run(for: 60_000)
        #expect(Set(world[1].orders.map(\.id)).count == 17 * 16 && world[1].orders.count == 17 * 16)
    }

    @Test("What comes by itself is not given up because its sender has not got it now")
    func notMissed() throws {
        let world = try EngineWorld()
        try world.friends()
        let message = try Self.send([try Self.file(500_000)], in: world)
        try world.step(1) { try $0.missFile(BlobID(message: message, index: 0)) }
        #expect(world[1].failures == [] && world[1].engine.attachments.blobs.count == 1)
    }

    @Test(
        "Nothing is asked for that there is not, that was sent from here, of a stranger, or that there is no room for"
    )
    func refusals() throws {
        let (world, space) = try Self.world(limit: 1_000)
        let message = try Self.send([try Self.file(1_000)], in: world)
        let own = try Self.send([], text: "mine", in: world)
        func refusal(_ message: MessageID, _ index: Int = 0, at node: Int = 1) -> ChatError.Code? {
            EarshotTests.refusal { try world.step(node) { try $0.fetchFile(index, of: message) } }
        }
        #expect(refusal(message) == nil && refusal(message, 1) == .notFound && refusal(own) == .notFound)
        #expect(refusal(Numbered.message(9)) == .notFound)
        try world.step(0) {
            $0.attachments.forget(message, isOutgoing: true)
            try $0.settleAttachments()
        }
        #expect(refusal(message, at: 0) == .notHere)
        try world.step(1) { try $0.cancelFile(0, of: message) }
        let room = space.share()
        #expect(room.take(1))
        #expect(refusal(message) == .limited)
        room.set(0)
        try world.step(1) { try $0.decide(.block, about: world[0].id) }
        #expect(refusal(message) == .refusedByTrust)
        #expect(world[1].engine.attachments.blobs.count == 0 && space.byteCount == 0)
    }

    private static func send(_ files: [SealedFile], text: String, in world: EngineWorld) throws -> MessageID {
        var id: MessageID?
        try world.step(1) { id = try $0.send(text, files: files, to: .direct(world[0].id)).id }
        world.run(for: 5_000)
        return try #require(id)
    }
}
