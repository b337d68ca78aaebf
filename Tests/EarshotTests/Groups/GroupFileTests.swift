import Bytes
import ChatCrypto
import ChatHistory
import Foundation
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Files and long texts in groups")
struct GroupFileTests {
    /// Makes the reference of a message to a large blob that no node has.
    ///
    /// This is enough for a test that fetches nothing.
    private static func large(_ number: UInt8 = 1) throws -> SealedFile {
        let root = [UInt8](repeating: number, count: 32)
        let reference = try #require(BlobReference(root: root, byteCount: 1_000_000))
        return SealedFile(
            file: "\(number)",
            reference: FileReference(name: "film.mp4", type: "video/mp4", reference: reference, key: root)
        )
    }

    @Test("Small files go out once for all members, and each confirms the message when all of them are there")
    func small() async throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        try scene.say("first", by: 0, in: group)
        scene.world.run(for: 5_000)
        _ = scene.world.takeSubmitted()
        let files = [FileScene.bytes(40_000), [7], []]
        let id = try await scene.send("look", files: files, by: 0, in: group)
        #expect(scene.world.takeSubmitted().map(\.kind) == [.sealed] + Array(repeating: .chunk, count: 5))
        scene.world.run(for: 10_000)
        for index in 1...2 {
            for (place, bytes) in files.enumerated() {
                #expect(try await scene.world.content(of: id, place, at: index) == bytes)
            }
            #expect(try scene.messages(group, of: index).last?.files.map(\.isComplete) == [true, true, true])
        }
        #expect(try scene.status(of: id, at: 0) == .delivered)
        for node in scene.world.nodes { #expect(try node.isAtRest) }
    }

