import ChatCrypto
import ChatHistory
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Revoking an identity")
struct RevocationSceneTests {

    private func bring(_ statement: IdentityStatement, from peer: inout ScriptedPeer, in scene: ScriptedWorld) throws {
        try scene.bring(MessageContent.statement(statement, at: 1), from: &peer)
    }

    @Test("A contact that is revoked is written to no more, its sessions are gone, and nothing undoes it")
    func contact() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let world = scene.world
        let bob = world[1].id
        try world.send("hello", from: 1, to: world[0].id)
        world.run(for: 10_000)
        world.deaf = [1]
        try world.send("under way", to: bob)
        world.run(for: 2_000)
        world.deaf = []
        try world.step(1) { _ = try $0.revoke(by: nil) }
        world.run(for: 30_000)
        for index in [0, 2] {
            #expect(world[index].engine.trust.state(of: bob) == .revoked, "\(index)")
            #expect(world[index].events.contains(.trust(.revoked(bob))))
            #expect(!world[index].engine.sessions.peerIDs.contains(bob))
        }
        #expect(try world[0].statuses(to: bob, at: world.now) == [.failed(.refusedByTrust)])
        let error = #expect(throws: ChatError.self) { try world.send("no", to: bob) }
        #expect(error?.code == .refusedByTrust && error?.trust == .revoked)
        for decision in TrustDecision.allCases {
            #expect(code { try world.step(0) { try $0.decide(decision, about: bob) } } == .refusedByTrust)
        }
        // A thief may have Bob's key, so the owner removes Bob from the group.
        #expect(try !scene.view(group, of: 0).members.map(\.id).contains(bob))
        try world.restart(0)
        #expect(world[0].engine.trust.state(of: bob) == .revoked)
    }

    @Test("Under an own identity that is revoked nothing is written, until a new one is there that nobody knows")
    func own() throws {
        let scene = try GroupScene(["Alice", "Bob"])
        let (world, alice) = (scene.world, scene.world[0].id)
        let bob = world[1].id
        let group = try scene.create(with: [1])
        world.deaf = [1]
        try world.send("never", to: bob)
        try world.step(0) { _ = try $0.revoke(by: nil) }
        #expect(world[0].events.contains(.trust(.revoked(alice))))
        #expect(try world[0].statuses(to: bob, at: world.now) == [.failed(.refusedByTrust)])
        try world.restart(0)
        let error = #expect(throws: ChatError.self) { try world.send("no", to: bob) }
        #expect(error?.trust == .revoked && error?.reason.contains("trust rotate") == true)
        #expect(code { try scene.say("no", by: 0, in: group) } == .refusedByTrust)
        #expect(
            code { try world.step(0) { _ = try $0.createGroup(title: "x", members: []) } } == .refusedByTrust
        )
        #expect(code { try world.step(0) { try $0.transferOwnership(group, to: bob) } } == .refusedByTrust)
        world.deaf = []
        try world.restart(1)
        world.run(for: 30_000)
        #expect(world[1].engine.trust.state(of: alice) == .revoked)
    }

    @Test("A home whose identity is revoked goes on under a new one, as a stranger, and nobody is told")
    func rotatingAfter() throws {
        let scene = try GroupScene(["Alice", "Bob"])
        let (world, old) = (scene.world, scene.world[0].id)
        try world.step(0) { _ = try $0.revoke(by: nil) }
        world.run(for: 30_000)
        #expect(world[0].engine.rotationPlan.contactCount == 0)
        try world.step(0) { _ = try $0.rotate() }
        let bob = world[1].id
        try world.send("it is me", to: bob)
        world.run(for: 30_000)
        #expect(world[1].engine.trust.state(of: old) == .revoked)
        #expect(world[1].engine.trust.state(of: world[0].id) == .unknown)
        #expect(try world[1].textsReceived(from: world[0].id, at: world.now) == ["it is me"])
    }

    @Test("Whoever holds a certificate revokes by it, and a node learns by it that its own identity is")
    func certificate() throws {
        let scene = try GroupScene()
        let world = scene.world
        let bytes = world[1].engine.identityHistory.revocationCertificate.bytes
        let certificate = try RevocationCertificate(verifying: bytes)
        let bob = world[1].id
        try world.step(2) { _ = try $0.revoke(by: certificate) }
        world.run(for: 30_000)
        #expect([0, 2].map { world[$0].engine.trust.state(of: bob) } == [.revoked, .revoked])
        // The other nodes write nothing to Bob any more, so none reports the revocation to Bob. Below, a scripted peer
        // reports it.
        #expect(!world[1].engine.identityHistory.isRevoked)
        let alone = try ScriptedWorld()
        var friend = try alone.friend("Carol")
        let own = alone.engine.identityHistory.revocationCertificate.bytes
        try bring(.revocation(own), from: &friend, in: alone)
        #expect(alone.engine.identityHistory.isRevoked)
        #expect(alone.alice.events.contains(.trust(.revoked(alone.alice.id))))
        try alone.world.restart(0)
        #expect(alone.engine.identityHistory.isRevoked)
    }

    @Test("A stranger's certificate counts for who is known here, and leaves no session; others are forgotten")
    func unknownPeers() throws {
        let scene = try ScriptedWorld()
        let bob = try scene.friend("Bob")
        var unknownPeer = try scene.peer("Mallory")
        let unknown = RevocationCertificate(of: Identity()).bytes
        try bring(.revocation(unknown), from: &unknownPeer, in: scene)
        #expect(scene.engine.contacts.ignored == [.unknownPeer: 1])
        try bring(.revocation(RevocationCertificate(of: bob.sessions.identity).bytes), from: &unknownPeer, in: scene)
        #expect(scene.trust(in: bob) == .revoked)
        #expect(scene.engine.sessions.sessionCount == 0)
        #expect(try scene.conversation(with: unknownPeer) == nil)
    }

    @Test("What is forged, stale, somebody else's or no statement is ignored and counted")
    func ignored() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        var mallory = try scene.friend("Mallory")
        let (old, new) = (bob.sessions.identity, Identity())
        let good = RotationStatement(from: old, to: new, counter: 7, at: 1)
        var certificate = RevocationCertificate(of: old).bytes
        certificate[100] ^= 1
        try bring(.rotation(good.bytes), from: &mallory, in: scene)
        try bring(.revocation(certificate), from: &mallory, in: scene)
        try bring(.rotation(good.bytes.dropLast()), from: &bob, in: scene)
        try bring(.revocation([]), from: &bob, in: scene)
        #expect(scene.engine.contacts.ignored == [.forged: 2, .malformed: 2])
        #expect(scene.trust(in: bob) == .tofu)
        try bring(.rotation(good.bytes), from: &bob, in: scene)
        #expect(scene.engine.trust.state(of: new.publicIdentity.id) == .tofu)
        try bring(.rotation(good.bytes), from: &bob, in: scene)
        let other = RotationStatement(from: old, to: Identity(), counter: 9, at: 1)
        try bring(.rotation(other.bytes), from: &bob, in: scene)
        #expect(scene.engine.contacts.ignored == [.forged: 2, .malformed: 2, .stale: 1, .refused: 1])
        try bring(
            .rotation(RotationStatement(from: bob.sessions.identity, to: new, counter: 9, at: 1).bytes),
            from: &mallory,
            in: scene
        )
        #expect(scene.engine.contacts.ignored[.forged] == 3)
    }

    @Test("An earlier identity of one's own that is revoked receives no more")
    func former() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let (old, certificate) = (scene.engine.sessions.bundle, scene.engine.identityHistory.revocationCertificate)
        try scene.world.step(0) { _ = try $0.rotate() }
        try scene.world.step(0) { _ = try $0.revoke(by: certificate) }
        #expect(scene.engine.identityHistory.formerCount == 0 && !scene.engine.identityHistory.isRevoked)
        try scene.world.receive(bob.seal(ContentBytes.text("1", order: 1), to: old, at: scene.now))
        #expect(try scene.texts(with: bob) == [])
    }

    @Test("More statements than may be on their way to contacts at once are refused")
    func limit() throws {
        let scene = try ScriptedWorld()
        _ = try scene.friend("Bob")
        var taken = 0
        try scene.world.step(0) { engine in
            engine.step.fill()
            while taken <= ChatLimits.announcementCount {
                do {
                    _ = try engine.revoke(by: RevocationCertificate(of: Identity()))
                } catch {
                    #expect((error as? ChatError)?.code == .limited)
                    #expect((error as? ChatError)?.retryAfter == .seconds(60))
                    return
                }
                taken += 1
            }
        }
        #expect(taken == ChatLimits.announcementCount)
        scene.world.run(for: 60_000)
        #expect(scene.engine.identityHistory.announcements.isEmpty)
        #expect(scene.engine.outbox.controlCount == ChatLimits.announcementCount)
    }
}

extension ChatStep {
    /// Fills the step until it has room for one more record.
    mutating func fill() {
        write([UInt8](repeating: 0, count: ChatLimits.batchByteCount - 1), at: 0, ofBlob: "filler")
    }
}
