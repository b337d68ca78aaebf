import ChatCrypto
import ChatHistory
import Earshot
import Testing

@testable import ChatCore

@Suite("Requests of strangers")
struct RequestTests {
    @Test("A stranger's message is a request, and confirmed once the stranger is accepted")
    func accepting() throws {
        let scene = try ScriptedWorld()
        var eve = try scene.peer("Eve")
        let ids = try ["one", "two"].enumerated().map { index, text in
            try scene.bring(ContentBytes.text(text, order: UInt64(index + 1)), from: &eve)
        }
        #expect(try scene.conversation(with: eve)?.isRequest == true)
        #expect(try scene.alice.history(with: eve.id, at: scene.now).map(\.isRequest) == [true, true])
        #expect(try scene.confirmed(to: &eve, among: ids) == [])

        try scene.decide(.accept, about: eve)
        #expect(try scene.confirmed(to: &eve, among: ids) == ids)
        #expect(try scene.conversation(with: eve)?.isRequest == false)
        #expect(try scene.alice.history(with: eve.id, at: scene.now).map(\.isRequest) == [false, false])
    }

    @Test("Receipts kept for a stranger survive a restart")
    func restart() throws {
        let scene = try ScriptedWorld()
        var eve = try scene.peer("Eve")
        let id = try scene.bring(ContentBytes.text("one", order: 1), from: &eve)
        try scene.world.restart(0)
        #expect(try scene.confirmed(to: &eve, among: [id]) == [])
        try scene.decide(.accept, about: eve)
        #expect(try scene.confirmed(to: &eve, among: [id]) == [id])
    }

    @Test("To answer a stranger accepts it")
    func answering() throws {
        let scene = try ScriptedWorld()
        var eve = try scene.peer("Eve")
        let id = try scene.bring(ContentBytes.text("one", order: 1), from: &eve)
        try scene.world.send("who are you?", to: eve.id)
        #expect(scene.trust(in: eve) == .tofu)
        #expect(try scene.confirmed(to: &eve, among: [id]) == [id])
    }

    @Test("Of one stranger 100 messages are kept, looked at or not, early or late, and the rest is not confirmed")
    func messageLimit() throws {
        let scene = try ScriptedWorld()
        var eve = try scene.peer("Eve")
        var ids: [MessageID] = []
        for order in 2...UInt64(ChatLimits.requestMessageCount + 20) {
            ids.append(try scene.bring(ContentBytes.text("\(order)", order: order), from: &eve))
        }
        scene.world.run(for: 16_000)
        #expect(try scene.texts(with: eve).count == ChatLimits.requestMessageCount)
        try scene.world.step(0) { try $0.markRead(.direct(eve.id)) }
        try scene.bring(ContentBytes.text("more", order: 200), from: &eve)
        scene.world.run(for: 16_000)
        #expect(try scene.texts(with: eve).count == ChatLimits.requestMessageCount)

        try scene.decide(.accept, about: eve)
        #expect(try scene.confirmed(to: &eve, among: ids) == Array(ids.prefix(ChatLimits.requestMessageCount)))
        try scene.bring(ContentBytes.text("at last", order: 201), from: &eve)
        scene.world.run(for: 16_000)
        #expect(try scene.texts(with: eve).last == "at last")
    }

    @Test("Of 101 strangers the one heard longest ago makes room, with all that was kept of it")
    func conversationLimit() throws {
        let scene = try ScriptedWorld()
        var peers: [ScriptedPeer] = []
        for number in 0...ChatLimits.requestCount {
            var peer = try ScriptedPeer("S\(number)", at: scene.now)
            try scene.bring(ContentBytes.text("shown", order: 1), from: &peer)
            try scene.bring(ContentBytes.text("held", order: 3), from: &peer)
            scene.world.run(for: 10)
            peers.append(peer)
        }
        scene.world.run(for: 16_000)
        let list = try scene.alice.read(at: scene.now) { try $0.conversationList() }
        #expect(list.map(\.id) == peers.dropFirst().reversed().map { .direct($0.id) })
        #expect(try scene.texts(with: peers[0]) == [])
        #expect(try scene.texts(with: peers[1]) == ["shown", "held"])
        #expect(try scene.alice.store.count(.pendingReceipts, conversation: nil) == 2 * ChatLimits.requestCount)
        #expect(try scene.alice.store.count(.reorderBuffer, conversation: nil) == 0)
        #expect(Set(scene.engine.sessions.peerIDs) == Set(peers.dropFirst().map(\.id)))

        try scene.world.restart(0)
        let restored = try scene.alice.read(at: scene.now) { try $0.conversationList() }
        #expect(restored == list)
    }

    @Test("A stranger's first message leaves nothing behind if there is nothing in it to show")
    func emptyFlight() throws {
        let scene = try ScriptedWorld()
        var eve = try scene.peer("Eve")
        try scene.bring(ContentBytes.receipt([]), from: &eve)
        #expect(scene.engine.sessions.peerIDs.isEmpty)
        try scene.bring(ContentBytes.text("one", order: 1), from: &eve)
        #expect(scene.engine.sessions.peerIDs == [eve.id])
        #expect(try scene.texts(with: eve) == ["one"])
    }

    @Test("A stranger that repeats itself is kept once")
    func repetition() throws {
        let scene = try ScriptedWorld()
        var eve = try scene.peer("Eve")
        let content = ContentBytes.text("one", order: 1)
        for _ in 0..<5 { try scene.bring(content, from: &eve) }
        #expect(try scene.texts(with: eve) == ["one"])
        #expect(scene.alice.textsTold == ["one"])
        #expect(try scene.conversation(with: eve)?.unreadCount == 1)
        try scene.decide(.accept, about: eve)
        scene.world.run(for: 1_000)
        let receipts = try eve.contents(of: scene.world.takeSubmitted(), at: scene.now)
        let id = eve.messageID(of: content, to: scene.engine)
        #expect(receipts.map { $0.ranges(of: id.bytes).count } == [1])
    }

    @Test("What a blocked peer sends is dropped and not confirmed, and what comes after the block ends is shown")
    func blocking() throws {
        let scene = try ScriptedWorld()
        var eve = try scene.friend("Eve")
        try scene.decide(.block, about: eve)
        let id = try scene.bring(ContentBytes.text("one", order: 1), from: &eve)
        #expect(try scene.confirmed(to: &eve, among: [id]) == [])
        #expect(try scene.texts(with: eve) == [])
        #expect(code { try scene.world.send("x", to: eve.id) } == .refusedByTrust)

        try scene.decide(.unblock, about: eve)
        let next = try scene.bring(ContentBytes.text("two", order: 2), from: &eve)
        scene.world.run(for: 16_000)
        #expect(try scene.confirmed(to: &eve, among: [id, next]) == [next])
        #expect(try scene.texts(with: eve) == ["two"])
    }
}
