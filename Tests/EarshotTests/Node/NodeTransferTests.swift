import ChatCrypto
import Earshot
import Foundation
import Testing

/// Real nodes with real sockets on the loopback interface, and files that are fetched along paths.
@Suite("Nodes fetch large files over loopback", .timeLimit(.minutes(10)))
struct NodeTransferTests {
    @Test("Files of 256 KiB and a byte and of 5 MB go both ways, and their messages are receipted after them")
    func sizes() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let (alice, bob) = (try await LiveNode("Alice", mesh), try await LiveNode("Bob", mesh))
        let scene = try FileScene()
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            let aliceID = try await bob.meets("Alice")
            try await bob.node.trust(aliceID, .accept)
            for byteCount in [262_145, 5_000_000] {
                let bytes = FileScene.bytes(byteCount)
                let file = FileDraft(try scene.file("\(byteCount).mp4", bytes))
                for (sender, recipient, peer) in [(alice, bob, bobID), (bob, alice, aliceID)] {
                    let sent = try await sender.node.send("see", files: [file], to: peer)
                    #expect(sent.files.map(\.isComplete) == [true])
                    try await recipient.hasFile(0, of: sent.id)
                    #expect(try await scene.content(of: sent.id, at: recipient.node) == bytes)
                    #expect(await sender.statuses(of: sent).last == .delivered)
                }
            }
        }
    }
}
