import ChatCrypto
import ChatHistory
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Changes in groups")
struct GroupChangeTests {
    @Test("Reactions, edits, votes and deletions of members are seen alike by all")
    func changes() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let text = try scene.say("one", by: 0, in: group)
        var asked: MessageID?
        try scene.world.step(1) { asked = try $0.ask(Poll("?", options: ["a", "b"]), to: .group(group)).id }
        scene.world.run(for: 10_000)
        let poll = try #require(asked)
        try scene.world.step(0) { try $0.edit(text, to: "two") }
        try scene.world.step(1) { try $0.react("👍", to: text) }
        for index in 0...2 { try scene.world.step(index) { try $0.vote([index % 2], in: poll) } }
        scene.world.run(for: 10_000)
        try scene.world.step(1) { try $0.closePoll(poll) }
        scene.world.run(for: 10_000)
        let shown = try (0...2).map { try scene.messages(group, of: $0).map(Shown.init).sorted { $0.id < $1.id } }
        #expect(shown[1] == shown[0] && shown[2] == shown[0])
        let edited = try #require(shown[0].first { $0.id == text })
        #expect(edited.text == "two" && edited.earlier == ["one"])
        #expect(edited.reactions == [Reaction(emoji: "👍", members: [scene.world[1].id])])
        let ids = scene.world.nodes.map(\.id)
        #expect(shown[0].first { $0.id == poll }?.votes == [[ids[0], ids[2]].sorted(), [ids[1]]])
        #expect(throws: ChatError.self) { try scene.world.step(2) { try $0.edit(text, to: "x") } }

        try scene.world.step(0) { try $0.delete(text, forEveryone: true) }
        scene.world.run(for: 10_000)
        for index in 0...2 {
            #expect(try scene.messages(group, of: index).first { $0.id == text }?.isDeleted == true)
            let record = try #require(try scene.world[index].stored(.messages, text.bytes))
            #expect(record.firstRange(of: Array("one".utf8)) == nil)
        }
    }

    @Test("Over a lossy mesh all members end with the same", arguments: 1...5 as ClosedRange<UInt64>)
    func weather(seed: UInt64) throws {
        let scene = try GroupScene(seed: seed)
        let group = try scene.create(with: [1, 2])
        scene.world.quality = EngineWorld.Quality()
        var random = SplitMix64(seed: seed)
        var ids: [MessageID] = []
        for number in 0..<40 {
            let index = Int.random(in: 0...2, using: &random)
            let id = ids.randomElement(using: &random)
            let choice = Int.random(in: 0..<3, using: &random)
            // The node may refuse a change because of the state of the message at that time. The test accepts this.
            try? scene.world.step(index) { engine in
                switch (number % 6, id) {
                case (0, _), (_, nil):
                    let poll = Poll("\(number)?", options: ["a", "b", "c"])
                    ids.append(
                        choice == 0
                            ? try engine.ask(poll, to: .group(group)).id
                            : try engine.send("\(number)", to: .group(group)).id
                    )
                case (1, let id?): try engine.edit(id, to: "edit \(number)")
                case (2...3, let id?): try engine.vote([choice], in: id)
                case (_, let id?): try engine.react(Emoji.quickSet[choice], to: id)
                }
            }
            scene.world.run(for: UInt64.random(in: 0...500, using: &random))
        }
        scene.world.run(for: 600_000)
        let shown = try (0...2).map { try scene.messages(group, of: $0).map(Shown.init).sorted { $0.id < $1.id } }
        #expect(shown[1] == shown[0] && shown[2] == shown[0], "seed \(seed)")
        #expect(shown[0].contains { !$0.reactions.isEmpty }, "seed \(seed)")
    }

    @Test("A message to a group goes by its timer on every node that has read it")
    func timer() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        var sent: MessageID?
        let options = MessageOptions(expiresAfter: .seconds(30))
        try scene.world.step(0) { sent = try $0.send("gone soon", options, to: .group(group)).id }
        scene.world.run(for: 10_000)
        try scene.world.step(1) { try $0.markRead(.group(group)) }
        scene.world.run(for: 31_000)
        let id = try #require(sent)
        #expect(try (0...2).map { try scene.messages(group, of: $0).contains { $0.id == id } } == [false, false, true])
    }
}
