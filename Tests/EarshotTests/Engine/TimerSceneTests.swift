import ChatCrypto
import ChatHistory
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Messages that go, marks of reading, and typing")
struct TimerSceneTests {
    @Test("A message goes so long after it was read, on each side by its own time, with all that belongs to it")
    func expiry() throws {
        let scene = try ContentScene()
        let id = try scene.say("gone soon", MessageOptions(expiresAfter: .seconds(30)))
        let kept = try scene.say("kept")
        #expect(try scene.shown(id, at: 0)?.expiresAt != nil)
        #expect(try scene.shown(id, at: 1)?.expiresAt == nil)
        scene.world.run(for: 31_000)
        #expect(try scene.shown(0).map(\.id) == [kept])
        #expect(try scene.shown(1).map(\.id) == [id, kept])
        try scene.act(1) { try $0.markRead(.direct(scene.alice)) }
        #expect(try scene.shown(id, at: 1)?.expiresAt != nil)
        scene.world.run(for: 20_000)
        #expect(try scene.shown(1).map(\.id) == [id, kept])
        scene.world.run(for: 11_000)
        #expect(try scene.shown(1).map(\.id) == [kept])
        #expect(scene.world[1].events.last == .removed(.direct(scene.alice), id))
        for index in 0...1 {
            let record = try #require(try scene.world[index].stored(.messages, id.bytes))
            #expect(record.firstRange(of: Array("gone".utf8)) == nil)
            #expect(try scene.world[index].store.count(.timers, conversation: nil) == 0)
            #expect(scene.world[index].store.erasureCount == 1)
        }
    }

    @Test("A time that was over while the node was off is over when it starts")
    func restart() throws {
        let scene = try ContentScene()
        let id = try scene.say("gone soon", MessageOptions(expiresAfter: .seconds(30)))
        try scene.act(1) { try $0.markRead(.direct(scene.alice)) }
        scene.world.passUnseen(60_000)
        for index in 0...1 {
            try scene.world.restart(index)
            #expect(try scene.shown(id, at: index) == nil)
        }
    }

    @Test("The timer of a conversation holds for what both write from then on, and one of its own for a message")
    func conversationTimer() throws {
        let scene = try ContentScene()
        _ = try scene.say("before")
        try scene.act(0) { _ = try $0.setTimer(.seconds(60), of: .direct(scene.bob)) }
        let line = try #require(try scene.shown(1).last)
        #expect(line.kind == .system && line.systemLine == .timer(.seconds(60)) && line.text == "")
        let conversation = try scene.world[1].read(at: scene.world.now) { try $0.conversationList() }.first
        #expect(conversation?.unreadCount == 1)
        let (theirs, forever) = (try scene.say("a", from: 1), try scene.say("b", MessageOptions(expiresAfter: .zero)))
        #expect(try scene.shown(theirs, at: 1)?.expiresAt != nil)
        #expect(try scene.shown(forever, at: 0)?.expiresAt == nil)
        try scene.world.restart(1)
        try scene.act(1) { _ = try $0.setTimer(.zero, of: .direct(scene.alice)) }
        let last = try scene.say("c")
        #expect(try scene.shown(last, at: 0)?.expiresAt == nil)
        #expect(
            scene.refusal(1) { _ = try $0.setTimer(.seconds(31_536_001), of: .direct(scene.alice)) }
                == .tooLarge
        )
    }

    @Test("The highest setting of a contact pins no timer: it is not taken, and the user sets another")
    func pinnedTimer() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        func setting(_ seconds: UInt32, number: UInt32, order: UInt64) -> [UInt8] {
            MessageContent.message(
                .init(.timer(seconds, number: number), sentAt: 1, order: order),
                salt: [UInt8](repeating: UInt8(order), count: 16)
            )
        }
        try scene.bring(setting(1, number: .max, order: 1), from: &bob)
        #expect(scene.engine.conversations.timer(of: .direct(bob.id)).seconds == 0)
        try scene.bring(setting(2, number: ContentLimits.timerStep, order: 2), from: &bob)
        #expect(scene.engine.conversations.timer(of: .direct(bob.id)).seconds == 2)
        try scene.world.step(0) { _ = try $0.setTimer(.zero, of: .direct(bob.id)) }
        #expect(scene.engine.conversations.timer(of: .direct(bob.id)).seconds == 0)
    }

    @Test("A mark of reading only moves forward, and begins the time of what it passes")
    func marks() throws {
        let scene = try ContentScene()
        let ids = try (0..<4).map { try scene.say("\($0)", MessageOptions(expiresAfter: .seconds(100 + $0))) }
        func unread() throws -> Int? {
            try scene.world[1].read(at: scene.world.now) { try $0.conversationList() }.first?.unreadCount
        }
        func running() throws -> [Bool] { try ids.map { try scene.shown($0, at: 1)?.expiresAt != nil } }
        #expect(try unread() == 4)
        try scene.act(1) { try $0.markRead(.direct(scene.alice), upTo: ids[1]) }
        #expect(try unread() == 2)
        #expect(try running() == [true, true, false, false])
        try scene.act(1) { try $0.markRead(.direct(scene.alice), upTo: ids[0]) }
        #expect(try unread() == 2)
        try scene.act(1) { try $0.markRead(.direct(scene.alice)) }
        #expect(try unread() == 0)
        #expect(try running() == [true, true, true, true])
        #expect(
            scene.refusal(1) { try $0.markRead(.direct(scene.alice), upTo: Numbered.message(1)) } == .notFound
        )
    }
}