    @Test("Pieces that a member forges count no more once a path brings the object, whose bytes are compared")
    func forgedPieces() async throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let world = scene.world
        world.deaf = [2]
        world.holdsPieces = false
        let bytes = FileScene.bytes(30_000)
        let message = try await scene.send("look", files: [bytes], by: 0, in: group)
        world.run(for: 5_000)
        world.deaf = []
        try world.bringMessages(to: 2)
        let id = BlobID(message: message, index: 0)
        let entry = try #require(world[2].engine.attachments.blobs[id])
        func forge() throws {
            let rest = Int(entry.reference.sealedByteCount) - ChunkFragment.byteCount
            for (index, size) in [(0, ChunkFragment.byteCount), (1, rest)] as [(UInt32, Int)] {
                let fragment = [UInt8](repeating: 9, count: size)
                let label = ChunkLabel(root: entry.reference.root, index: index, fragment: fragment)
                try world.receive(Submission(.chunk, label.bytes + index.bigEndianBytes + fragment, 100), at: 2)
            }
        }
        try forge()
        #expect(world[2].engine.attachments.blobs[id]?.isComplete == false)
        world.run(for: 100_000)
        #expect(world[2].orders.map(\.id) == [id])
        world[2].forgetEvents()
        try forge()
        #expect(world[2].progressTold == [] && world[2].engine.attachments.blobs[id]?.fragments?.count == 0)
        #expect(try await world[2].blobs.addHashes(of: entry.reference, to: entry.file) == false)
        let genuine = world[0].blobs.read(world[0].engine.attachments.blobs[id]?.file ?? "", at: 0, count: 30_016)
        try world[2].blobs.write([.init(file: entry.file, offset: 0, bytes: try #require(genuine))])
        #expect(try await world[2].blobs.addHashes(of: entry.reference, to: entry.file))
        try world.step(2) { try $0.completeFile(id) }
        #expect(try await world.content(of: message, at: 2) == bytes)
    }

    @Test("No member confirms a message before its files are there, over restarts too")
    func receipts() async throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        try scene.say("first", by: 0, in: group)
        scene.world.run(for: 5_000)
        scene.world.holdsPieces = false
        scene.world.deaf = [2]
        let bytes = FileScene.bytes(40_000)
        let id = try await scene.send(files: [bytes], by: 0, in: group)
        scene.world.run(for: 5_000)
        scene.world.deaf = []
        try scene.world.bringMessages(to: 2)
        scene.world.run(for: 10_000)
        #expect(try scene.messages(group, of: 2).last?.files.map(\.isComplete) == [false])
        try scene.world.step(2) { try $0.begin() }
        try scene.world[2].restore(at: scene.world.now)
        scene.world.run(for: 10_000)
        let (bob, carol) = (scene.world[1].id, scene.world[2].id)
        #expect(try scene.deliveries(of: id, at: 0) == [bob: .delivered, carol: .carried])
        // Bob has the files, and wants none of the fragments that are spread again for Carol.
        scene.world.sleep(for: 13 * 3_600_000)
        #expect(try await scene.world.content(of: id, at: 2) == bytes)
        #expect(try scene.deliveries(of: id, at: 0) == [bob: .delivered, carol: .delivered])
        for node in scene.world.nodes { #expect(try node.isAtRest) }
    }

    @Test("A long text is shown once whole, at every member, and leaves no file behind")
    func longText() async throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let text = String(repeating: "🦊", count: ChatLimits.longTextByteCount / 4)
        let sealed = try await scene.world[1].blobs.seal(text)
        try scene.world.step(1) { _ = try $0.send(text, longText: sealed, to: .group(group)) }
        scene.world.run(for: 10_000)
        for index in 0...2 {
            #expect(try scene.texts(group, of: index) == [text])
            #expect(scene.world[index].blobFiles == [])
        }
        #expect(scene.world[2].textsTold.filter { !$0.isEmpty } == [text])
        #expect(try scene.messages(group, of: 1).map(\.status) == [.delivered])
    }

    @Test("A large file is fetched from its sender or another member, and whoever has it gives it to members alone")
    func large() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Dave"])
        let group = try scene.create(with: [1, 2])
        let sealed = try Self.large()
        var sent: MessageID?
        try scene.world.step(0) { sent = try $0.send("", files: [sealed], to: .group(group)).id }
        scene.world.run(for: 5_000)
        let id = BlobID(message: try #require(sent), index: 0)
        let ids = scene.world.nodes.map(\.id)
        let order = try #require(scene.world[1].orders.last)
        #expect(order.peer == ids[0] && order.others == [ids[2]])
        #expect(try scene.status(of: id.message, at: 0) == .carried)

        let root = sealed.reference.reference.root
        func given(by index: Int) throws -> [Bool] { try scene.given(root, by: index) }
        #expect(try given(by: 0) == [true, true, true, false])
        // Bob does not have the blob yet. Carol may get it from Bob once Bob has it.
        #expect(try given(by: 1) == [false, false, false, false])
        try scene.world.step(1) { try $0.completeFile(id) }
        #expect(try given(by: 1) == [true, true, true, false])
        try scene.world.step(2) { try $0.completeFile(id) }
        scene.world.run(for: 5_000)
        #expect(try scene.status(of: id.message, at: 0) == .delivered)
        for node in scene.world.nodes { #expect(try node.isAtRest) }

        try scene.world.step(0) { try $0.remove(ids[2], from: group) }
        scene.world.run(for: 5_000)
        #expect(try given(by: 1) == [true, true, false, false])
        #expect(try given(by: 2) == [false, false, false, false])
    }

    @Test("Members who are no contacts fetch each other's files along paths, but nobody else gets one")
    func groupMembers() async throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol"], areStrangers: true)
        for index in 1...2 { try scene.befriend(index, 0) }
        let group = try scene.create(with: [1, 2])
        let ids = scene.world.nodes.map(\.id)
        try scene.say("hello", by: 1, in: group)
        scene.world.run(for: 5_000)
        let id = try await scene.send(files: [[1, 2, 3]], by: 1, in: group)
        scene.world.run(for: 5_000)
        #expect(try await scene.world.content(of: id, at: 2) == [1, 2, 3])
        #expect(scene.world[2].engine.trust.state(of: ids[1]) == .unknown)

        try scene.world.step(2) { $0.findPath(to: ids[1]) }
        scene.world.run(for: 1_000)
        #expect(scene.world[2].engine.paths.bestPath(to: ids[1]) != nil)
        // The node neither pings nor answers an unknown peer.
        #expect(refusal { try scene.world.step(2) { try $0.ping(ids[1], number: 9) } } == .noSession)
        try scene.world.step(0) { try $0.remove(ids[1], from: group) }
        scene.world.run(for: 5_000)
        #expect(!scene.world[2].engine.mayOpenPath(to: ids[1]))
        let count = scene.world.helloCount
        try scene.world.step(2) { $0.findPath(to: ids[1]) }
        #expect(scene.world.helloCount == count)
    }

    @Test("What is too much for a group is refused with its code, and a file of somebody blocked is not taken")
    func refusals() async throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let long = String(repeating: "x", count: ChatLimits.textByteCount + 1)
        #expect(refusal { try scene.say(long, by: 0, in: group) } == .tooLarge)
        #expect(refusal { try scene.say("", by: 0, in: group) } == .empty)
        let bob = scene.world[1].id
        try scene.say("first", by: 1, in: group)
        scene.world.run(for: 5_000)
        try scene.world.step(2) { try $0.decide(.block, about: bob) }
        let id = try await scene.send(files: [[1]], by: 1, in: group)
        scene.world.run(for: 5_000)
        #expect(scene.world[2].engine.attachments.blobs.entries(of: id).isEmpty)
        #expect(try await scene.world.content(of: id, at: 0) == [1])
    }
}

extension GroupScene {
    /// Sends files with these bytes to a group, and returns the id of the message.
    func send(_ text: String = "", files: [[UInt8]], by index: Int, in group: GroupID) async throws -> MessageID {
        let folder = try FileScene()
        var sealed: [SealedFile] = []
        for (number, bytes) in files.enumerated() {
            let draft = FileDraft(try folder.file("\(number).bin", bytes))
            sealed.append(try await world[index].blobs.seal(draft, limit: ChatLimits.smallBlobByteCount))
        }
        let objects = sealed
        var id: MessageID?
        try world.step(index) { id = try $0.send(text, files: objects, to: .group(group)).id }
        return try #require(id)
    }
}
