import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Floods of first messages")
struct PrekeyMessageFloodSceneTests {
    /// The time between two prekey messages at the rate at which they are opened.
    ///
    /// Units: milliseconds.
    private static let pause = UInt64(1_000 / ChatLimits.decapsulationRate)

    @Test("Of more first messages at once than the rate allows, the rest opens a second later")
    func postponed() throws {
        let scene = try ScriptedWorld()
        var peers: [ScriptedPeer] = []
        var submissions: [Submission] = []
        for number in 0..<5 {
            var peer = try ScriptedPeer("S\(number)", at: scene.now)
            for order in 1...UInt64(50) {
                submissions.append(
                    try peer.seal(ContentBytes.text("\(order)", order: order), to: scene.engine, at: scene.now)
                )
                peer.loseSessions(with: scene.alice.id)
            }
            peers.append(peer)
        }
        func count() throws -> Int { try peers.reduce(0) { try $0 + scene.texts(with: $1).count } }
        _ = try scene.world.receive(submissions)
        #expect(try count() == ChatLimits.decapsulationBurst)
        // Those that were opened cost nothing more, so that all others open now.
        scene.world.passUnseen(1_000)
        _ = try scene.world.receive(submissions)
        #expect(try count() == submissions.count)
    }

    @Test("After a flood of first messages a contact gets through at once and a new person within a minute")
    func flood() throws {
        let scene = try ScriptedWorld()
        var carol = try scene.friend("Carol")
        var dora = try scene.peer("Dora")
        let first = scene.engine.sessions.bundle
        let perPeer = 60
        for unknownPeer in 0...(SessionLimits.unknownPeerMessagesPerPrekey / perPeer) {
            var peer = try ScriptedPeer("S\(unknownPeer)", at: scene.now)
            for order in 1...UInt64(perPeer) {
                try scene.bring(ContentBytes.text("junk \(order)", order: order), from: &peer)
                peer.loseSessions(with: scene.alice.id)
                scene.world.passUnseen(Self.pause)
            }
        }
        #expect(scene.engine.sessions.bundle == first)
        try scene.bring(ContentBytes.text("too late", order: 1), from: &dora)
        #expect(try scene.texts(with: dora) == [])
        try scene.bring(ContentBytes.text("here I am", order: 1), from: &carol)
        #expect(try scene.texts(with: carol) == ["here I am"])

        _ = scene.world.takeSubmitted()
        scene.world.run(for: 59_000)
        let next = scene.engine.sessions.bundle
        #expect(next.sequence == first.sequence + 1)
        #expect(scene.world.takeSubmitted().contains { $0.kind == .bundle && $0.body == next.bytes })
        var erin = try scene.peer("Erin")
        try scene.bring(ContentBytes.text("hello", order: 1), from: &erin)
        #expect(try scene.texts(with: erin) == ["hello"])
        try scene.world.restart(0)
        #expect(try scene.texts(with: erin) == ["hello"])
    }

    @Test("At the rate of first messages that links may bring unasked, nobody is refused while the flood goes on")
    func ongoingFlood() throws {
        let scene = try ScriptedWorld()
        let first = scene.engine.sessions.bundle.sequence
        let rate = RouterConfiguration().nodeFirstMessageRate
        var number = 0
        for second in 0..<45 {
            var peer = try ScriptedPeer("S\(second)", at: scene.now)
            for order in 1...UInt64(rate) {
                try scene.bring(ContentBytes.text("junk \(order)", order: order), from: &peer)
                peer.loseSessions(with: scene.alice.id)
            }
            number += rate
            var newMember = try scene.peer("N\(second)")
            try scene.bring(ContentBytes.text("hello", order: 1), from: &newMember)
            #expect(try scene.texts(with: newMember) == ["hello"], "after \(number)")
            scene.world.run(for: 1_000)
        }
        #expect(scene.engine.sessions.bundle.sequence > first + 1)
    }

    @Test("A message whose flight was refused in a flood arrives by the sender's next flight after an hour")
    func refusedFlight() throws {
        let world = try EngineWorld(["Alice", "Bob"])
        let (alice, bob) = (world[0].id, world[1].id)
        let perPeer = 60
        for unknownPeer in 0...(SessionLimits.unknownPeerMessagesPerPrekey / perPeer) {
            var peer = try ScriptedPeer("S\(unknownPeer)", at: world.now)
            for order in 1...UInt64(perPeer) {
                let content = ContentBytes.text("junk \(order)", order: order)
                try world.receive(peer.seal(content, to: world[0].engine, at: world.now))
                peer.loseSessions(with: alice)
                world.passUnseen(Self.pause)
            }
        }
        try world.send("hello", from: 1, to: alice)
        world.run(for: 10_000)
        #expect(try world[0].history(with: bob, at: world.now).isEmpty)
        world.run(for: 60_000)
        #expect(try world[0].history(with: bob, at: world.now).isEmpty)
        world.sleep(for: ChatLimits.sessionResetAge)
        world.run(for: 61_000)
        #expect(try world[0].history(with: bob, at: world.now).map(\.text) == ["hello"])
    }
}
