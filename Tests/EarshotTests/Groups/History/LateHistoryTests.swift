import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("History for newcomers, late and interrupted")
struct LateHistoryTests {
    @Test("What somebody wrote and did before hearing of the newcomer is told to it when it comes")
    func stragglers() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Dave"])
        let group = try scene.create(with: [1, 2], history: .all)
        let texts = ["edited later", "deleted later", "liked later"]
        let ids = try texts.map { text in
            defer { scene.world.run(for: 1_000) }
            return try scene.say(text, by: 1, in: group)
        }
        scene.world.deaf = [1]
        try scene.add(3, to: group)
        #expect(try scene.texts(group, of: 3) == texts)
        // Bob does not know Dave yet, so Dave has no key for Bob's messages.
        try scene.say("late", by: 1, in: group)
        try scene.world.step(1) { try $0.edit(ids[0], to: "edited") }
        try scene.world.step(1) { try $0.delete(ids[1], forEveryone: true) }
        try scene.world.step(1) { try $0.react("👍", to: ids[2]) }
        scene.world.run(for: 10_000)
        let seen = try scene.shown(group, of: 0).sorted { $0.id < $1.id }
        #expect(try scene.shown(group, of: 3).sorted { $0.id < $1.id } == seen)
        #expect(Set(seen.map(\.text)) == ["edited", "liked later", "late"])
        #expect(try scene.attesters(group, of: 3).allSatisfy { $0 == [scene.world[0].id] })
        scene.world.deaf = []
        try scene.world.restart(1)
        scene.world.run(for: 10_000)
        try scene.say("now for all", by: 1, in: group)
        scene.world.run(for: 10_000)
        #expect(try scene.messages(group, of: 3).last?.attestedBy == [])
        #expect(try scene.texts(group, of: 3).last == "now for all")
    }

    @Test("Of the last so many, what was done to an older message is not told")
    func stragglerBelowTheWindow() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol"])
        let group = try scene.create(with: [1], history: .last(1))
        let ids = try ["hidden", "told"].map { text in
            defer { scene.world.run(for: 1_000) }
            return try scene.say(text, by: 1, in: group)
        }
        scene.world.deaf = [1]
        try scene.add(2, to: group)
        for id in ids { try scene.world.step(1) { try $0.edit(id, to: "edited") } }
        scene.world.run(for: 10_000)
        #expect(try scene.texts(group, of: 2) == ["edited"])
        let told = scene.world[2].events.compactMap { event -> MessageID? in
            guard case .message(let message) = event, !message.isGroupLine else { return nil }
            return message.id
        }
        #expect(told == [ids[1]])
    }

    @Test("A long history comes in pages, over restarts of both sides, once each")
    func pages() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1], history: .all)
        for number in 0..<300 {
            try scene.say("\(number) " + String(repeating: "x", count: 300), by: number % 2, in: group)
            scene.world.run(for: 50)
        }
        scene.world.run(for: 10_000)
        try scene.add(2, to: group, for: 1_200)
        let begun = try #require(scene.pull(group, of: 2))
        #expect(begun.pageCount > 1 && !begun.isOver)
        try scene.world.restart(2)
        scene.world.run(for: 1_500)
        try scene.world.restart(0)
        scene.world.run(for: 60_000)
        let pull = try #require(scene.pull(group, of: 2))
        #expect(pull.isOver && pull.pageCount > 6 && pull.messageCount == 300)
        #expect(try scene.shown(group, of: 2) == scene.shown(group, of: 0))
        for node in scene.world.nodes { #expect(try node.isAtRest) }
        // A pull that is over stays over after a restart.
        try scene.world.restart(2)
        scene.world.run(for: 60_000)
        #expect(scene.pull(group, of: 2)?.pageCount == pull.pageCount)
    }

    @Test("All that was done to a message comes, however much more than a page that is")
    func manyChanges() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1], history: .all)
        let id = try scene.say("first", by: 0, in: group)
        scene.world.run(for: 1_000)
        for number in 0..<ContentLimits.editCount {
            let text = String(repeating: "\(number % 10)", count: ChatLimits.textByteCount)
            try scene.world.step(0) { try $0.edit(id, to: text) }
            scene.world.run(for: 500)
        }
        try scene.world.step(1) { try $0.react("👍", to: id) }
        scene.world.run(for: 10_000)
        try scene.add(2, to: group)
        #expect(try scene.shown(group, of: 2) == scene.shown(group, of: 0))
        #expect(try scene.messages(group, of: 2).first?.earlierTexts.count == ContentLimits.editCount)
        #expect(try #require(scene.pull(group, of: 2)).pageCount >= ContentLimits.editCount)
    }

    @Test("Who is silent is passed over, and asked again, so that in the end who came first has told all")
    func silence() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol"])
        let group = try scene.create(with: [], history: .all)
        try scene.add(1, to: group)
        for number in 0..<3 {
            try scene.say("\(number)", by: number % 2, in: group)
            scene.world.run(for: 1_000)
        }
        try scene.add(2, to: group, for: 500)
        scene.world.deaf = [0]
        scene.world.run(for: 60_000)
        let (alice, bob) = (scene.world[0].id, scene.world[1].id)
        #expect(try scene.attesters(group, of: 2) == [[bob], [bob], [bob]])
        #expect(scene.pull(group, of: 2)?.isOver == false)
        scene.world.deaf = []
        try scene.world.restart(0)
        scene.world.run(for: 900_000)
        #expect(try scene.attesters(group, of: 2) == [[bob, alice], [bob, alice], [bob, alice]])
        #expect(scene.pull(group, of: 2)?.isOver == true)
        #expect(try scene.texts(group, of: 2) == ["0", "1", "2"])
    }

    @Test("A member who is out is asked no more, and its word stays")
    func voucherGoes() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol"])
        let group = try scene.create(with: [1], history: .all)
        try scene.say("hello", by: 0, in: group)
        scene.world.run(for: 5_000)
        let (alice, bob) = (scene.world[0].id, scene.world[1].id)
        try scene.world.step(0) { try $0.transferOwnership(group, to: bob) }
        scene.world.run(for: 5_000)
        scene.world.deaf = [0]
        try scene.add(2, to: group, by: 1, for: 5_000)
        #expect(scene.pull(group, of: 2)?.attester == alice)
        try scene.world.step(1) { try $0.remove(alice, from: group) }
        scene.world.run(for: 10_000)
        #expect(scene.pull(group, of: 2)?.isOver == true)
        // The members do not forward Alice's messages any more.
        #expect(try scene.texts(group, of: 2).isEmpty)
        #expect(scene.world[2].engine.outbox.entries.values.allSatisfy { $0.peer != alice })
    }
}