@Suite("Signs of typing")
struct TypingSceneTests {
    private func told(_ scene: ContentScene, _ index: Int) -> [ChatEvent] {
        scene.world[index].events.filter { if case .typing = $0 { true } else { false } }
    }

    @Test("Who chose to tell it is seen typing, by a friend, and nothing of it is stored")
    func typing() throws {
        let scene = try ContentScene()
        _ = try scene.say("Hello")
        _ = try scene.say("Hello", from: 1)
        let writes = try scene.world[1].store.count(.messages, conversation: nil)
        try scene.act(0) { try $0.sendTyping(true, to: .direct(scene.bob)) }
        #expect(told(scene, 1) == [])
        #expect(scene.world.helloCount == 0)
        try scene.world.step(0) { engine in engine.sendsTyping = true }
        try scene.act(0) { try $0.sendTyping(true, to: .direct(scene.bob)) }
        let (isOn, isOff) = (
            ChatEvent.typing(.direct(scene.alice), by: scene.alice, isTyping: true),
            ChatEvent.typing(.direct(scene.alice), by: scene.alice, isTyping: false)
        )
        #expect(told(scene, 1) == [isOn])
        try scene.act(0) { try $0.sendTyping(true, to: .direct(scene.bob)) }
        #expect(told(scene, 1) == [isOn])
        try scene.act(0) { try $0.sendTyping(false, to: .direct(scene.bob)) }
        #expect(told(scene, 1) == [isOn, isOff])
        #expect(scene.world.payloads.last?.isLive == true)
        #expect(try scene.world[1].store.count(.messages, conversation: nil) == writes)
        #expect(scene.refusal(0) { try $0.sendTyping(true, to: .direct(Numbered.peer(1))) } == .notFound)
    }

    @Test("A stranger is told nothing, and who is blocked is not heard")
    func unknownPeers() throws {
        let world = try EngineWorld()
        let (alice, bob) = (world[0].id, world[1].id)
        try world.send("Hello", to: bob)
        world.run(for: 1_000)
        try world.step(1) { engine in
            engine.sendsTyping = true
            try engine.sendTyping(true, to: .direct(alice))
        }
        world.run(for: 1_000)
        #expect(world.helloCount == 0)
        #expect(!world[0].events.contains { if case .typing = $0 { true } else { false } })
    }
}
