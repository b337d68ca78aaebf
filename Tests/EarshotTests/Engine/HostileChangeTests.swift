import ChatCrypto
import ChatHistory
import Earshot
import Testing

@testable import ChatCore

/// A contact that writes contents that no engine writes.
///
/// Only its statements about itself are proven.
@Suite("Forged, early and countless changes")
struct HostileChangeTests {
    private static func change(_ number: UInt64, _ target: MessageID, _ fields: [UInt8] = []) -> [UInt8] {
        ContentBytes.frame(order: 0, sentAt: 1)
            + ContentBytes.field(number, ContentBytes.field(1, target.bytes) + fields)
    }

    private static func edit(_ target: MessageID, _ text: String, number: UInt64 = 1) -> [UInt8] {
        change(22, target, ContentBytes.field(2, Array(text.utf8)) + ContentBytes.number(4, number))
    }

    private static func reaction(_ target: MessageID, _ emoji: String = "👍", number: UInt64 = 1) -> [UInt8] {
        change(21, target, ContentBytes.field(2, Array(emoji.utf8)) + ContentBytes.number(4, number))
    }

    private static func vote(_ target: MessageID, _ options: UInt64, number: UInt64 = 1) -> [UInt8] {
        change(24, target, ContentBytes.number(2, options) + ContentBytes.number(3, number))
    }

