import ChatCrypto
import Earshot
import Foundation
import MeshCore
import Testing

@testable import ChatCore

@Suite("Files travel with messages")
struct FileTests {
    @Test(
        "Files of any small size come whole, both ways",
        arguments: [0, 1, 16_344, 16_345, 32_768, 32_769, 102_400, 262_144]
    )
    func sizes(byteCount: Int) async throws {
        let world = try EngineWorld()
        let bytes = FileScene.bytes(byteCount)
        try world.friends()
        for (sender, recipient) in [(0, 1), (1, 0)] {
            let message = try await world.send(files: [bytes], from: sender, to: world[recipient].id)
            world.run(for: 10_000)
            #expect(try await world.content(of: message, at: recipient) == bytes)
            #expect(try await world.content(of: message, at: sender) == bytes)
            #expect(try world[recipient].hasAllFiles(of: world[sender].id, at: world.now) == [true])
            #expect(world[recipient].progressTold.last == UInt64(byteCount))
            #expect(try world[sender].statuses(to: world[recipient].id, at: world.now).last == .delivered)
        }
        #expect(
            world.fragments.count == 2 * ((byteCount + 16 * max(1, (byteCount + 32_767) / 32_768) + 16_359) / 16_360)
        )
        #expect(world.fragments.allSatisfy { $0.envelope.encoded().count <= 16_384 })
    }

    @Test("The most files with the longest text and names fit one message")
    func most() async throws {
        let world = try EngineWorld()
        let text = String(repeating: "x", count: ChatLimits.textBesideFilesByteCount)
        let scene = try FileScene()
        var files: [SealedFile] = []
        for number in 0..<ChatLimits.fileCount {
            let name = String(repeating: "n", count: FileName.byteCount) + "\(number)"
            let type = "application/" + String(repeating: "t", count: 115)
            let draft = FileDraft(try scene.file("\(number)", [UInt8(number)]), name: name, type: type)
            files.append(try await world[0].blobs.seal(draft, limit: ChatLimits.smallBlobByteCount))
        }
        try world.step(0) { _ = try $0.send(text, files: files, to: .direct(world[1].id)) }
        world.run(for: 1_000)
        let message = try #require(try world[1].history(with: world[0].id, at: world.now).last)
        #expect(message.text == text)
        #expect(message.files.map(\.name.utf8.count) == files.map { _ in FileName.byteCount })
        #expect(message.files.map(\.type.utf8.count) == files.map { _ in 127 })
    }

    @Test("Under loss and doubles and in any order, files come whole once", arguments: [1, 2, 3] as [UInt64])
    func disorder(seed: UInt64) async throws {
        let world = try EngineWorld(quality: EngineWorld.Quality(), seed: seed)
        try world.friends()
        var sent: [(MessageID, [UInt8])] = []
        for number in 0..<5 {
            let bytes = FileScene.bytes(20_000 * number + 1)
            sent.append((try await world.send("\(number)", files: [bytes, [7]], to: world[1].id), bytes))
        }
        world.run(for: 120_000)
        for (message, bytes) in sent {
            #expect(try await world.content(of: message, at: 1) == bytes)
            #expect(try await world.content(of: message, 1, at: 1) == [7])
        }
        #expect(world[1].textsTold == (0..<5).map(String.init))
        #expect(try world[0].isAtRest)
        #expect(try world[1].isAtRest)
    }

    @Test("A stranger's files are not fetched before the user accepts, and then from what the mesh holds")
    func unknownPeer() async throws {
        let world = try EngineWorld()
        let bytes = FileScene.bytes(50_000)
        let message = try await world.send("look", files: [bytes], to: world[1].id)
        world.run(for: 10_000)
        #expect(try world[1].history(with: world[0].id, at: world.now).map(\.text) == ["look"])
        #expect(try world[1].hasAllFiles(of: world[0].id, at: world.now) == [false])
        #expect(world[1].blobFiles == [])
        #expect(try world[0].statuses(to: world[1].id, at: world.now) == [.carried])
        try world.step(1) { try $0.decide(.accept, about: world[0].id) }
        world.run(for: 10_000)
        #expect(try await world.content(of: message, at: 1) == bytes)
        #expect(try world[0].statuses(to: world[1].id, at: world.now) == [.delivered])
    }

    @Test("Files that the mesh has forgotten are spread again, for nobody confirms a message before its files are here")
    func absent() async throws {
        let world = try EngineWorld()
        try world.friends()
        let bytes = FileScene.bytes(40_000)
        world.deaf = [1]
        let message = try await world.send(files: [bytes], to: world[1].id)
        world.run(for: 5_000)
        world.deaf = []
        world.holdsPieces = false
        try world.bringMessages(to: 1)
        world.run(for: 60_000)
        #expect(try world[1].hasAllFiles(of: world[0].id, at: world.now) == [false])
        #expect(try world[0].statuses(to: world[1].id, at: world.now).last == .carried)
        world.sleep(for: 13 * 3_600_000)
        #expect(try await world.content(of: message, at: 1) == bytes)
        #expect(try world[0].statuses(to: world[1].id, at: world.now).last == .delivered)
    }

    @Test("What lost a piece is fetched along a path while its sender is near, and is whole by whichever comes first")
    func overdue() async throws {
        let world = try EngineWorld()
        try world.friends()
        world.deaf = [1]
        let files = [FileScene.bytes(40_000), FileScene.bytes(50_000)]
        let message = try await world.send(files: files, to: world[1].id)
        world.run(for: 5_000)
        world.deaf = []
        world.holdsPieces = false
        try world.bringMessages(to: 1)
        world.run(for: 20_000)
        #expect(world[1].orders == [])
        world.run(for: 70_000)
        #expect(world[1].orders.map(\.id) == files.indices.map { BlobID(message: message, index: $0) })
        #expect(world[1].orders.map(\.peer) == [world[0].id, world[0].id])
        #expect(world[1].orders.map(\.chunks) == [2, 2].map(ChunkSet.init))
        world.run(for: 200_000)
        #expect(world[1].orders.count == 2)

        // All fragments of one file arrive late. The other file is fetched.
        let fetched = try #require(world[1].orders.last)
        var chunks = ChunkSet(chunkCount: 2)
        chunks.insert(0)
        try world.step(1) { try $0.noteChunks(chunks, of: fetched.id) }
        #expect(world[1].engine.attachments.blobs[fetched.id]?.order?.chunks == ChunkSet(chunkCount: 2))
        for fragment in world.fragments.prefix(3) { try world.receive(fragment, at: 1) }
        #expect(try world[1].hasAllFiles(of: world[0].id, at: world.now) == [true, false])
        #expect(try await world.content(of: message, at: 1) == files[0])
        try world.step(1) { try $0.completeFile(fetched.id) }
        world.run(for: 5_000)
        #expect(try world[1].hasAllFiles(of: world[0].id, at: world.now) == [true, true])
        #expect(try world[0].statuses(to: world[1].id, at: world.now).last == .delivered)
        #expect(world[1].engine.attachments.blobs[fetched.id]?.order == nil)
    }

    @Test("What lost a piece is not looked for while its sender is away, and is when that one is heard again")
    func overdueAway() async throws {
        let world = try EngineWorld()
        try world.friends()
        world.deaf = [1]
        try await world.send(files: [FileScene.bytes(40_000)], to: world[1].id)
        world.run(for: 5_000)
        world.deaf = []
        world.holdsPieces = false
        world.passUnseen(3_600_000)
        try world.bringMessages(to: 1)
        world.passUnseen(150_000)
        world.run(for: 150_000)
        #expect(world[1].orders == [])
        try world.send("back", to: world[1].id)
        world.run(for: 70_000)
        #expect(world[1].orders.count == 1)
    }

    @Test("What lost a piece is not fetched of who was blocked, and is when that one is not any more")
    func overdueBlocked() async throws {
        let world = try EngineWorld()
        try world.friends()
        world.deaf = [1]
        try await world.send(files: [FileScene.bytes(40_000)], to: world[1].id)
        world.run(for: 5_000)
        world.deaf = []
        world.holdsPieces = false
        try world.bringMessages(to: 1)
        try world.step(1) { try $0.decide(.block, about: world[0].id) }
        world.run(for: 100_000)
        #expect(world[1].orders == [])
        try world.step(1) { try $0.decide(.unblock, about: world[0].id) }
        try world.step(1) { try $0.decide(.accept, about: world[0].id) }
        try world.send("again", to: world[1].id)
        world.run(for: 100_000)
        #expect(world[1].orders.count == 1)
    }

    @Test("A text of more than 13 KiB is shown once whole, and leaves no file behind")
    func longText() async throws {
        let world = try EngineWorld()
        try world.friends()
        let text = String(repeating: "🦊", count: ChatLimits.longTextByteCount / 4)
        try await world.send(longText: text, to: world[1].id)
        #expect(try world[0].history(with: world[1].id, at: world.now).last?.text == text)
        world.run(for: 10_000)
        #expect(try world[1].textsReceived(from: world[0].id, at: world.now).last == text)
        #expect(world[1].textsTold == [text])
        #expect(world[1].progressTold == [])
        #expect(world[1].blobFiles == [])
        #expect(try world[0].statuses(to: world[1].id, at: world.now).last == .delivered)
        try world.restart(1)
        try world.step(1) { engine in
            let number = try engine.trust.safetyNumber(with: world[0].id).digits
            try engine.verify(world[0].id, number: number)
        }
        #expect(try world[1].textsReceived(from: world[0].id, at: world.now).last == text)
        #expect(world[1].engine.attachments.blobs.count == 0)
        #expect(world[1].textsTold == [text])
    }

    @Test("Nobody sends nothing, too much text, or files beyond what a home may hold")
    func limits() throws {
        let world = try EngineWorld()
        func refusal(_ text: String, _ files: [UInt64]) -> ChatError.Code? {
            let limit = ChatLimits.longTextByteCount
            do {
                try world[0].engine.checkSending(text, files, textLimit: limit, to: .direct(world[1].id))
                return nil
            } catch { return (error as? ChatError)?.code }
        }
        #expect(refusal("", []) == .empty)
        #expect(refusal("", [0]) == nil)
        #expect(refusal(String(repeating: "x", count: ChatLimits.longTextByteCount), []) == nil)
        #expect(refusal(String(repeating: "x", count: ChatLimits.longTextByteCount + 1), []) == .tooLarge)
        #expect(refusal("", [ChatLimits.blobByteCount]) == nil)
        #expect(refusal("", [ChatLimits.blobByteCount, 1]) == .limited)
        #expect(refusal("", [UInt64](repeating: 0, count: ChatLimits.blobCount + 1)) == .limited)
    }
}

extension EngineWorld {
    /// Lets the first two nodes accept each other.
    func friends() throws {
        try step(0) { try $0.decide(.accept, about: self[1].id) }
        try step(1) { try $0.decide(.accept, about: self[0].id) }
        run(for: 1_000)
    }
}
