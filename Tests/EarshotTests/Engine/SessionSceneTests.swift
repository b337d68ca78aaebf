import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Sessions that end or are lost")
struct SessionSceneTests {
    @Test("A peer that lost its sessions and answers nothing for an hour is sent a new first flight")
    func resetSession() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let first = try #require(try scene.world.send("1", to: bob.id))
        #expect(try bob.contents(of: scene.world.takeSubmitted(), at: scene.now).count == 1)
        try scene.world.receive(bob.confirm([first], to: scene.engine, at: scene.now))
        try scene.world.send("2", to: bob.id)
        bob.loseSessions(with: scene.alice.id)
        #expect(try bob.contents(of: scene.world.takeSubmitted(), at: scene.now) == [])

        scene.world.sleep(for: ChatLimits.sessionResetAge)
        #expect(try bob.contents(of: scene.world.takeSubmitted(), at: scene.now) == [])
        // The node has not heard this peer since then. It hears it now.
        try bob.rename(to: "Robert", at: scene.now)
        try scene.world.receive(bob.bundle)
        scene.world.run(for: 61_000)
        let contents = try bob.contents(of: scene.world.takeSubmitted(), at: scene.now)
        #expect(contents.map { $0.ranges(of: Array("2".utf8)).isEmpty } == [false])
        #expect(try scene.alice.statuses(to: bob.id, at: scene.now) == [.delivered, .carried])
    }

    @Test("Many peers that answer nothing are begun again with in several steps")
    func beginAgainWithMany() throws {
        let scene = try ScriptedWorld()
        let count = 700
        var peers = try (0..<6).map { try scene.friend("P\($0)") }
        for peer in peers {
            try scene.world.step(0) { engine in
                let text = String(repeating: "x", count: 100)
                for _ in 0..<count { _ = try engine.send(text, to: .direct(peer.id)) }
            }
        }
        scene.world.sleep(for: ChatLimits.sessionResetAge)
        _ = scene.world.takeSubmitted()
        for index in peers.indices {
            try peers[index].rename(to: "Q\(index)", at: scene.now)
            try scene.world.receive(peers[index].bundle)
        }
        scene.world.run(for: 600_000)
        let envelopes = scene.world.takeSubmitted().filter { $0.kind == .prekey }
        let contents = try peers.indices.map { try peers[$0].contents(of: envelopes, at: scene.now).count }
        #expect(contents == [Int](repeating: count, count: 6))
        #expect(envelopes.reduce(0) { $0 + $1.body.count } > ChatLimits.batchByteCount / 2)
    }

    @Test("To end a session wipes it on both sides; contact and history stay, and the next message begins anew")
    func ending() throws {
        let world = try EngineWorld()
        let (alice, bob) = (world[0], world[1])
        try world.send("1", to: bob.id)
        world.run(for: 1_000)
        try world.send("2", from: 1, to: alice.id)
        world.run(for: 10_000)
        #expect(world.nodes.map(\.engine.sessions.sessionCount) == [1, 1])
        try world.step(0) { $0.endSession(with: bob.id) }
        #expect(alice.engine.sessions.sessionCount == 0)
        world.run(for: 10_000)
        #expect(bob.engine.sessions.sessionCount == 0)
        for index in world.nodes.indices { try world.restart(index) }
        #expect(world.nodes.map(\.engine.sessions.sessionCount) == [0, 0])
        #expect(try alice.history(with: bob.id, at: world.now).map(\.text) == ["1", "2"])

        try world.send("3", from: 1, to: alice.id)
        world.run(for: 10_000)
        #expect(try alice.textsReceived(from: bob.id, at: world.now) == ["2", "3"])
        #expect(try bob.statuses(to: alice.id, at: world.now) == [.delivered, .delivered])
    }

    @Test("A bundle with a key that makes no secret stops nothing, and a better one lets the message go")
    func unusableKey() throws {
        let scene = try ScriptedWorld()
        var (bob, eve) = (try scene.friend("Bob"), try scene.friend("Eve"))
        try scene.world.send("1", to: eve.id)
        scene.world.sleep(for: ChatLimits.sessionResetAge)
        try scene.world.receive(eve.bundleWithZeroPrekey(sequence: 7))
        scene.world.run(for: 61_000)
        let id = try scene.bring(ContentBytes.text("hello", order: 1), from: &bob)
        #expect(try scene.confirmed(to: &bob, among: [id]) == [id])

        let unknownPeer = try ScriptedPeer("Stranger", at: scene.now)
        try scene.world.receive(unknownPeer.bundleWithZeroPrekey(sequence: 7))
        try scene.world.send("2", to: unknownPeer.id)
        #expect(try scene.alice.statuses(to: unknownPeer.id, at: scene.now) == [.queued])
    }
}

extension ScriptedPeer {
    /// Returns a signed prekey bundle whose prekey is the point of small order that X25519 refuses.
    fileprivate func bundleWithZeroPrekey(sequence: UInt32) -> Submission {
        let seeds = sessions.identity.exported().withBytes { Array($0) }
        let signing = Ed25519.SigningKey(seed: SecretBytes(copying: Array(seeds[1..<33])))
        var fields = Array(sessions.bundle.bytes.dropLast(64))
        for offset in 0..<4 { fields[65 + offset] = UInt8(truncatingIfNeeded: sequence >> (24 - 8 * offset)) }
        for offset in 69..<101 { fields[offset] = 0 }
        return Submission(.bundle, fields + signing.sign(Label.bundle, fields), 1_000)
    }
}
