import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

/// Running nodes on the loopback interface, with files on the disk.
@Suite("Exports and imports of nodes", .timeLimit(.minutes(30)))
struct ArchiveRoundTripTests {
    /// The facts of a message that are the same in both data directories.
    private struct Told: Equatable, CustomStringConvertible {
        let description: String

        init(_ message: Message) {
            let files = message.files.map { "\($0.name) \($0.type) \($0.byteCount) \($0.isComplete)" }
            // The parts that depend on the identity of the home are left out.
            let reactions = message.reactions.map { "\($0.emoji) \($0.members)" }
            let poll = message.poll.map { "\($0.poll) \($0.votes) \($0.isClosed)" }
            let parts: [Any] = [
                message.id, message.conversation, message.sender, message.kind, message.text, message.sentAt,
                message.receivedAt, message.isOutgoing && message.kind != .system, message.isDeleted, files, reactions,
                message.mentions, message.earlierTexts, message.replyTo?.id as Any, poll as Any,
                message.systemLine as Any,
            ]
            description = parts.map { "\($0)" }.joined(separator: " | ")
        }
    }

    private func told(_ node: ChatNode, _ conversation: ConversationID) async throws -> [Told] {
        try await node.conversation(conversation).history(limit: 1_000).filter { $0.text != "secret" }.map(Told.init)
    }

    @Test(
        "What was exported is the same in another home, a second import changes nothing, and nobody is verified there"
    )
    func roundTrip() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let (alice, bob) = (try await LiveNode("Alice", mesh), try await LiveNode("Bob", mesh))
        let (scene, home) = (try FileScene(), try TestHome())
        let (sealed, page) = (scene.folder.appending(path: "a.earshot"), scene.folder.appending(path: "a.html"))
        let picture = FileScene.bytes(100_001)
        try await withRunning(alice, bob) {
            let (bobID, group) = try await talk(alice, bob, scene, picture)
            var options = ExportOptions(passphrase: "correct horse")
            options.isCheap = true
            let report = try await alice.node.history.export(to: sealed, options)
            #expect(report.conversationCount == 2 && report.disappearingCount == 1)
            #expect(report.fileCount == 1 && report.missingFileCount == 0)
            let bytes = try Data(contentsOf: sealed)
            #expect(bytes.range(of: Data("morning".utf8)) == nil && bytes.range(of: Data(", @Bob".utf8)) == nil)
            #expect(await refusal { try await alice.node.history.export(to: sealed, options) } == .fileUnusable)
            try await alice.node.history.export(to: page, ExportOptions(.html))
            let before = [try await told(alice.node, .direct(bobID)), try await told(alice.node, .group(group))]
            let titles = try await alice.node.conversations.all().map(\.title)
            try await home.open(name: "Carol") { node in
                await refuses(node, sealed, page)
                let first = try await node.history.importArchive(from: sealed, passphrase: "correct horse")
                #expect(first.addedCount == report.messageCount && first.fileCount == 1 && first.broken == [])
                #expect(first.contacts.map(\.name) == ["Bob"] && first.unknownCount == 0)
                let again = try await node.history.importArchive(from: sealed, passphrase: "correct horse")
                #expect(again.addedCount == 0 && again.knownCount == report.messageCount)
                let other = try await bob.node.history.importArchive(from: sealed, passphrase: "correct horse")
                #expect(other.broken.map(\.reason) == ["ownConversation"])
                #expect(again.fileCount == 0 && again.contactCount == 0 && again.brokenCount == 0)
            }
            // The import has written everything to the disk.
            try await home.open { node in
                #expect([try await told(node, .direct(bobID)), try await told(node, .group(group))] == before)
                #expect(try await node.conversations.all().map(\.title) == titles)
                let contacts = try await node.contacts.all()
                #expect(contacts.map(\.name) == ["Bob"] && contacts.map(\.trust) == [.unknown])
                #expect(try await alice.node.contacts.all().map(\.trust) == [.verified])
                let all = try await node.conversation(.direct(bobID)).history(limit: 1_000)
                #expect(all.allSatisfy { $0.isImported } && Set(all.map(\.senderName)) == ["Carol", "Bob"])
                let file = try #require(all.first { !$0.files.isEmpty })
                let copy = try await node.conversations.holding(file.id).saveFile(file.id, to: scene.folder)
                #expect(try Data(contentsOf: copy) == Data(picture))
                #expect(try await node.history.search(SearchQuery("morning")).hits.count == 1)
            }
        }
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("data:image/png;base64,\(Data(picture).base64EncodedString())\""))
        #expect(text.contains("Good morning") && text.contains("Tea?"))
    }

    private func refuses(_ node: ChatNode, _ sealed: URL, _ page: URL) async {
        #expect(await refusal { try await node.history.importArchive(from: sealed) } == .locked)
        #expect(await refusal { try await node.history.importArchive(from: sealed, passphrase: "no") } == .locked)
        #expect(await refusal { try await node.history.importArchive(from: page) } == .fileUnusable)
    }

    /// Writes everything that a history can hold.
    private func talk(
        _ alice: LiveNode,
        _ bob: LiveNode,
        _ scene: FileScene,
        _ picture: [UInt8]
    ) async throws -> (PeerID, GroupID) {
        let bobID = try await alice.meets("Bob")
        let aliceID = try await bob.meets("Alice")
        try await bob.node.contacts.decide(.accept, about: aliceID)
        let first = try await alice.node.conversation(.direct(bobID)).send("Hello, @Bob")
        _ = try await bob.receives()
        let answer = try await bob.node.conversation(.direct(aliceID)).send("Yes?", MessageOptions(replyTo: first.id))
        _ = try await alice.receives()
        try await alice.node.contacts.verify(bobID, number: try await alice.node.contacts.safetyNumber(with: bobID))
        try await alice.node.conversations.holding(first.id).edit(first.id, to: "Good morning, @Bob")
        try await alice.node.conversations.holding(answer.id).react("👍", to: answer.id)
        let poll = try await alice.node.conversation(.direct(bobID)).ask(Poll("Tea?", options: ["yes", "no"]))
        try await alice.node.conversations.holding(poll.id).vote([1], in: poll.id)
        try await alice.node.conversations.holding(poll.id).closePoll(poll.id)
        let file = FileDraft(try scene.file("a.png", picture))
        try await alice.node.conversation(.direct(bobID)).send("see", files: [file])
        try await alice.node.conversation(.direct(bobID)).send(String(repeating: "long ", count: 6_000))
        let gone = try await alice.node.conversation(.direct(bobID)).send("regretted")
        try await alice.node.conversations.holding(gone.id).delete(gone.id, forEveryone: true)
        try await alice.node.conversation(.direct(bobID)).send("secret", MessageOptions(expiresAfter: .seconds(1_000)))
        let group = try await alice.node.conversations.createGroup(title: "Trees", members: [bobID]).id
        try await bob.happens(.joined, in: group)
        try await alice.node.conversation(.group(group)).send("an oak")
        try await bob.node.conversation(.group(group)).send("an ash")
        _ = try await alice.receives()
        try await alice.node.conversation(.group(group)).setTimer(.zero)
        return (bobID, group)
    }

    private func refusal<Report>(_ body: () async throws -> Report) async -> ChatError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? ChatError)?.code
        }
    }
}
