import ChatCrypto
import Earshot
import Testing

@testable import ChatCore

@Suite("Messages that come before earlier ones")
struct ReorderBufferTests {
    @Test("A gap that is filled in time is not seen, and what waits is confirmed at once")
    func filledGap() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let first = try bob.seal(ContentBytes.text("1", order: 1), to: scene.engine, at: scene.now)
        let ids = try (2...4).reversed().map { try scene.bring(ContentBytes.text("\($0)", order: $0), from: &bob) }
        #expect(try scene.confirmed(to: &bob, among: ids) == ids)
        #expect(try scene.texts(with: bob) == [])
        try scene.world.receive(first)
        #expect(try scene.texts(with: bob) == ["1", "2", "3", "4"])
        #expect(scene.alice.textsTold == ["1", "2", "3", "4"])
    }

    @Test("A gap is given up after 15 s, and what fills it later is shown then")
    func lateMessage() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let first = try bob.seal(ContentBytes.text("1", order: 1), to: scene.engine, at: scene.now)
        try scene.bring(ContentBytes.text("2", order: 2), from: &bob)
        scene.world.run(for: 14_990)
        #expect(try scene.texts(with: bob) == [])
        scene.world.run(for: 20)
        #expect(try scene.texts(with: bob) == ["2"])
        try scene.world.receive(first)
        #expect(try scene.texts(with: bob) == ["2", "1"])
    }

    @Test("What waits for an earlier message is shown after a restart too", arguments: [false, true])
    func restart(isFriend: Bool) throws {
        let scene = try ScriptedWorld()
        var bob = isFriend ? try scene.friend("Bob") : try scene.peer("Bob")
        try scene.bring(ContentBytes.text("2", order: 2), from: &bob)
        try scene.world.restart(0)
        scene.world.run(for: 16_000)
        #expect(try scene.texts(with: bob) == ["2"])
        #expect(try scene.conversation(with: bob)?.isRequest == !isFriend)
    }

    @Test("With one message more than may wait, the oldest gap is given up")
    func limit() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        var orders = 2...UInt64(ChatLimits.heldCount + 1)
        let send = { (orders: ClosedRange<UInt64>) in
            let time = scene.now
            let engine = scene.engine
            let sealed = try orders.map { try bob.seal(ContentBytes.text("\($0)", order: $0), to: engine, at: time) }
            try scene.world.step(0) { engine in
                for submission in sealed { try engine.handle(.deliver(submission.envelope)) }
            }
        }
        while orders.count > 500 {
            try send(orders.lowerBound...orders.lowerBound + 499)
            orders = orders.lowerBound + 500...orders.upperBound
        }
        try send(orders)
        #expect(try scene.texts(with: bob) == [])
        let last = UInt64(ChatLimits.heldCount + 2)
        try send(last...last)
        // There are more messages than one step holds.
        scene.world.run(for: 1_000)
        #expect(scene.alice.textsTold == (2...last).map { "\($0)" })
    }

    @Test("The highest order there is breaks nothing", arguments: [UInt64.max, UInt64.max - 1])
    func highestOrder(order: UInt64) throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        try scene.bring(ContentBytes.text("last", order: order), from: &bob)
        scene.world.run(for: 16_000)
        try scene.bring(ContentBytes.text("next", order: 1), from: &bob)
        scene.world.run(for: 16_000)
        #expect(try scene.texts(with: bob).last == "next")
    }
}
