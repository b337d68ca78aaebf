import ChatCrypto
import ChatHistory
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("History for newcomers")
struct GroupHistoryTests {
    @Test("A newcomer is shown what the others see, in their order, on the word of who told it, and counts none as new")
    func everything() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1], history: .all)
        let world = scene.world
        let first = try scene.say("one", by: 0, in: group)
        world.run(for: 1_000)
        try scene.say("two", by: 1, in: group)
        var asked: MessageID?
        try world.step(1) { asked = try $0.ask(Poll("?", options: ["a", "b"]), to: .group(group)).id }
        world.run(for: 1_000)
        let poll = try #require(asked)
        try world.step(0) { try $0.edit(first, to: "one!") }
        try world.step(1) { try $0.react("👍", to: first) }
        for index in 0...1 { try world.step(index) { try $0.vote([index], in: poll) } }
        world.run(for: 1_000)
        try world.step(1) { try $0.closePoll(poll) }
        world.run(for: 1_000)
        try scene.add(2, to: group)

        let seen = try scene.shown(group, of: 0)
        #expect(try scene.shown(group, of: 2) == seen)
        #expect(seen.map(\.text) == ["one!", "two", ""] && seen[0].earlier == ["one"] && seen[2].isClosed == true)
        let alice = world[0].id
        #expect(
            try scene.messages(group, of: 2).map(\.attestedBy)
                == Array(repeating: [Attester(id: alice, name: "Alice")], count: 3)
        )
        #expect(try scene.attesters(group, of: 0).allSatisfy(\.isEmpty))
        let done = HistoryProgress(attester: alice, messageCount: 3, isComplete: true)
        #expect(scene.events(group, of: 2).last == .history(done))
        let list = try world[2].read(at: world.now) { try $0.conversationList() }
        #expect(list.first { $0.id == .group(group) }?.unreadCount == 0)
        #expect(!world[2].textsTold.isEmpty && scene.world[2].engine.earlier.refusedCount == 0)

        // Messages from now on stand below. The new member receives them itself, without an attester.
        try scene.say("three", by: 1, in: group)
        try scene.say("four", by: 2, in: group)
        world.run(for: 5_000)
        #expect(try scene.texts(group, of: 2).prefix(2) == ["one!", "two"])
        #expect(try Set(scene.texts(group, of: 2).suffix(2)) == ["three", "four"])
        #expect(try scene.attesters(group, of: 2).map(\.count) == [1, 1, 1, 0, 0])
        try world.step(2) { try $0.react("🎉", to: first) }
        world.run(for: 5_000)
        let after = try (0...2).map { try scene.shown(group, of: $0).sorted { $0.id < $1.id } }
        #expect(after[1] == after[0] && after[2] == after[0])
        for node in world.nodes { #expect(try node.isAtRest) }
    }

    @Test("What was said before a newcomer came raises no notice")
    func notices() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1], history: .all)
        try scene.say("old", by: 1, in: group)
        try scene.add(2, to: group)
        try scene.say("new", by: 1, in: group)
        scene.world.run(for: 5_000)
        let noticed = try scene.messages(group, of: 2).map { scene.world[2].engine.noticeFacts(of: $0)?.text }
        #expect(noticed == [nil, "new"])
    }

    @Test("Of the last so many a newcomer gets no more, whatever it asks for")
    func lastMessages() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1], history: .last(3))
        for number in 0..<10 {
            try scene.say("\(number)", by: number % 2, in: group)
            scene.world.run(for: 500)
        }
        try scene.add(2, to: group)
        #expect(try scene.texts(group, of: 2) == ["7", "8", "9"])
        scene.world.deaf = [2]
        let old = try #require(try scene.lowestPlace(group, of: 0))
        for place in [old, old + 3, UInt64.max - 1] {
            try scene.notify(.request(HistoryCursor(place: place, part: 0)), from: 2, to: 0, in: group)
            let page = try #require(try scene.newestPage(of: 0))
            #expect(page.texts == (place == UInt64.max - 1 ? ["9", "8", "7"] : []))
        }
    }

    @Test("A cursor without fields asks from the top, and the page repeats it")
    func emptyCursor() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1], history: .all)
        try scene.say("old", by: 1, in: group)
        try scene.add(2, to: group)
        scene.world.deaf = [2]
        try scene.notify(.request(HistoryCursor(place: 0, part: 0)), from: 2, to: 0, in: group)
        let page = try #require(try scene.newestPage(of: 0))
        #expect(page.texts == ["old"] && page.next == nil)
        #expect(page.from == HistoryCursor(place: 0, part: 0))
    }

    @Test("Without a policy nothing is asked and nothing told; what was not promised to who came before stays untold")
    func noHistory() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Dave"])
        let group = try scene.create(with: [1])
        try scene.say("secret", by: 1, in: group)
        try scene.add(2, to: group)
        #expect(scene.pull(group, of: 2) == nil)
        #expect(throws: ChatError.self) { try scene.world.step(1) { try $0.setHistory(.all, of: group) } }
        try scene.world.step(0) { try $0.setHistory(.all, of: group) }
        scene.world.run(for: 5_000)
        #expect(scene.events(group, of: 1).last == .policyChanged)
        #expect(try scene.view(group, of: 2).history == .all)
        scene.world.deaf = [2]
        try scene.notify(.request(.newest), from: 2, to: 0, in: group)
        #expect(try scene.newestPage(of: 0) == nil)
        scene.world.deaf = []
        try scene.say("later", by: 0, in: group)
        scene.world.run(for: 5_000)
        try scene.add(3, to: group)
        #expect(try scene.texts(group, of: 3) == ["secret", "later"])
        #expect(try scene.texts(group, of: 2) == ["later"])
        // The new member keeps the messages that it received. A member that joins from now on receives none.
        try scene.world.step(0) { try $0.setHistory(.none, of: group) }
        scene.world.run(for: 5_000)
        #expect(try scene.texts(group, of: 3) == ["secret", "later"])
    }

    @Test("What was deleted, is to go, or was written by who is out is not handed on")
    func notHandedOn() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Dave"])
        let group = try scene.create(with: [1, 2], history: .all)
        let regretted = try scene.say("regretted", by: 1, in: group)
        try scene.say("by Carol", by: 2, in: group)
        let kept = try scene.say("kept", by: 0, in: group)
        let options = MessageOptions(expiresAfter: .seconds(3_600))
        try scene.world.step(0) { _ = try $0.send("gone soon", options, to: .group(group)) }
        scene.world.run(for: 5_000)
        try scene.world.step(2) { try $0.react("👍", to: kept) }
        try scene.world.step(1) { try $0.delete(regretted, forEveryone: true) }
        scene.world.run(for: 5_000)
        let carol = scene.world[2].id
        try scene.world.step(0) { try $0.remove(carol, from: group) }
        scene.world.run(for: 5_000)
        try scene.add(3, to: group)
        let seen = try scene.messages(group, of: 3)
        #expect(seen.map(\.text) == ["kept"])
        // The newcomer knows nobody who left before it came, so a former member's changes do not count there either.
        #expect(seen.first?.reactions == [])
        #expect(try scene.messages(group, of: 0).first { $0.text == "kept" }?.reactions.count == 1)
    }

    @Test("Whoever is not in the group, is blocked or has left is told nothing")
    func outsiders() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Mallory"])
        let group = try scene.create(with: [1], history: .all)
        try scene.say("secret", by: 1, in: group)
        try scene.add(2, to: group)
        #expect(try scene.texts(group, of: 2) == ["secret"])
        let (carol, count) = (scene.world[2].id, scene.world[0].engine.earlier.answers.count)
        // Bob has asked too, at a time when there were no messages.
        #expect(count == 2)
        try scene.notify(.request(.newest), from: 3, to: 0, in: group)
        try scene.world.step(0) { try $0.decide(.block, about: carol) }
        scene.world.deaf = [2]
        try scene.notify(.request(.newest), from: 2, to: 0, in: group)
        #expect(try scene.newestPage(of: 0) == nil && scene.world[0].engine.earlier.answers.waitingCount == 0)
        try scene.world.step(0) { try $0.decide(.unblock, about: carol) }
        try scene.world.step(0) { try $0.remove(carol, from: group) }
        try scene.notify(.request(.newest), from: 2, to: 0, in: group)
        #expect(try scene.newestPage(of: 0) == nil)
        #expect(scene.world[0].engine.earlier.answers.count == 1)
        #expect(try scene.world[0].store.count(.answers, conversation: nil) == 1)
        #expect(scene.world[3].engine.earlier.pulls.isEmpty)
    }

    @Test("Nobody is told without end, and what came late counts too, over restarts")
    func endlessAsking() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1], history: .all)
        try scene.say("old", by: 1, in: group)
        scene.world.run(for: 1_000)
        try scene.add(2, to: group)
        let newMember = HistoryAnswers.NewMember(group: group, member: scene.world[2].id)
        let answer = try #require(scene.world[0].engine.earlier.answers[newMember])
        #expect(
            answer
                == HistoryAnswers.Answer(joinEpoch: 3, floor: 0, count: 1, answeredAt: answer.answeredAt, pageCount: 1)
        )
        scene.world.deaf = [2]
        let limit = EarlierMessageLimits.answerPageCount
        for (pageCount, texts) in [(limit - 1, ["old"]), (limit, [])] as [(UInt32, [String])] {
            try scene.world.step(0) { engine in
                var full = answer
                full.pageCount = pageCount
                engine.step.put(.answers, newMember.name, full.record(of: newMember))
            }
            try scene.world.restart(0)
            let before = try scene.newestPage(of: 0)
            let cursor = HistoryCursor(place: 2 * EarlierMessageLimits.placeCount + UInt64(pageCount), part: 0)
            try scene.notify(.request(cursor), from: 2, to: 0, in: group)
            let page = try scene.newestPage(of: 0)
            #expect(page == before ? texts == [] : page?.texts == texts)
        }
    }

    @Test("Files come along as what is known of them, and are not fetched")
    func files() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1], history: .all)
        try scene.add(2, to: group)
        let reference = try #require(BlobReference(root: [UInt8](repeating: 4, count: 32), byteCount: 5_000_000))
        let key = [UInt8](repeating: 5, count: 32)
        let file = FileReference(name: "map.pdf", type: "application/pdf", reference: reference, key: key)
        let content = MessageContent.Decoded(.text(.init("look", files: [file])), sentAt: 1, order: 1)
        let record = HistoryRecord(
            author: scene.world[1].id,
            content: MessageContent.message(content, salt: [UInt8](repeating: 1, count: 16))
        )
        try scene.notify([record], from: 0, to: 2, in: group)
        let message = try #require(try scene.messages(group, of: 2).first)
        #expect(message.files.map(\.name) == ["map.pdf"] && message.files.map(\.isComplete) == [false])
        #expect(scene.world[2].orders.isEmpty && scene.world[2].engine.attachments.blobs.count == 0)
    }

    @Test("Who comes back is told of what was said meanwhile, between what it had and what follows")
    func comingBack() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2], history: .all)
        try scene.say("before", by: 2, in: group)
        scene.world.run(for: 5_000)
        let carol = scene.world[2].id
        try scene.world.step(0) { try $0.remove(carol, from: group) }
        scene.world.run(for: 5_000)
        try scene.say("meanwhile", by: 1, in: group)
        scene.world.run(for: 5_000)
        try scene.add(2, to: group)
        try scene.say("after", by: 0, in: group)
        scene.world.run(for: 5_000)
        #expect(try scene.texts(group, of: 2) == ["before", "meanwhile", "after"])
        #expect(try scene.messages(group, of: 2).map(\.isOutgoing) == [true, false, false])
        #expect(try scene.attesters(group, of: 2).map(\.count) == [0, 1, 0])
    }
}
