import ChatCrypto
import ChatHistory
import Earshot
import Testing

@testable import ChatCore

@Suite("Trust decides who is written to")
struct TrustSceneTests {
    /// The time after which no prekey bundle is usable any more.
    ///
    /// Units: milliseconds.
    private static let bundleAge: UInt64 = 9 * 86_400_000

    @Test("Nothing goes to a contact whose name another claims, until the user accepts it")
    func changedContact() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        scene.world.sleep(for: Self.bundleAge)
        try scene.world.send("waiting for keys", to: bob.id)
        let impostor = try scene.peer("Bob")
        #expect(scene.trust(in: bob) == .changed)
        #expect(scene.alice.events.contains(.trust(.changed(bob.id, claimant: impostor.id))))

        bob.renew(at: scene.now)
        _ = scene.world.takeSubmitted()
        try scene.world.receive(bob.bundle)
        #expect(scene.world.takeSubmitted() == [])
        let error = #expect(throws: ChatError.self) { try scene.world.send("x", to: bob.id) }
        #expect(error?.code == .refusedByTrust)
        #expect(error?.trust == .changed)

        try scene.decide(.accept, about: bob)
        let contents = try bob.contents(of: scene.world.takeSubmitted(), at: scene.now)
        #expect(contents.map { $0.ranges(of: Array("waiting for keys".utf8)).count } == [1])
        #expect(scene.trust(in: bob) == .tofu)
    }

    @Test("What a changed contact sends is shown, and confirmed once it is accepted")
    func receivingFromChanged() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let id = try scene.bring(ContentBytes.text("1", order: 1), from: &bob)
        // The receipt for the first message has left before the claim comes.
        _ = try scene.peer("Bob")
        let next = try scene.bring(ContentBytes.text("2", order: 2), from: &bob)
        #expect(try scene.texts(with: bob) == ["1", "2"])
        #expect(try scene.confirmed(to: &bob, among: [id, next]) == [id])
        try scene.decide(.accept, about: bob)
        #expect(try scene.confirmed(to: &bob, among: [id, next]) == [next])
    }

    @Test("A restart changes no trust", arguments: [false, true])
    func restart(isImpostorFirst: Bool) throws {
        let scene = try ScriptedWorld()
        let first = try scene.peer("Bob")
        let second = isImpostorFirst ? try scene.peer("Bob") : first
        try scene.decide(.accept, about: second)
        if !isImpostorFirst {
            _ = try scene.peer("Bob")
            #expect(scene.trust(in: second) == .changed)
            try scene.decide(.accept, about: second)
        }
        try scene.world.restart(0)
        #expect(scene.trust(in: second) == .tofu)
        try scene.world.restart(0)
        #expect(code { try scene.world.send("x", to: second.id) } == nil)
    }

    @Test("Only the right safety number verifies, and a restart keeps it")
    func verifying() throws {
        let scene = try ScriptedWorld()
        let bob = try scene.friend("Bob")
        let number = try scene.alice.read(at: scene.now) { engine in try engine.trust.safetyNumber(with: bob.id) }
        let wrong = String(number.digits.reversed())
        #expect(code { try scene.world.step(0) { try $0.verify(bob.id, number: wrong) } } == .numberMismatch)
        #expect(scene.trust(in: bob) == .tofu)
        try scene.world.step(0) { try $0.verify(bob.id, number: number.digits) }
        try scene.world.restart(0)
        #expect(scene.trust(in: bob) == .verified)
    }

    @Test("What has not left for a contact that is blocked fails")
    func blocking() throws {
        let scene = try ScriptedWorld()
        let bob = try scene.friend("Bob")
        scene.world.sleep(for: Self.bundleAge)
        try scene.world.send("never", to: bob.id)
        try scene.decide(.block, about: bob)
        #expect(try scene.alice.statuses(to: bob.id, at: scene.now) == [.failed(.refusedByTrust)])
        #expect(scene.engine.outbox.entries.isEmpty)
    }

    @Test("A contact that renames itself is known by its new name")
    func renaming() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        try bob.rename(to: "Robert", at: scene.now)
        try scene.world.receive(bob.bundle)
        #expect(try scene.contact("Robert").id == bob.id)
        #expect(code { try scene.contact("Bob") } == .notFound)
        try scene.world.restart(0)
        #expect(try scene.contact("Robert").id == bob.id)
    }

    @Test("A name means the contact before strangers, and is ambiguous among equals")
    func naming() throws {
        let scene = try ScriptedWorld()
        let (first, second) = (try scene.peer("Bob"), try scene.peer("Bob"))
        let error = #expect(throws: ChatError.self) { try scene.contact("Bob") }
        #expect(error?.code == .ambiguous)
        #expect(error?.candidates == [first.id, second.id].sorted())
        try scene.decide(.accept, about: second)
        #expect(try scene.contact("Bob").id == second.id)
        #expect(code { try scene.contact("bob") } == .notFound)
    }

    @Test("Eight digits or more of an id mean the peer, fewer do not")
    func prefixes() throws {
        let scene = try ScriptedWorld()
        let bob = try scene.peer("Bob")
        let digits = bob.id.description
        #expect(try scene.contact(String(digits.prefix(8))).id == bob.id)
        #expect(try scene.contact(digits.uppercased()).id == bob.id)
        #expect(code { try scene.contact(String(digits.prefix(7))) } == .notFound)
        #expect(code { try scene.contact(digits + "0") } == .notFound)
    }

    @Test("No more bundles are kept than there may be, and no contact makes room for a stranger")
    func bundleLimit() throws {
        let scene = try ScriptedWorld()
        let bob = try scene.friend("Bob")
        let bundles = try (0..<ChatLimits.bundleCount + 4).map { _ in try ScriptedPeer("S", at: scene.now).bundle }
        for start in stride(from: 0, to: bundles.count, by: 500) {
            try scene.world.step(0) { engine in
                for bundle in bundles[start..<min(start + 500, bundles.count)] {
                    try engine.handle(.deliver(bundle.envelope))
                }
            }
        }
        #expect(try scene.alice.store.count(.bundles, conversation: nil) == ChatLimits.bundleCount)
        #expect(try scene.contact("Bob").id == bob.id)
        #expect(code { try scene.world.send("still there", to: bob.id) } == nil)
    }
}

extension ScriptedWorld {
    func contact(_ who: String) throws -> Contact {
        try alice.read(at: now) { engine in try engine.contact(named: who, at: engine.step.time) }
    }
}
