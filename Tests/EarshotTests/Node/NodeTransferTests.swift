import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

/// Running nodes with UDP sockets on the loopback interface, and files that are fetched along paths.
@Suite("Nodes fetch large files over loopback", .timeLimit(.minutes(30)))
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
                try await firstBob.node.contacts.decide(.accept, about: try await firstBob.meets("Alice"))
                sent = try await firstAlice.node.conversation(.direct(bobID)).send("", files: [file])
                _ = try await firstBob.progress()
            }
            let secondBob = try await bob()
            try await withRunning(secondBob) {
                // The event comes with the first chunk after the restart. It includes the chunks from before.
                let byteCount = try await secondBob.progress()
                #expect(byteCount >= 2 * 32_768)
            }
        }
        let message = try #require(sent)
        let secondAlice = try await alice()
        let lastBob = try await bob()
        let history = try await lastBob.node.conversation(.direct(message.sender)).history()
        #expect(history.last?.files.map(\.isComplete) == [false])
        try await withRunning(lastBob, secondAlice) {
            try await lastBob.hasFile(0, of: message.id)
            #expect(try await scene.content(of: message.id, at: lastBob.node) == bytes)
            #expect(try await secondAlice.statuses(of: message).last == .delivered)
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
            try await bob.node.contacts.decide(.accept, about: try await bob.meets("Alice"))
            let sent = try await alice.node.conversation(.direct(bobID)).send("", files: [file])
            _ = try await bob.progress()
            try await withRunning(second) {
                for node in [alice, bob] {
                    _ = try await node.first { event in if case .linkUp(count: 2) = event { true } else { nil } }
                }
                await first.node.stop()
                try await bob.hasFile(0, of: sent.id)
                #expect(try await scene.content(of: sent.id, at: bob.node) == bytes)
                #expect(try await alice.statuses(of: sent).last == .delivered)
            }
        }
    }

    @Test("What is fetched shows in the figures of both ends")
    func statistics() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let (alice, bob) = (try await LiveNode("Alice", mesh), try await LiveNode("Bob", mesh))
        let scene = try FileScene()
        let file = FileDraft(try scene.file("film.mp4", FileScene.bytes(3_000_000)))
        let names = [
            "mesh_bulk_bytes_total", "mesh_bulk_retries_total", "mesh_bulk_fetches", "mesh_bulk_fetches_ended_total",
        ]
        let before = await bob.node.metrics.filter { $0.name.hasPrefix("mesh_bulk_") }
        #expect(before.map(\.name) == names)
        #expect(before.flatMap(\.samples).allSatisfy { $0.value == 0 })
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            try await bob.node.contacts.decide(.accept, about: try await bob.meets("Alice"))
            let sent = try await alice.node.conversation(.direct(bobID)).send("", files: [file])
            #expect(try await alice.statuses(of: sent).last == .delivered)
            let (sending, receiving) = (await alice.node.metrics, await bob.node.metrics)
            let sentByteCount = try #require(sending.values("mesh_bulk_bytes_total")?["sent"])
            let receivedByteCount = try #require(receiving.values("mesh_bulk_bytes_total")?["received"])
            #expect(receivedByteCount > 3_000_000)
            // The holder has sent late chunks again.
            #expect(sentByteCount >= receivedByteCount)
            #expect(sending.values("mesh_bulk_bytes_total")?["received"] == 0)
            #expect(receiving.values("mesh_bulk_bytes_total")?["sent"] == 0)
            #expect(receiving.values("mesh_bulk_fetches_ended_total") == ["finished": 1, "failed": 0, "givenUp": 0])
            #expect(receiving.values("mesh_bulk_fetches") == ["running": 0, "waiting": 0])
            #expect(sending.values("mesh_bulk_fetches_ended_total") == ["finished": 0, "failed": 0, "givenUp": 0])
        }
    }

    @Test(
        "What a full disk refuses of a file is not taken for there, and comes when there is room",
        .enabled(if: TinyDisk.isPossible, .init(rawValue: TinyDisk.need))
    )
    func fullDisk() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let disk = try TinyDisk(kibibytes: 4_096)
        let scene = try FileScene()
        let bytes = FileScene.bytes(8_000_000)
        let file = FileDraft(try scene.file("film.mp4", bytes))
        let alice = try await LiveNode("Alice", mesh)
        try await withRunning(alice) {
            let bob = try await LiveNode("Bob", mesh, home: .directory(disk.home))
            var sent: Message?
            try await withRunning(bob) {
                let bobID = try await alice.meets("Bob")
                try await bob.node.contacts.decide(.accept, about: try await bob.meets("Alice"))
                sent = try await alice.node.conversation(.direct(bobID)).send("", files: [file])
                _ = try await bob.first { event in if case .storageFailing = event { true } else { nil } }
                let failed = await bob.node.metrics.values("mesh_bulk_fetches_ended_total")?["failed"]
                #expect(failed ?? 0 >= 1)
            }
            try disk.resize(kibibytes: 32_768)
            let again = try await LiveNode("Bob", mesh, home: .directory(disk.home))
            try await withRunning(again) {
                let message = try #require(sent)
                try await again.hasFile(0, of: message.id)
                #expect(try await scene.content(of: message.id, at: again.node) == bytes)
                #expect(try await alice.statuses(of: message).last == .delivered)
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
            try await bob.node.contacts.decide(.accept, about: try await bob.meets("Alice"))
            let sent = try await alice.node.conversation(.direct(bobID)).send("", files: [file])
            _ = try await bob.progress()
            let error = await #expect(throws: ChatError.self) {
                try await bob.node.conversations.holding(sent.id).saveFile(sent.id, to: scene.copies)
            }
            #expect(error?.code == .notHere)
            try await bob.node.conversations.holding(sent.id).cancelFile(sent.id)
            let failure = try await bob.first { event in if case .fileFailed = event { event } else { nil } }
            #expect(failure == .fileFailed(.direct(sent.sender), sent.id, file: 0, .cancelled))
            let statistics = await bob.node.metrics
            #expect(statistics.values("mesh_bulk_fetches_ended_total") == ["finished": 0, "failed": 0, "givenUp": 1])
            #expect(statistics.values("mesh_bulk_fetches") == ["running": 0, "waiting": 0])
            #expect(try await alice.statuses(of: sent).last == .delivered)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.file("blobs").path) == [])
    }
}

extension [Metric] {
    /// Returns the values of the metric with this name, by class.
    fileprivate func values(_ name: String) -> [String: Double]? {
        first { $0.name == name }.map { metric in
            Dictionary(uniqueKeysWithValues: metric.samples.map { ($0.label ?? "", $0.value) })
        }
    }
}

extension LiveNode {
    /// Waits until a part of a file has arrived.
    ///
    /// Returns the number of bytes that have arrived.
    func progress() async throws -> UInt64 {
        try await first { event in
            if case .progress(_, _, _, let byteCount, _) = event { byteCount } else { nil }
        }
    }
}
