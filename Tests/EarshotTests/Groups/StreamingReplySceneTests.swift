import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Growing answers in groups and rooms")
struct StreamingReplySceneTests {
    /// Returns the texts of the streaming reply that events reported to one of the nodes.
    private func told(_ world: EngineWorld, _ index: Int) -> [String] {
        world[index].events.compactMap { if case .streamingReply(_, _, _, let text) = $0 { text } else { nil } }
    }

    private func show(
        _ text: String,
        _ question: MessageID,
        in group: GroupID,
        _ world: EngineWorld,
        by index: Int = 0
    ) throws {
        try world.step(index) {
            try $0.show(text, growingAnswerTo: question, to: $0.conversationID(of: group))
        }
        world.run(for: 1_000)
    }

    @Test(
        "Who asked in a group sees the answer grow, and so do members that a path leads to; nobody is looked for else"
    )
    func members() throws {
        let scene = try GroupScene(["Oracle", "Alice", "Bob", "Carol"])
        let world = scene.world
        let group = try scene.create(with: [1, 2])
        for index in 0...2 {
            try scene.say("hello from \(index)", by: index, in: group)
            world.run(for: 5_000)
        }
        let question = try scene.say("why?", by: 1, in: group)
        world.run(for: 5_000)
        try show("so f", question, in: group, world)
        #expect(world.helloCount == 1)
        try show("so far", question, in: group, world)
        #expect(
            world[1].events.last == .streamingReply(.group(group), by: world[0].id, answering: question, text: "so far")
        )
        #expect(told(world, 2) == [] && world.helloCount == 1 && world.payloads.last?.isLive == true)
        try world.send("Hello", from: 3, to: world[0].id)
        try world.send("Hello", to: world[3].id)
        world.run(for: 1_000)
        for index in 2...3 { _ = try world.ping(world[0].id, from: index) }
        try show("so far so good", question, in: group, world)
        for index in 1...2 { #expect(told(world, index).last == "so far so good") }
        #expect(told(world, 3) == [])

        // The answer is a message. A part of the streaming reply that comes after it is not shown.
        try world.step(0) { _ = try $0.send("whole", MessageOptions(replyTo: question), to: .group(group)) }
        world.run(for: 1_000)
        let count = told(world, 1).count
        try show("so far so good it was", question, in: group, world)
        #expect(told(world, 1).count == count)
    }

    @Test(
        "Who was put out sees nothing of an answer, and is not seen making one; nor is one shown to a question of its own"
    )
    func outsiders() throws {
        let scene = try GroupScene(["Oracle", "Alice", "Bob"])
        let world = scene.world
        let group = try scene.create(with: [1, 2])
        let question = try scene.say("why?", by: 1, in: group)
        world.run(for: 5_000)
        for index in 1...2 { _ = try world.ping(world[0].id, from: index) }
        try show("one", question, in: group, world)
        #expect(told(world, 1) == ["one"] && told(world, 2) == ["one"])
        let (alice, bob) = (world[1].id, world[2].id)
        let part = try #require(StreamingReplyPart(of: question, upTo: "forged"))
        try world.step(1) { $0.receive(part, from: bob) }
        try world.step(2) { $0.receive(part, from: alice) }
        #expect(told(world, 1).last == "forged" && told(world, 2) == ["one"])
        try world.step(0) { try $0.remove(bob, from: group) }
        world.run(for: 5_000)
        try show("one two", question, in: group, world)
        #expect(told(world, 1).last == "one two" && told(world, 2) == ["one"])
        let late = try #require(StreamingReplyPart(of: question, upTo: "forged once more"))
        try world.step(1) { $0.receive(late, from: bob) }
        #expect(told(world, 1).last == "one two")
        #expect(refusal { try show("x", question, in: group, world, by: 2) } == .notMember)
        #expect(refusal { try show("x", question, in: group, world, by: 1) } == .notFound)
    }

    @Test("In a group strangers neither see an answer grow nor are seen making one")
    func unknownPeers() throws {
        let scene = try GroupScene(areStrangers: true)
        let world = scene.world
        for (index, other) in [(0, 1), (1, 0), (0, 2), (2, 0)] { try scene.befriend(index, other) }
        let group = try scene.create(with: [1, 2])
        for index in 0...2 {
            try scene.say("hello from \(index)", by: index, in: group)
            world.run(for: 5_000)
        }
        let question = try scene.say("why?", by: 1, in: group)
        world.run(for: 5_000)
        let count = world.helloCount
        try show("so far", question, in: group, world, by: 2)
        #expect(world.helloCount == count && told(world, 1) == [])
        let part = try #require(StreamingReplyPart(of: question, upTo: "so far"))
        let bob = world[2].id
        try world.step(1) { $0.receive(part, from: bob) }
        #expect(told(world, 1) == [])
    }

    @Test("Of a group with a path to ten members eight see an answer grow, who asked among them")
    func limit() throws {
        let scene = try GroupScene(["Oracle"] + (1...10).map { "N\($0)" })
        let world = scene.world
        let group = try scene.create(with: Array(1...10))
        let last = (1...10).max { world[$0].id < world[$1].id } ?? 1
        let question = try scene.say("why?", by: last, in: group)
        world.run(for: 5_000)
        for index in 1...10 { _ = try world.ping(world[0].id, from: index) }
        try show("so far", question, in: group, world)
        #expect((1...10).count { told(world, $0) == ["so far"] } == ContentLimits.streamingReplyViewerCount)
        #expect(told(world, last) == ["so far"])
    }

    @Test("In a room, where nobody is a contact, who asked sees the answer grow")
    func room() throws {
        let scene = try RoomScene()
        let room = try scene.create()
        for index in 1...2 { try scene.enter(index, with: try scene.code()) }
        for index in 0...2 {
            try scene.say("hello from \(index)", by: index)
            scene.world.run(for: 5_000)
        }
        let question = try scene.say("why?", by: 1)
        scene.world.run(for: 5_000)
        for text in ["so f", "so far"] { try show(text, question, in: room, scene.world, by: 2) }
        #expect(told(scene.world, 1) == ["so far"] && told(scene.world, 0) == [])
    }
}
