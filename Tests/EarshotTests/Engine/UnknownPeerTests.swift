import ChatCrypto
import Earshot
import Foundation
import MeshCore
import Testing

@testable import ChatCore

/// The actions that an unaccepted or a blocked peer cannot make a node do.
///
/// Files, receipts and the limits of requests have their own tests.
@Suite("Strangers and blocked peers")
struct UnknownPeerTests {
    @Test("A node that looks at a stranger's messages sends nothing, though its user tells others when they were read")
    func looking() throws {
        let scene = try ScriptedWorld()
        var eve = try scene.peer("Eve")
        try scene.world.step(0) { engine in engine.sendsReadReceipts = true }
        for order in 1...3 { try scene.bring(ContentBytes.text("\(order)", order: UInt64(order)), from: &eve) }
        scene.world.run(for: 10_000)
        _ = scene.world.takeSubmitted()
        try scene.world.step(0) { try $0.markRead(.direct(eve.id)) }
        scene.world.run(for: 120_000)
        #expect(scene.world.takeSubmitted() == [])
        #expect(scene.world.pathEffects.isEmpty)
    }

    @Test(
        "To notices a stranger's message is a request, a friend's is direct, and the user's own and the blocked are nothing"
    )
    func notices() throws {
        let scene = try ScriptedWorld()
        var eve = try scene.peer("Eve")
        try scene.bring(ContentBytes.text("one", order: 1), from: &eve)
        let request = try #require(try scene.noticeFacts(of: eve))
        #expect(request.kind == .request && request.conversation == .direct(eve.id) && request.text == "one")
        #expect(request.mutedUntil == nil && request.groupTitle == nil)
        try scene.decide(.accept, about: eve)
        #expect(try scene.noticeFacts(of: eve)?.kind == .direct)
        try scene.world.step(0) { try $0.markRead(.direct(eve.id)) }
        #expect(try scene.noticeFacts(of: eve) == nil)
        try scene.bring(ContentBytes.text("two", order: 2), from: &eve)
        #expect(try scene.noticeFacts(of: eve)?.kind == .direct)
        try scene.decide(.block, about: eve)
        #expect(try scene.noticeFacts(of: eve) == nil)
        try scene.decide(.unblock, about: eve)
        try scene.world.send("mine", to: eve.id)
        #expect(try scene.noticeFacts(of: eve) == nil)
    }

    @Test("A mute lasts until its end, over a restart, and is told; who has no conversation has none to mute")
    func muting() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        #expect(code { try scene.mute(bob, for: 60) } == .notFound)
        try scene.bring(ContentBytes.text("one", order: 1), from: &bob)
        try scene.mute(bob, for: 60)
        let end = scene.now.date + 60
        #expect(try scene.conversation(with: bob)?.mutedUntil == end)
        #expect(scene.alice.events.last == (try scene.conversation(with: bob)).map(ChatEvent.conversation))
        try scene.world.restart(0)
        #expect(try scene.conversation(with: bob)?.mutedUntil == end)
        #expect(try scene.noticeFacts(of: bob)?.mutedUntil == end)
        scene.world.run(for: 60_000)
        #expect(try scene.conversation(with: bob)?.mutedUntil == nil)
        try scene.mute(bob, for: 1e18)
        #expect(try scene.conversation(with: bob)?.mutedUntil?.timeIntervalSince1970 == 253_402_300_799.999)
        try scene.mute(bob, for: -1e18)
        #expect(try scene.conversation(with: bob)?.mutedUntil == nil)
    }

    @Test("What a blocked peer began to send is fetched no further")
    func blockedFiles() async throws {
        let world = try EngineWorld()
        try world.friends()
        world.deaf = [1]
        _ = try await world.send(files: [FileScene.bytes(100_000)], to: world[1].id)
        world.run(for: 5_000)
        world.deaf = []
        try world.bringMessages(to: 1)
        let fragments = world.fragments
        for fragment in fragments.prefix(3) { try world.receive(fragment, at: 1) }
        try world.step(1) { try $0.decide(.block, about: world[0].id) }
        world[1].forgetEvents()
        for fragment in fragments { try world.receive(fragment, at: 1) }
        #expect(world[1].progressTold == [])
    }
}

extension ScriptedWorld {
    /// Returns the facts that the notification policy gets about the newest message with a peer.
    fileprivate func noticeFacts(of peer: ScriptedPeer) throws -> NoticeFacts? {
        try alice.history(with: peer.id, at: now).last.flatMap { engine.noticeFacts(of: $0) }
    }

    fileprivate func mute(_ peer: ScriptedPeer, for seconds: Double) throws {
        try world.step(0) { _ = try $0.mute(.direct(peer.id), until: Timestamp(now.date + seconds)) }
    }
}
