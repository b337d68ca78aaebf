import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

/// Running nodes with UDP sockets on the loopback interface.
@Suite("Nodes keep files within limits, read them in part, and fetch them when asked", .timeLimit(.minutes(30)))
struct NodeMediaTests {
    @Test("Any range of a file is read, and nothing is opened but the chunks that hold it")
    func ranges() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let (home, scene) = (try TestHome(), try FileScene())
        let alice = try await LiveNode("Alice", mesh, home: .directory(home.directory), cleaner: PickyCleaner())
        let bob = try await LiveNode("Bob", mesh)
        let bytes = FileScene.bytes(300_000)
        let files = [
            FileDraft(try scene.file("film.mp4", bytes)), .image(try scene.file("a", [1, 2, 3])),
            FileDraft(try scene.file("empty", [])),
        ]
        try await withRunning(alice, bob) {
            let sent = try await alice.node.conversation(.direct(try await alice.meets("Bob"))).send("", files: files)
            func read(_ range: Range<UInt64>, of index: Int = 0) async throws -> [UInt8] {
                try await alice.node.conversations.holding(sent.id).fileBytes(sent.id, index: index, in: range)
            }
            for range in [0..<1, 32_767..<32_769, 65_536..<98_304, 299_999..<300_000] as [Range<UInt64>] {
                #expect(try await read(range) == Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
            }
            #expect(try await read(0..<400_000) == bytes)
            #expect(try await read(299_998..<UInt64(299_998 + (4 << 20))).count == 2)
            for (range, index) in [(300_000..<300_001, 0), (7..<7, 0), (0..<9, 2)] as [(Range<UInt64>, Int)] {
                #expect(try await read(range, of: index) == [])
            }
            #expect(try await read(1..<3, of: 1) == [2, 3])
            #expect(await refusal { _ = try await read(0..<(4 << 20) + 1) } == .tooLarge)
            #expect(await refusal { _ = try await read(0..<1, of: 3) } == .notFound)

            // The test overwrites the largest file except its fourth chunk.
            let sealed = try #require(home.blobs.first { $0.1.count > 300_000 })
            var damaged = Data(repeating: 0, count: sealed.1.count)
            let place = 3 * 32_784..<4 * 32_784
            damaged.replaceSubrange(place, with: sealed.1[place])
            try damaged.write(to: sealed.0)
            #expect(try await read(98_304..<131_072) == Array(bytes[98_304..<131_072]))
            for range in [98_303..<98_305, 131_071..<131_073] as [Range<UInt64>] {
                #expect(await refusal { _ = try await read(range) } == .fileUnusable)
            }
        }
    }

    @Test("A picture that is not what its message says is read no more than it is copied")
    func wrongPicture() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let scene = try FileScene()
        let alice = try await LiveNode("Alice", mesh, cleaner: PickyCleaner())
        let bob = try await LiveNode("Bob", mesh, cleaner: PickyCleaner(isBelieving: false))
        let image = FileDraft.image(try scene.file("a", [1, 2, 3]))
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            try await bob.node.contacts.decide(.accept, about: try await bob.meets("Alice"))
            let sent = try await alice.node.conversation(.direct(bobID)).send("", files: [image])
            try await bob.hasFile(0, of: sent.id)
            #expect(
                await refusal { _ = try await bob.node.conversations.holding(sent.id).fileBytes(sent.id, in: 0..<2) }
                    == .mediaRefused
            )
        }
    }

    @Test("Beyond the limit files wait, own ones are refused, and what goes lets the next one in, small ones too")
    func quota() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let (home, scene) = (try TestHome(), try FileScene())
        let alice = try await LiveNode("Alice", mesh)
        let bob = try await LiveNode("Bob", mesh, home: .directory(home.directory), mediaByteLimit: 1_000_000)
        let (large, small) = (FileScene.bytes(900_000), FileScene.bytes(150_000))
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            let aliceID = try await bob.meets("Alice")
            try await bob.node.contacts.decide(.accept, about: aliceID)
            let first = try await alice.node.conversation(.direct(bobID)).send(
                "",
                files: [FileDraft(try scene.file("a", large))]
            )
            try await bob.hasFile(0, of: first.id)
            let next = try await alice.node.conversation(.direct(bobID)).send(
                "",
                files: [FileDraft(try scene.file("b", small))]
            )
            #expect(try await bob.misses(0, of: next.id) == .noRoom)
            #expect(try await alice.statuses(of: next).last == .delivered)
            let draft = FileDraft(try scene.file("c", small))
            #expect(
                await refusal { _ = try await bob.node.conversation(.direct(aliceID)).send("", files: [draft]) }
                    == .limited
            )
            var status = await bob.node.status
            #expect(status.mediaByteCount == 900_000 && status.mediaByteLimit == 1_000_000)
            #expect(home.blobs.count == 1)
            #expect(
                await refusal {
                    _ = try await bob.node.conversations.holding(next.id).saveFile(next.id, to: scene.copies)
                } == .notHere
            )

            try await bob.node.conversations.holding(first.id).delete(first.id, forEveryone: false)
            try await bob.hasFile(0, of: next.id)
            #expect(try await scene.content(of: next.id, at: bob.node) == small)
            status = await bob.node.status
            #expect(status.mediaByteCount == 150_000 && home.blobs.count == 1)
        }
    }

    @Test("The rooms of a home share its limit with everything else in it")
    func rooms() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let scene = try FileScene()
        let alice = try await LiveNode("Alice", mesh)
        let bob = try await LiveNode("Bob", mesh, mediaByteLimit: 100_000)
        let file = FileDraft(try scene.file("a", FileScene.bytes(60_000)))
        try await withRunning(alice, bob) {
            let aliceID = try await bob.meets("Alice")
            let made = try await alice.node.rooms.create(RoomPlan(title: "Trees"))
            try await bob.node.rooms.join(try #require(JoinCredential(made.admissionState?.code ?? "")))
            try await bob.node.conversation(.room(made.id)).send("", files: [file])
            #expect(await bob.node.status.mediaByteCount == 60_000)
            #expect(
                await refusal { _ = try await bob.node.conversation(.direct(aliceID)).send("", files: [file]) }
                    == .limited
            )
            try await bob.node.rooms.leave(made.id)
            #expect(await bob.node.status.mediaByteCount == 0)
            try await bob.node.conversation(.direct(aliceID)).send("", files: [file])
            #expect(await bob.node.status.mediaByteCount == 60_000)
        }
    }

    @Test(
        "A newcomer fetches files from a member when their author has left, and is told when nobody has them any more"
    )
    func newMember() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let scene = try FileScene()
        let (alice, bob, carol) = (
            try await LiveNode("Alice", mesh), try await LiveNode("Bob", mesh), try await LiveNode("Carol", mesh)
        )
        let (large, small) = (FileScene.bytes(900_000), FileScene.bytes(50_000))
        let files = [FileDraft(try scene.file("a", large)), FileDraft(try scene.file("b", small))]
        try await withRunning(alice, bob, carol) {
            let ids = try await bob.meetsAll(["Alice", "Carol"])
            let (aliceID, carolID) = (ids[0], ids[1])
            let bobID = try await carol.meets("Bob")
            try await carol.node.contacts.decide(.accept, about: bobID)
            try await alice.node.contacts.decide(.accept, about: try await alice.meets("Bob"))
            let group = try await bob.node.conversations.createGroup(title: "Trees", members: [aliceID], history: .all)
            try await alice.happens(.joined, in: group.id)
            let sent = try await alice.node.conversation(.group(group.id)).send("look", files: files)
            try await bob.hasFiles([0, 1], of: sent.id)
            await alice.node.stop()
            try await bob.node.group(group.id).add([carolID])
            let told = try await carol.isNotified("look")
            #expect(told.files.map(\.isComplete) == [false, false] && told.files.map(\.isExpected) == [false, false])

            for index in 0...1 { try await carol.node.conversations.holding(sent.id).fetchFile(sent.id, index: index) }
            try await carol.hasFiles([0, 1], of: sent.id)
            #expect(try await scene.content(of: sent.id, 0, at: carol.node) == large)
            #expect(try await scene.content(of: sent.id, 1, at: carol.node) == small)

            let again = try await bob.node.conversation(.group(group.id)).send("again", files: files)
            try await carol.hasFiles([0, 1], of: again.id)
        }
    }
}

extension LiveNode {
    /// Waits until all these files of a message are complete.
    fileprivate func hasFiles(_ files: Set<Int>, of message: MessageID) async throws {
        var whole: Set<Int> = []
        _ = try await first { event -> Bool? in
            if case .progress(_, message, file: let index, let count, let total) = event, count == total {
                whole.insert(index)
            }
            return whole == files ? true : nil
        }
    }
}

extension TestHome {
    /// The blob files and their contents.
    fileprivate var blobs: [(URL, Data)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: file("blobs").path)) ?? []
        return names.compactMap { name in
            let url = file("blobs").appending(path: name)
            return (try? Data(contentsOf: url)).map { (url, $0) }
        }
    }
}

/// Returns the code of the error that the body throws; nil if it throws none.
private func refusal(_ body: () async throws -> Void) async -> ChatError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? ChatError)?.code
    }
}
