import ChatCrypto
import Earshot
import Foundation
import Testing

/// Real nodes with real sockets on the loopback interface, and files that are fetched along paths.
@Suite("Nodes fetch large files over loopback", .timeLimit(.minutes(10)))
struct NodeTransferTests {
    @Test("A fetch goes on where it was when the recipient was stopped, and when the sender was")
    func restarts() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let (here, there) = (try TestHome(), try TestHome())
        let scene = try FileScene()
        let bytes = FileScene.bytes(8_000_000)
        let file = FileDraft(try scene.file("film.mp4", bytes))
        func alice() async throws -> LiveNode {
            try await LiveNode("Alice", mesh, home: .directory(here.directory))
        }
        func bob() async throws -> LiveNode { try await LiveNode("Bob", mesh, home: .directory(there.directory)) }
        var sent: Message?
        let firstAlice = try await alice()
        try await withRunning(firstAlice) {
            let firstBob = try await bob()
            try await withRunning(firstBob) {
                let bobID = try await firstAlice.meets("Bob")
                try await firstBob.node.trust(try await firstBob.meets("Alice"), .accept)
                sent = try await firstAlice.node.send("", files: [file], to: bobID)
                _ = try await firstBob.progress()
            }
            let secondBob = try await bob()
            try await withRunning(secondBob) {
                // Told with the first chunk that comes: those from before are counted in.
                let byteCount = try await secondBob.progress()
                #expect(byteCount >= 2 * 32_768)
            }
        }
        let message = try #require(sent)
        let secondAlice = try await alice()
        let lastBob = try await bob()
        let history = try await lastBob.node.history(.direct(message.sender))
        #expect(history.last?.files.map(\.isComplete) == [false])
        try await withRunning(lastBob, secondAlice) {
            try await lastBob.hasFile(0, of: message.id)
            #expect(try await scene.content(of: message.id, at: lastBob.node) == bytes)
            #expect(await secondAlice.statuses(of: message).last == .delivered)
        }
    }

    @Test("When the relay between two goes, a fetch goes on by way of another")
    func relays() async throws {
        let (left, right) = (MeshOptions.randomGroup(), MeshOptions.randomGroup())
        let first = try await LiveNode("First", MeshOptions.loopback([left, right]).relaying)
        let second = try await LiveNode("Second", MeshOptions.loopback([left, right]).relaying)
        let (alice, bob) = (
            try await LiveNode("Alice", .loopback([left])), try await LiveNode("Bob", .loopback([right]))
        )
        let scene = try FileScene()
        let bytes = FileScene.bytes(6_000_000)
        let file = FileDraft(try scene.file("film.mp4", bytes))
        try await withRunning(first, alice, bob) {
            let bobID = try await alice.meets("Bob")
            try await bob.node.trust(try await bob.meets("Alice"), .accept)
            let sent = try await alice.node.send("", files: [file], to: bobID)
            _ = try await bob.progress()
            try await withRunning(second) {
                for node in [alice, bob] {
                    _ = try await node.first { event in if case .linkUp(count: 2) = event { true } else { nil } }
                }
                await first.node.stop()
                try await bob.hasFile(0, of: sent.id)
                #expect(try await scene.content(of: sent.id, at: bob.node) == bytes)
                #expect(await alice.statuses(of: sent).last == .delivered)
            }
        }
    }

    @Test("A file that its recipient gives up stops coming, and leaves nothing behind")
    func cancellation() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let home = try TestHome()
        let alice = try await LiveNode("Alice", mesh)
        let bob = try await LiveNode("Bob", mesh, home: .directory(home.directory))
        let scene = try FileScene()
        let file = FileDraft(try scene.file("film.mp4", FileScene.bytes(8_000_000)))
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            try await bob.node.trust(try await bob.meets("Alice"), .accept)
            let sent = try await alice.node.send("", files: [file], to: bobID)
            _ = try await bob.progress()
            let error = await #expect(throws: ChatError.self) {
                try await bob.node.media(sent.id, folder: scene.copies)
            }
            #expect(error?.code == .notHere)
            try await bob.node.cancelFile(sent.id)
            let failure = try await bob.first { event in if case .fileFailed = event { event } else { nil } }
            #expect(failure == .fileFailed(sent.id, file: 0, .cancelled))
            #expect(await alice.statuses(of: sent).last == .delivered)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.file("blobs").path) == [])
    }
}

extension LiveNode {
    /// Waits until a part of a file has come, and answers how much.
    func progress() async throws -> UInt64 {
        try await first { event in
            if case .progress(_, _, let byteCount, _) = event { byteCount } else { nil }
        }
    }
}
