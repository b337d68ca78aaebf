import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("The outbox")
struct OutboxTests {
    @Test("A message without receipt has failed after 7 days, and a late receipt counts")
    func expiry() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let id = try #require(try scene.world.send("1", to: bob.id))
        scene.world.sleep(for: ChatLimits.outboxAge - 60_000)
        #expect(try scene.alice.statuses(to: bob.id, at: scene.now) == [.carried])
        scene.world.sleep(for: 60_000)
        #expect(try scene.alice.statuses(to: bob.id, at: scene.now) == [.failed(.expired)])
        #expect(scene.alice.statusesTold[id] == [.sent, .carried, .failed(.expired)])
        #expect(scene.engine.outbox.entries.isEmpty)
        bob.renew(at: scene.now)
        try scene.world.receive(bob.confirm([id], to: scene.engine, at: scene.now))
        #expect(try scene.alice.statuses(to: bob.id, at: scene.now) == [.delivered])
    }

    @Test("At most 800 envelopes to one peer are under way, and a receipt lets the next one go")
    func window() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        _ = scene.world.takeSubmitted()
        for number in 0..<ChatLimits.inFlightCount + 2 { try scene.world.send("\(number)", to: bob.id) }
        scene.world.run(for: 2_000)
        let sealed = scene.world.takeSubmitted()
        #expect(sealed.count == ChatLimits.inFlightCount)
        let first = try #require(try scene.alice.history(with: bob.id, at: scene.now).first).id
        try scene.world.receive(bob.confirm([first], to: scene.engine, at: scene.now))
        #expect(scene.world.takeSubmitted().count(where: { $0.kind != .release }) == 1)
        #expect(scene.engine.outbox.messageCount == ChatLimits.inFlightCount + 1)
    }

    @Test("10,000 messages may wait and one more is refused; receipts behind them and at last they expire")
    func limit() throws {
        let scene = try ScriptedWorld()
        let absent = try scene.friend("Absent")
        scene.world.sleep(for: 9 * 86_400_000)
        try scene.write(ChatLimits.outboxCount, to: absent)
        #expect(scene.engine.outbox.messageCount == ChatLimits.outboxCount)
        #expect(code { try scene.world.send("x", to: absent.id) } == .limited)

        var bob = try scene.friend("Bob")
        try scene.bring(ContentBytes.text("1", order: 1), from: &bob)
        scene.world.run(for: 1_000)
        #expect(scene.engine.outbox.entries.count == ChatLimits.outboxCount + 1)
        scene.world.sleep(for: ChatLimits.receiptAge)
        #expect(scene.engine.outbox.entries.count == ChatLimits.outboxCount)
        scene.world.sleep(for: ChatLimits.outboxAge)
        #expect((1..<ChatLimits.outboxCount).contains(scene.engine.outbox.messageCount))
        scene.world.run(for: 600_000)
        #expect(scene.engine.outbox.entries.isEmpty)
    }

    @Test("A message can be cancelled as long as it waits, and is not sent again; a receipt that comes later counts")
    func cancelling() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let id = try #require(try scene.world.send("1", to: bob.id))
        scene.world.run(for: 1_000)
        try scene.world.step(0) { try $0.cancel(id) }
        #expect(try scene.alice.statuses(to: bob.id, at: scene.now) == [.failed(.cancelled)])
        #expect(scene.engine.outbox.entries.isEmpty)
        #expect(code { try scene.world.step(0) { try $0.cancel(id) } } == .notFound)
        let receipt = try bob.confirm([id], to: scene.engine, at: scene.now)
        try scene.world.receive(receipt)
        #expect(try scene.alice.statuses(to: bob.id, at: scene.now) == [.delivered])
    }

    @Test("Only the recipient confirms a message")
    func foreignReceipt() throws {
        let scene = try ScriptedWorld()
        var (bob, eve) = (try scene.friend("Bob"), try scene.friend("Eve"))
        let id = try #require(try scene.world.send("1", to: bob.id))
        try scene.world.receive(eve.confirm([id], to: scene.engine, at: scene.now))
        #expect(try scene.alice.statuses(to: bob.id, at: scene.now) == [.queued])
        try scene.world.receive(bob.confirm([id], to: scene.engine, at: scene.now))
        #expect(try scene.alice.statuses(to: bob.id, at: scene.now) == [.delivered])
        scene.world.run(for: 1_000)
        #expect(try scene.alice.statuses(to: bob.id, at: scene.now) == [.delivered])
        #expect(scene.alice.statusesTold[id] == [.delivered])
    }
}

extension ScriptedWorld {
    /// Lets Alice write messages, many in one step.
    fileprivate func write(_ count: Int, to peer: ScriptedPeer) throws {
        for start in stride(from: 0, to: count, by: 1_000) {
            try world.step(0) { engine in
                for number in start..<min(start + 1_000, count) {
                    _ = try engine.send("\(number)", to: .direct(peer.id))
                }
            }
        }
    }
}
