import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

/// Running nodes with UDP sockets on the loopback interface.
@Suite("Nodes do things with messages over loopback", .timeLimit(.minutes(30)))
struct NodeContentTests {
    @Test("Reactions, edits, polls, replies, deletions, timers and typing reach the other node, and outlive a restart")
    func everything() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let home = try TestHome()
        let alice = try await LiveNode("Alice", mesh, sendsTyping: true)
        let bob = try await LiveNode("Bob", mesh, home: .directory(home.directory))
        var before: [Message] = []
        var aliceID: PeerID?
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            let id = try await bob.meets("Alice")
            aliceID = id
            let (toBob, toAlice) = (alice.node.conversation(.direct(bobID)), bob.node.conversation(.direct(id)))
            let text = try await toBob.send("Hello, @Bob")
            let received = try await bob.receives()
            #expect(received.mentions == [Mention(bobID, at: 7..<11)])
            let answer = try await toAlice.send("🦊", MessageOptions(replyTo: text.id))
            let reply = try await alice.receives()
            #expect(reply.kind == .emoji && reply.replyTo?.original?.text == "Hello, @Bob")
            try await toBob.react("👍", to: answer.id)
            #expect(try await bob.changed().reactions.map(\.emoji) == ["👍"])
            try await toBob.edit(text.id, to: "Good morning")
            #expect(try await bob.changed().text == "Good morning")
            let poll = try await toBob.ask(Poll("Tea?", options: ["yes", "no"]))
            _ = try await bob.receives()
            try await toAlice.vote([0], in: poll.id)
            #expect(try await alice.changed { $0.poll?.votes == [[bobID], []] }.poll?.isClosed == false)
            try await toBob.closePoll(poll.id)
            _ = try await bob.changed { $0.poll?.isClosed == true }
            try await toBob.delete(reply.id, forEveryone: false)
            try await toBob.setTimer(.seconds(1))
            #expect(try await bob.receives().systemLine == .timer(.seconds(1)))
            let short = try await toBob.send("short")
            #expect(try await bob.receives().id == short.id)
            try await toAlice.markRead()
            try await bob.loses(short.id)
            try await alice.loses(short.id)
            try await toBob.setTyping()
            try await bob.sees(id)
            await #expect(throws: ChatError.self) { try await toAlice.edit(text.id, to: "forged") }
            before = try await toAlice.history()
        }
        let again = try await ChatNode.open(.directory(home.directory), ChatConfiguration(mesh: mesh))
        let after = try await again.conversation(.direct(try #require(aliceID))).history()
        #expect(after.map(\.text) == before.map(\.text))
        #expect(after.map(\.earlierTexts) == before.map(\.earlierTexts))
        #expect(after.map(\.reactions) == before.map(\.reactions))
        #expect(after.map(\.poll) == before.map(\.poll))
        #expect(await again.metrics.contains { $0.name == "chat_changes_ignored_total" })
        await again.stop()
    }
}

extension LiveNode {
    /// Waits for the next change of a message that satisfies the condition.
    func changed(where fits: (Message) -> Bool = { _ in true }) async throws -> Message {
        try await first { event in
            guard case .changed(let message) = event, fits(message) else { return nil }
            return message
        }
    }

    /// Waits until a peer is shown as typing.
    func sees(_ peer: PeerID) async throws {
        try await first { $0 == .typing(.direct(peer), by: peer, isTyping: true) ? () : nil }
    }

    /// Waits until a message is removed.
    func loses(_ id: MessageID) async throws {
        _ = try await first { event in if case .removed(_, id) = event { true } else { nil } }
    }
}
