import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

/// Running nodes with UDP sockets on the loopback interface.
@Suite("Nodes give each other the files of their groups", .timeLimit(.minutes(30)))
struct NodeGroupFileTests {
    @Test("Whoever has a large file gives it to a member who comes when its sender is gone")
    func anotherHolder() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let home = try TestHome()
        let (alice, bob) = (try await LiveNode("Alice", mesh), try await LiveNode("Bob", mesh))
        func carol() async throws -> LiveNode { try await LiveNode("Carol", mesh, home: .directory(home.directory)) }
        let scene = try FileScene()
        let bytes = FileScene.bytes(1_500_000)
        let files = [FileDraft(try scene.file("film.mp4", bytes)), FileDraft(try scene.file("note.txt", [1, 2, 3]))]
        let text = String(repeating: "long ", count: 8_000)
        let firstCarol = try await carol()
        var group: GroupID?
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            try await bob.node.contacts.decide(.accept, about: try await bob.meets("Alice"))
            try await withRunning(firstCarol) {
                let carolID = try await alice.meets("Carol")
                try await firstCarol.node.contacts.decide(.accept, about: try await firstCarol.meets("Alice"))
                let created = try await alice.node.conversations.createGroup(title: "Trees", members: [bobID, carolID])
                group = created.id
                for node in [bob, firstCarol] { try await node.happens(.joined, in: created.id) }
                // These messages give Carol a session with each of the others.
                let hello = try await firstCarol.node.conversation(.group(created.id)).send("hello")
                #expect(try await firstCarol.statuses(of: hello).last == .delivered)
                let again = try await bob.node.conversation(.group(created.id)).send("hello, Carol")
                #expect(try await bob.statuses(of: again).last == .delivered)
            }
            let id = try #require(group)
            let sent = try await alice.node.conversation(.group(id)).send(text, files: files)
            try await bob.hasFile(0, of: sent.id)
            #expect(try await scene.content(of: sent.id, at: bob.node) == bytes)
            await alice.node.stop()

            let lastCarol = try await carol()
            try await withRunning(lastCarol) {
                try await lastCarol.hasAll([0, 1], of: sent.id)
                #expect(try await scene.content(of: sent.id, at: lastCarol.node) == bytes)
                #expect(try await scene.content(of: sent.id, 1, at: lastCarol.node) == [1, 2, 3])
                #expect(try await lastCarol.node.conversation(.group(id)).history().last?.text == text)
            }
        }
    }
}

extension LiveNode {
    /// Waits until these files of a message are complete and its text is shown.
    fileprivate func hasAll(_ files: Set<Int>, of message: MessageID) async throws {
        var whole: Set<Int> = []
        var isShown = false
        _ = try await first { event -> Bool? in
            switch event {
            case .progress(_, message, file: let index, let count, let total) where count == total: whole.insert(index)
            case .message(let shown): isShown = isShown || shown.id == message
            default: break
            }
            return whole == files && isShown ? true : nil
        }
    }
}
