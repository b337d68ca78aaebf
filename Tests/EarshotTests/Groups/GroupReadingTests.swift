import ChatCrypto
import ChatHistory
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Marks of reading, timers and signs of typing in groups")
struct GroupReadingTests {
    private static func unread(_ scene: GroupScene, _ group: GroupID, at index: Int) throws -> Int? {
        try scene.world[index].read(at: scene.world.now) { try $0.conversationList() }
            .first { $0.id == .group(group) }?.unreadCount
    }

    @Test("A mark of reading stands where somebody has read to, only moves forward, and outlives a restart")
    func marks() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let options = MessageOptions(expiresAfter: .seconds(500))
        var ids: [MessageID] = []
        for index in [0, 1, 0, 0] {
            try scene.world.step(index) { ids.append(try $0.send("x", options, to: .group(group)).id) }
            scene.world.run(for: 2_000)
        }
        func running() throws -> [Bool] {
            let shown = try scene.messages(group, of: 2)
            return ids.map { id in shown.first { $0.id == id }?.expiresAt != nil }
        }
        #expect(try Self.unread(scene, group, at: 2) == 4)
        try scene.world.step(2) { try $0.markRead(.group(group), upTo: ids[1]) }
        #expect(try Self.unread(scene, group, at: 2) == 2)
        #expect(try running() == [true, true, false, false])
        try scene.world.step(2) { try $0.markRead(.group(group), upTo: ids[0]) }
        try scene.world.restart(2)
        #expect(try Self.unread(scene, group, at: 2) == 2)
        #expect(try running() == [true, true, false, false])
        try scene.world.step(2) { try $0.markRead(.group(group)) }
        #expect(try Self.unread(scene, group, at: 2) == 0)
        #expect(try running() == [true, true, true, true])
        let elsewhere = try #require(MessageID(bytes: [UInt8](repeating: 1, count: 16)))
        #expect(
            refusal { try scene.world.step(2) { try $0.markRead(.group(group), upTo: elsewhere) } }
                == .notFound
        )
        // A message of another conversation does not belong to this one.
        let alice = scene.world[0].id
        #expect(
            refusal { try scene.world.step(2) { try $0.markRead(.direct(alice), upTo: ids[0]) } } == .notFound
        )
    }

    @Test("Those who wrote are told which of their messages were read, and of no others")
    func receipts() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let (first, second) = (try scene.say("one", by: 0, in: group), try scene.say("two", by: 1, in: group))
        scene.world.run(for: 5_000)
        let third = try scene.say("three", by: 0, in: group)
        scene.world.run(for: 5_000)
        let last = try scene.messages(group, of: 2).map(\.id)
        #expect(Set(last) == [first, second, third] && last.last == third)
        try scene.world.step(2) { engine in
            engine.sendsReadReceipts = true
            try engine.markRead(.group(group), upTo: last[1])
        }
        scene.world.run(for: 5_000)
        let carol = scene.world[2].id
        #expect(try scene.deliveries(of: first, at: 0)[carol] == .read)
        #expect(try scene.deliveries(of: second, at: 1)[carol] == .read)
        #expect(try scene.deliveries(of: third, at: 0)[carol] == .delivered)
    }

    @Test("A group's timer holds at all members for what they write from then on, whoever set it and over restarts")
    func timer() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        try scene.say("before", by: 1, in: group)
        scene.world.run(for: 5_000)
        try scene.world.step(1) { _ = try $0.setTimer(.seconds(60), of: .group(group)) }
        scene.world.run(for: 5_000)
        for index in 0...2 {
            let line = try #require(try scene.messages(group, of: index).last)
            #expect(line.kind == .system && line.systemLine == .timer(.seconds(60)))
            #expect(line.sender == scene.world[1].id)
        }
        #expect(try Self.unread(scene, group, at: 2) == 1)
        try scene.world.restart(2)
        let late = try scene.say("goes", by: 2, in: group)
        scene.world.run(for: 5_000)
        try scene.world.step(0) { try $0.markRead(.group(group)) }
        scene.world.run(for: 61_000)
        #expect(
            try (0...2).map { try scene.messages(group, of: $0).contains { $0.id == late } } == [false, true, false]
        )
        // Two members set the timer at the same time. All end with the same timer.
        try scene.world.step(0) { _ = try $0.setTimer(.zero, of: .group(group)) }
        try scene.world.step(2) { _ = try $0.setTimer(.seconds(90), of: .group(group)) }
        scene.world.run(for: 5_000)
        let timers = scene.world.nodes.map { $0.engine.conversations.timer(of: .group(group)) }
        #expect(Set(timers).count == 1 && timers[0].revision?.number == 2)
        let refused = refusal {
            try scene.world.step(0) { _ = try $0.setTimer(.seconds(31_536_001), of: .group(group)) }
        }
        #expect(refused == .tooLarge)
    }

    @Test("Who comes to a group later has its timer from then on, and one without a timer tells nothing of it")
    func newcomersTimer() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Dave"])
        let group = try scene.create(with: [1])
        try scene.add(2, to: group, for: 10_000)
        #expect(try scene.messages(group, of: 0) == [])
        try scene.world.step(1) { _ = try $0.setTimer(.seconds(60), of: .group(group)) }
        scene.world.run(for: 5_000)
        try scene.add(3, to: group, for: 10_000)
        let timers = scene.world.nodes.map { $0.engine.conversations.timer(of: .group(group)) }
        #expect(Set(timers).count == 1 && timers[3].seconds == 60)
        let line = try #require(try scene.messages(group, of: 3).last)
        #expect(line.systemLine == .timer(.seconds(60)) && line.sender == scene.world[0].id)
    }

    @Test("Typing in a group is told to the contacts in it, as of that group, and of none that both are not in")
    func typing() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Dave"])
        let group = try scene.create(with: [1, 2])
        let other = try scene.create("Bushes", with: [1, 3])
        for index in 0...2 {
            try scene.say("hello from \(index)", by: index, in: group)
            scene.world.run(for: 5_000)
        }
        for node in scene.world.nodes { node.forgetEvents() }
        func told(_ index: Int) -> [ChatEvent] {
            scene.world[index].events.filter { if case .typing = $0 { true } else { false } }
        }
        let count = try scene.world[1].store.count(.messages, conversation: nil)
        try scene.world.step(0) { try $0.sendTyping(true, to: .group(group)) }
        scene.world.run(for: 1_000)
        #expect(scene.world.helloCount == 0)
        try scene.world.step(0) { engine in
            engine.sendsTyping = true
            try engine.sendTyping(true, to: .group(group))
            try engine.sendTyping(true, to: .group(group))
        }
        scene.world.run(for: 1_000)
        let alice = scene.world[0].id
        for index in 1...2 {
            #expect(told(index) == [.typing(.group(group), by: alice, isTyping: true)])
        }
        #expect(told(3) == [])
        try scene.world.step(0) { try $0.sendTyping(false, to: .group(group)) }
        try scene.world.step(0) { try $0.sendTyping(true, to: .group(other)) }
        scene.world.run(for: 1_000)
        #expect(told(2).count == 2)
        #expect(told(1).last == .typing(.group(other), by: alice, isTyping: true))
        #expect(scene.world.payloads.last?.isLive == true)
        #expect(try scene.world[1].store.count(.messages, conversation: nil) == count)

        // Carol is removed. She cannot send typing indicators to the group, and Bob ignores hers and those of an
        // unknown group.
        let carol = scene.world[2].id
        try scene.world.step(0) { try $0.remove(carol, from: group) }
        scene.world.run(for: 5_000)
        #expect(
            refusal { try scene.world.step(2) { try $0.sendTyping(true, to: .group(group)) } } == .notMember
        )
        let before = told(1).count
        try scene.world.step(1) { $0.receiveTyping(true, inGroup: 7, from: alice) }
        let digits = group.bytes.prefix(7).reduce(0) { $0 << 8 | UInt64($1) }
        try scene.world.step(1) { $0.receiveTyping(true, inGroup: digits, from: carol) }
        #expect(told(1).count == before)
    }
}
