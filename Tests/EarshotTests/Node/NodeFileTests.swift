import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

/// Running nodes with UDP sockets on the loopback interface, and files on the disk.
@Suite("Nodes send files over loopback", .timeLimit(.minutes(30)))
struct NodeFileTests {
    @Test("Files of 0 B to 5 MB go both ways, their messages are receipted after them, and a long text goes too")
    func sizes() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let (alice, bob) = (try await LiveNode("Alice", mesh), try await LiveNode("Bob", mesh))
        let scene = try FileScene()
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            let aliceID = try await bob.meets("Alice")
            try await bob.node.contacts.decide(.accept, about: aliceID)
            // A file of more than 256 KiB is fetched along a path. All smaller files come by themselves.
            for byteCount in [0, 1, 102_400, 262_144, 262_145, 5_000_000] {
                let bytes = FileScene.bytes(byteCount)
                let file = FileDraft(try scene.file("\(byteCount).png", bytes))
                for (sender, recipient, peer) in [(alice, bob, bobID), (bob, alice, aliceID)] {
                    let sent = try await sender.node.conversation(.direct(peer)).send("see", files: [file])
                    #expect(sent.files.map(\.isComplete) == [true])
                    try await recipient.hasFile(0, of: sent.id)
                    let message = try await recipient.node.conversation(.direct(sent.sender)).history().last
                    #expect(message?.text == "see")
                    #expect(message?.files == sent.files)
                    #expect(
                        sent.files.map { "\($0.name) \($0.type) \($0.byteCount)" } == [
                            "\(byteCount).png image/png \(byteCount)"
                        ]
                    )
                    #expect(try await scene.content(of: sent.id, at: recipient.node) == bytes)
                    #expect(try await scene.content(of: sent.id, at: sender.node) == bytes)
                    #expect(try await sender.statuses(of: sent).last == .delivered)
                }
            }
            let text = String(repeating: "x", count: ChatLimits.longTextByteCount)
            let message = try await alice.node.conversation(.direct(bobID)).send(text)
            let received = try await bob.first { event -> Message? in
                if case .message(let message) = event, message.text == text { message } else { nil }
            }
            #expect(received.id == message.id)
            #expect(try await alice.statuses(of: message).last == .delivered)
        }
    }

    @Test("A file for somebody away comes by a relay after its author has left")
    func absentFriend() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let home = try TestHome()
        let scene = try FileScene()
        let relay = try await LiveNode("Relay", mesh.relaying)
        let alice = try await LiveNode("Alice", mesh)
        let bob = try await LiveNode("Bob", mesh, home: .directory(home.directory))
        let bytes = FileScene.bytes(200_000)
        try await withRunning(relay) {
            var sent: Message?
            try await withRunning(alice) {
                var bobID: PeerID?
                try await withRunning(bob) {
                    bobID = try await alice.meets("Bob")
                    try await bob.node.contacts.decide(.accept, about: try await bob.meets("Alice"))
                }
                let file = FileDraft(try scene.file("map.pdf", bytes))
                sent = try await alice.node.conversation(.direct(try #require(bobID))).send("", files: [file])
                // The envelopes reach the relay in this order: prekey bundles, the message, 13 fragments. The relay
                // holds all of them once it has reported 13 fragments.
                var fragments: Set<String> = []
                while fragments.count < 13 {
                    fragments.insert(
                        try await relay.first { event in
                            if case .relayed(let report) = event, report.kind == 7 { report.id } else { nil }
                        }
                    )
                }
            }
            let returned = try await LiveNode("Bob", mesh, home: .directory(home.directory))
            try await withRunning(returned) {
                let id = try #require(sent).id
                try await returned.hasFile(0, of: id)
                #expect(try await scene.content(of: id, at: returned.node) == bytes)
            }
        }
        let blobs = home.file("blobs")
        let names = try FileManager.default.contentsOfDirectory(atPath: blobs.path)
        #expect(names.count == 1)
        let attributes = try FileManager.default.attributesOfItem(atPath: blobs.appending(path: names[0]).path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.attributesOfItem(atPath: blobs.path)[.posixPermissions] as? Int == 0o700)
        let stored = try Data(contentsOf: blobs.appending(path: names[0]))
        #expect(stored.range(of: Data(bytes.prefix(16))) == nil)
        #expect(stored.count == 200_000 + 7 * 16)
    }

    @Test("Copies are the owner's alone, never overwrite, and have the sender's name made safe")
    func copies() async throws {
        let scene = try FileScene()
        let blobs = BlobFolder()
        defer { blobs.close() }
        let draft = FileDraft(try scene.file("a", [1, 2, 3]), name: "../../.evil\n.sh")
        let sealed = try await blobs.seal(draft, limit: 3)
        let first = try await blobs.copy(sealed.file, sealed.reference, to: scene.copies)
        let second = try await blobs.copy(sealed.file, sealed.reference, to: scene.copies)
        #expect([first, second].map(\.lastPathComponent) == ["evil.sh", "evil (2).sh"])
        for copy in [first, second] {
            #expect([UInt8](try Data(contentsOf: copy)) == [1, 2, 3])
            let mode = try FileManager.default.attributesOfItem(atPath: copy.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("What is no file, cannot be found or is too large is refused, and nothing is left of it")
    func refusals() async throws {
        let scene = try FileScene()
        let blobs = BlobFolder()
        defer { blobs.close() }
        func refusal(_ url: URL) async -> ChatError? {
            do {
                _ = try await blobs.seal(FileDraft(url), limit: 3)
                return nil
            } catch { return error }
        }
        let small = try scene.file("small", [1, 2, 3])
        #expect(await refusal(small.deletingLastPathComponent())?.code == .fileUnusable)
        #expect(await refusal(URL(filePath: "/dev/zero"))?.code == .fileUnusable)
        #expect(await refusal(scene.copies)?.code == .fileUnusable)
        let large = await refusal(try scene.file("large", [1, 2, 3, 4]))
        #expect(large?.code == .tooLarge)
        #expect(large?.limit == 3)
        #expect((try? FileManager.default.contentsOfDirectory(atPath: blobs.directory.path)) ?? [] == [])
        #expect(await refusal(small) == nil)
    }

    @Test(
        "On a full disk a file is refused with a clear error, and the home goes on",
        .enabled(if: TinyDisk.isPossible, .init(rawValue: TinyDisk.need))
    )
    func fullDisk() async throws {
        let disk = try TinyDisk(kibibytes: 512)
        let scene = try FileScene()
        let blobs = BlobFolder(disk.home)
        let draft = FileDraft(try scene.file("a", FileScene.bytes(200_000)))
        _ = try await blobs.seal(draft, limit: 1_000_000)
        let before = try disk.files()
        let large = FileDraft(try scene.file("b", FileScene.bytes(500_000)))
        let error = await #expect(throws: ChatError.self) { try await blobs.seal(large, limit: 1_000_000) }
        #expect(error?.code == .homeUnusable)
        #expect(error?.reason.contains("full") == true)
        #expect(try disk.files() == before)
    }
}

extension LiveNode {
    /// Waits until a file is complete.
    func hasFile(_ index: Int, of message: MessageID) async throws {
        _ = try await first { event -> Bool? in
            guard case .progress(_, message, file: index, let byteCount, let total) = event else { return nil }
            return byteCount == total ? true : nil
        }
    }
}