    @Test(
        "Edits, deletions and ends of others' messages, wrong votes and changes of the wrong kind are ignored and counted"
    )
    func ignored() throws {
        let scene = try ScriptedWorld()
        var (bob, eve) = (try scene.friend("Bob"), try scene.friend("Eve"))
        let text = try #require(try scene.world.send("mine", to: bob.id))
        var asked: MessageID?
        try scene.world.step(0) { asked = try $0.ask(Poll("?", options: ["a", "b"]), to: .direct(bob.id)).id }
        let poll = try #require(asked)
        let before = try scene.alice.history(with: bob.id, at: scene.now).map(Shown.init)
        for content in [
            Self.edit(text, "forged"), Self.change(23, text), Self.change(23, poll), Self.change(25, poll),
            Self.edit(poll, "forged"), Self.vote(text, 1), Self.vote(poll, 0b100), Self.vote(poll, 0b11),
            Self.vote(poll, 1 << 31),
        ] {
            try scene.bring(content, from: &bob)
        }
        try scene.bring(Self.reaction(text), from: &eve)
        try scene.bring(Self.vote(poll, 1), from: &eve)
        #expect(try scene.alice.history(with: bob.id, at: scene.now).map(Shown.init) == before)
        #expect(
            scene.engine.ignoredChanges == [
                .notAuthor: 5, .notPoll: 1, .noSuchOption: 2, .tooManyOptions: 1, .elsewhere: 2,
            ]
        )
        try scene.bring(Self.vote(poll, 0b10), from: &bob)
        #expect(try scene.alice.history(with: bob.id, at: scene.now).last?.poll?.votes == [[], [bob.id]])
    }

    @Test("A poll's author cannot edit it, and nobody can edit what is no text")
    func notText() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let options = ["a", "b"].flatMap { ContentBytes.field(2, Array($0.utf8)) }
        let content =
            ContentBytes.frame(order: 1, sentAt: 1) + ContentBytes.field(20, ContentBytes.field(1, [0x3F]) + options)
        let poll = try scene.bring(content, from: &bob)
        try scene.bring(Self.edit(poll, "other"), from: &bob)
        #expect(scene.engine.ignoredChanges == [.notText: 1])
        #expect(try scene.conversation(with: bob)?.unreadCount == 1)
    }

    @Test(
        "Changes that come before their message are kept over a restart and hold when it comes",
        arguments: [false, true]
    )
    func early(restarts: Bool) throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let content = ContentBytes.text("one", order: 1)
        let id = bob.messageID(of: content, to: scene.engine)
        let early = [
            try scene.bring(Self.edit(id, "three", number: 2), from: &bob),
            try scene.bring(Self.edit(id, "two", number: 1), from: &bob),
            try scene.bring(Self.reaction(id), from: &bob),
        ]
        #expect(try scene.confirmed(to: &bob, among: early) == early)
        if restarts { try scene.world.restart(0) }
        #expect(try scene.alice.store.count(.pendingChanges, conversation: nil) == 3)
        try scene.bring(content, from: &bob)
        let message = try #require(try scene.alice.history(with: bob.id, at: scene.now).first)
        #expect(message.text == "three")
        #expect(message.earlierTexts.map(\.text) == ["one", "two"])
        #expect(message.reactions == [Reaction(emoji: "👍", members: [bob.id])])
        #expect(try scene.alice.store.count(.pendingChanges, conversation: nil) == 0)
    }

    @Test("A message whose deletion came first is never shown, nor are its files fetched")
    func earlyDeletion() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let file =
            ContentBytes.field(1, [0x61]) + ContentBytes.number(3, 300)
            + ContentBytes.field(4, [UInt8](repeating: 3, count: 32))
            + ContentBytes.field(5, [UInt8](repeating: 4, count: 32))
        let content =
            ContentBytes.frame(order: 1, sentAt: 1)
            + ContentBytes.field(4, ContentBytes.field(1, Array("secret".utf8)) + ContentBytes.field(2, file))
        let id = bob.messageID(of: content, to: scene.engine)
        try scene.bring(Self.change(23, id), from: &bob)
        try scene.bring(content, from: &bob)
        let message = try #require(try scene.alice.history(with: bob.id, at: scene.now).first)
        #expect(message.isDeleted && message.text == "" && message.files == [])
        #expect(scene.alice.textsTold == [""])
        #expect(try scene.alice.store.count(.blobs, conversation: nil) == 0)
        #expect(try scene.confirmed(to: &bob, among: [id]) == [id])
        let record = try #require(try scene.alice.stored(.messages, id.bytes))
        #expect(record.firstRange(of: Array("secret".utf8)) == nil)
    }

    @Test("Of countless changes for messages that do not exist so many are kept, and for a week")
    func crowd() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let more = 3
        for number in 0..<(ContentLimits.pendingChangeMemberCount + more) {
            try scene.bring(Self.reaction(Numbered.message(number)), from: &bob)
        }
        #expect(scene.engine.ignoredChanges == [.crowded: UInt64(more)])
        #expect(
            try scene.alice.store.count(.pendingChanges, conversation: nil) == ContentLimits.pendingChangeMemberCount
        )
        try scene.world.restart(0)
        #expect(
            try scene.alice.store.count(.pendingChanges, conversation: nil) == ContentLimits.pendingChangeMemberCount
        )
        scene.world.sleep(for: ContentLimits.pendingChangeAge + 120_000)
        #expect(try scene.alice.store.count(.pendingChanges, conversation: nil) == 0)
    }

    @Test("More reactions and edits than are kept push out the oldest, and the record stays small")
    func countless() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let id = try scene.bring(ContentBytes.text("one", order: 1), from: &bob)
        let emoji = (0..<20).compactMap { Unicode.Scalar(0x1F400 + $0).map { String(Character($0)) } }
        for (number, emoji) in emoji.enumerated() {
            try scene.bring(Self.reaction(id, emoji, number: UInt64(number) + 1), from: &bob)
            try scene.bring(Self.edit(id, "\(number)", number: UInt64(number) + 1), from: &bob)
        }
        let message = try #require(try scene.alice.history(with: bob.id, at: scene.now).first)
        #expect(message.reactions.map(\.emoji) == Array(emoji.suffix(ContentLimits.reactionCount)))
        #expect(message.text == "19")
        #expect(message.earlierTexts.map(\.text) == ["one"] + (4..<19).map(String.init))
    }

    @Test("A stranger's changes count against its request, and those of nobody we know are nothing")
    func unknownPeers() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.peer("Bob")
        try scene.bring(Self.reaction(Numbered.message(1)), from: &bob)
        #expect(try scene.alice.store.count(.pendingChanges, conversation: nil) == 0)
        let id = try scene.bring(ContentBytes.text("hello", order: 1), from: &bob)
        for number in 1..<(ChatLimits.requestMessageCount + 20) {
            try scene.bring(Self.edit(id, "\(number)", number: UInt64(number)), from: &bob)
        }
        let message = try #require(try scene.alice.history(with: bob.id, at: scene.now).first)
        #expect(message.isRequest)
        #expect(message.text == "\(ChatLimits.requestMessageCount - 1)")
    }
}
