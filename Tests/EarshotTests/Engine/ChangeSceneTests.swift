import ChatCrypto
import ChatHistory
import Earshot
import Testing

@testable import ChatCore

@Suite("Reactions, edits, deletions and polls between two nodes")
struct ChangeSceneTests {
    @Test("Reactions are put on, seen by both, and taken away")
    func reactions() throws {
        let scene = try ContentScene()
        let id = try scene.say("Hello")
        try scene.act(1) { try $0.react("👍", to: id) }
        try scene.act(0) { try $0.react("👍", to: id) }
        try scene.act(1) { try $0.react("🦊", to: id) }
        let both = [scene.alice, scene.bob].sorted()
        #expect(
            try scene.both(id).reactions == [
                Reaction(emoji: "👍", members: both), Reaction(emoji: "🦊", members: [scene.bob]),
            ]
        )
        for index in 0...1 {
            #expect(try scene.shown(id, at: index)?.reactions.map(\.isMine) == [true, index == 1])
        }
        try scene.act(1) { try $0.react("👍", to: id) }
        #expect(try scene.both(id).reactions.first == Reaction(emoji: "👍", members: [scene.alice]))
        try scene.act(1) { try $0.react("👍", to: id, isOn: false) }
        #expect(try scene.world[1].isAtRest && scene.world[0].isAtRest)
        #expect(scene.refusal(0) { try $0.react("ok", to: id) } == .notEmoji)
    }

    @Test("An edit shows the new text and keeps the old ones, up to 16 edits")
    func edits() throws {
        let scene = try ContentScene()
        let id = try scene.say("one")
        try scene.act(0) { try $0.edit(id, to: "two @Bob") }
        #expect(try scene.both(id).text == "two @Bob")
        #expect(try scene.both(id).earlier == ["one"])
        #expect(try scene.shown(id, at: 1)?.mentions == [Mention(scene.bob, at: 4..<8)])
        #expect(try (0...1).map { try scene.shown(id, at: $0)?.mentionsMe } == [false, true])
        for number in 2...ContentLimits.editCount { try scene.act(0) { try $0.edit(id, to: "\(number)") } }
        #expect(try scene.both(id).earlier.count == ContentLimits.editCount)
        #expect(scene.refusal(0) { try $0.edit(id, to: "no") } == .limited)
        #expect(scene.refusal(1) { try $0.edit(id, to: "no") } == .notAuthor)
        let long = String(repeating: "x", count: ChatLimits.textByteCount + 1)
        let other = try scene.say("other")
        #expect(scene.refusal(0) { try $0.edit(other, to: long) } == .tooLarge)
        #expect(scene.refusal(0) { try $0.edit(other, to: "") } == .empty)
    }

    @Test("A message deleted for everyone leaves that it was there, and nothing of its content")
    func deletion() throws {
        let scene = try ContentScene()
        let id = try scene.say("a secret")
        try scene.act(0) { try $0.edit(id, to: "a better secret") }
        try scene.act(1) { try $0.react("👍", to: id) }
        #expect(scene.refusal(1) { try $0.delete(id, forEveryone: true) } == .notAuthor)
        try scene.act(0) { try $0.delete(id, forEveryone: true) }
        let deleted = try scene.both(id)
        #expect(deleted.isDeleted && deleted.text == "" && deleted.earlier == [] && deleted.reactions == [])
        for index in 0...1 {
            let record = try #require(try scene.world[index].stored(.messages, id.bytes))
            #expect(record.firstRange(of: Array("secret".utf8)) == nil)
            #expect(scene.world[index].store.erasureCount == 1)
            try scene.world.restart(index)
        }
        #expect(try scene.both(id) == deleted)
        #expect(scene.refusal(1) { try $0.react("👍", to: id) } == .notFound)
    }

    @Test("What is deleted before it could be sealed never leaves")
    func neverSent() throws {
        let scene = try ScriptedWorld()
        let unknownPeer = try ScriptedPeer("Bob", at: scene.now)
        try scene.world.receive(unknownPeer.bundle)
        try scene.world.step(0) { try $0.decide(.accept, about: unknownPeer.id) }
        // The prekey bundle has expired, and no other has come.
        scene.world.sleep(for: 40 * 86_400_000)
        let id = try #require(try scene.world.send("a secret", to: unknownPeer.id))
        #expect(try scene.alice.stored(.outbox, id.bytes) != nil)
        try scene.world.step(0) { try $0.delete(id, forEveryone: true) }
        #expect(try scene.alice.stored(.outbox, id.bytes) == nil)
        #expect(try scene.alice.history(with: unknownPeer.id, at: scene.now).map(\.isDeleted) == [true])
    }

    @Test("A message deleted here alone is gone here alone, also when it comes again")
    func hidden() throws {
        let scene = try ContentScene()
        let id = try scene.say("Hello")
        try scene.act(1) { try $0.delete(id, forEveryone: false) }
        #expect(try scene.shown(1).map(\.text) == [])
        #expect(try scene.shown(0).map(\.text) == ["Hello"])
        #expect(scene.world[1].events.last == .removed(.direct(scene.alice), id))
        let before = scene.world[1].events.count
        try scene.act(0) { try $0.edit(id, to: "Hello?") }
        try scene.world.restart(1)
        scene.world.run(for: 10_000)
        #expect(try scene.shown(1).map(\.text) == [])
        #expect(scene.world[1].events[before...].allSatisfy { if case .changed = $0 { false } else { true } })
    }

    @Test("A poll is asked, voted in, changed and closed, with the same result on both sides")
    func poll() throws {
        let scene = try ContentScene()
        let id = try scene.ask(Poll("Lunch?", options: ["Soup", "Bread", "Both"]))
        try scene.act(1) { try $0.vote([0], in: id) }
        try scene.act(0) { try $0.vote([1], in: id) }
        try scene.act(1) { try $0.vote([2], in: id) }
        #expect(try scene.both(id).votes == [[], [scene.alice], [scene.bob]])
        #expect(try (0...1).map { try scene.shown(id, at: $0)?.poll?.ownVotes } == [[1], [2]])
        #expect(scene.refusal(1) { try $0.vote([3], in: id) } == .noSuchOption)
        #expect(scene.refusal(1) { try $0.vote([-1], in: id) } == .noSuchOption)
        #expect(scene.refusal(1) { try $0.vote([0, 1], in: id) } == .noSuchOption)
        #expect(scene.refusal(1) { try $0.closePoll(id) } == .notAuthor)
        try scene.act(1) { try $0.vote([], in: id) }
        try scene.act(0) { try $0.closePoll(id) }
        #expect(try scene.both(id).votes == [[], [scene.alice], []])
        #expect(try scene.both(id).isClosed == true)
        #expect(scene.refusal(1) { try $0.vote([0], in: id) } == .closed)
        #expect(try scene.both(id).kind == .poll)
    }

    @Test("Where nobody may choose anew, the first vote stays")
    func fixedVote() throws {
        let scene = try ContentScene()
        let id = try scene.ask(Poll("?", options: ["a", "b"], allowsSeveral: true, allowsChange: false))
        try scene.act(1) { try $0.vote([0, 1], in: id) }
        #expect(scene.refusal(1) { try $0.vote([0], in: id) } == .closed)
        #expect(try scene.both(id).votes == [[scene.bob], [scene.bob]])
    }

    @Test("A vote on its way when the poll is closed counts for nobody")
    func lateVote() throws {
        let scene = try ContentScene()
        let id = try scene.ask(Poll("?", options: ["a", "b"]))
        try scene.act(1) { try $0.vote([0], in: id) }
        scene.world.deaf = [0]
        try scene.act(1) { try $0.vote([1], in: id) }
        #expect(try scene.shown(id, at: 1)?.poll?.votes == [[], [scene.bob]])
        try scene.act(0) { try $0.closePoll(id) }
        scene.world.deaf = []
        try scene.world.restart(0)
        scene.world.run(for: 10_000)
        #expect(try scene.both(id).votes == [[scene.bob], []])
        #expect(scene.world[0].engine.ignoredChanges == [.lateVote: 1])
    }

    @Test("A reply shows its original as it stands, and a member is named by identity")
    func replies() throws {
        let scene = try ContentScene()
        let original = try scene.say("one")
        let reply = try scene.say("yes, @Alice!", from: 1, MessageOptions(replyTo: original))
        #expect(try scene.shown(reply, at: 0)?.mentions == [Mention(scene.alice, at: 5..<11)])
        #expect(try scene.shown(reply, at: 0)?.replyTo?.original?.text == "one")
        #expect(try scene.shown(reply, at: 0)?.replyTo?.original?.sender == scene.alice)
        try scene.act(0) { try $0.edit(original, to: "two") }
        #expect(try scene.shown(reply, at: 1)?.replyTo?.original?.text == "two")
        try scene.act(0) { try $0.delete(original, forEveryone: true) }
        #expect(try scene.shown(reply, at: 1)?.replyTo?.original?.isDeleted == true)
        #expect(
            scene.refusal(0) {
                _ = try $0.send("?", MessageOptions(replyTo: Numbered.message(1)), to: .direct(scene.bob))
            } == .notFound
        )
        #expect(
            scene.refusal(0) {
                _ = try $0.send("?", MessageOptions(mentions: [Numbered.peer(1)]), to: .direct(scene.bob))
            } == .notFound
        )
        let emoji = try scene.say("🦊")
        #expect(try scene.both(emoji).kind == .emoji)
    }
}
