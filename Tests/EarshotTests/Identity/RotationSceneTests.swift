import ChatCrypto
import ChatHistory
import Foundation
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Going on under a new identity")
struct RotationSceneTests {
    /// The length of a day.
    ///
    /// Units: milliseconds.
    private static let day: UInt64 = 86_400_000

    /// Makes engines that know each other.
    ///
    /// Alice and Bob have talked.
    private func talking(_ names: [String] = ["Alice", "Bob"]) throws -> EngineWorld {
        let world = try GroupScene(names).world
        try world.send("hello Bob", to: world[1].id)
        world.run(for: 5_000)
        try world.send("hello Alice", from: 1, to: world[0].id)
        world.run(for: 5_000)
        return world
    }

    private func rotate(_ index: Int, of world: EngineWorld) throws {
        try world.step(index) { _ = try $0.rotate() }
    }

    private func trust(_ index: Int, in peer: PeerID, _ world: EngineWorld) -> TrustState {
        world[index].engine.trust.state(of: peer)
    }

    @Test("A contact goes on by itself; both write on, the old conversation stays, and a restart changes nothing")
    func goesOn() throws {
        let world = try talking()
        let (old, bob) = (world[0].id, world[1].id)
        try world.step(1) { _ = try $0.setTimer(.seconds(3_600), of: .direct(old)) }
        world.run(for: 5_000)
        try rotate(0, of: world)
        let new = world[0].id
        #expect(new != old)
        #expect(world[0].events.contains(.trust(.rotated(old, to: new))))
        world.run(for: 20_000)
        #expect(world[1].events.contains(.trust(.rotated(old, to: new))))
        #expect(!world[1].events.contains { if case .trust(.changed) = $0 { true } else { false } })
        for index in [0, 1] { try world.restart(index) }
        #expect(trust(1, in: new, world) == .tofu && world[1].engine.name(of: new) == "Alice")
        #expect(try world[1].engine.contact(named: "Alice", at: world.now).id == new)

        #expect(code { try world.send("no", from: 1, to: old) } == .refusedByTrust)
        try world.send("as another", to: bob)
        try world.send("to another", from: 1, to: new)
        world.run(for: 60_000)
        #expect(try world[1].textsReceived(from: new, at: world.now) == ["as another"])
        #expect(try world[1].textsReceived(from: old, at: world.now) == ["hello Bob"])
        let texts = try world[0].textsReceived(from: bob, at: world.now).filter { !$0.isEmpty }
        #expect(texts == ["hello Alice", "to another"])
        #expect(try world[1].statuses(to: new, at: world.now) == [.delivered])
        #expect(try world[0].isAtRest && world[1].isAtRest)
        // The disappearing-messages timer belongs to the person, not to the key.
        let timer = try world[1].read(at: world.now) { engine in engine.conversations.timer(of: .direct(new)).seconds }
        #expect(timer == 3_600)
    }

    @Test("Who has verified the old identity is asked, and compares a new number; verified is never carried over")
    func verified() throws {
        let world = try talking()
        let old = world[0].id
        let number = try world[1].engine.safetyNumber(with: old).digits
        try world.step(1) { try $0.verify(old, number: number) }
        try rotate(0, of: world)
        let new = world[0].id
        world.run(for: 20_000)
        #expect(trust(1, in: old, world) == .changed)
        #expect(world[1].events.contains(.trust(.changed(old, claimant: new))))
        let refusal = #expect(throws: ChatError.self) { try world.send("no", from: 1, to: old) }
        #expect(refusal?.reason.contains("new identity") == true)
        try world.restart(1)
        #expect(code { try world.step(1) { try $0.verify(old, number: number) } } == .numberMismatch)
        let newNumber = try world[0].engine.safetyNumber(with: world[1].id).digits
        #expect(try world[1].engine.safetyNumber(with: old).digits == newNumber)
        try world.step(1) { try $0.verify(old, number: newNumber) }
        #expect(trust(1, in: new, world) == .verified)
    }

    @Test("Who is away is told on coming back, by as many rotations as there were")
    func away() throws {
        let world = try talking()
        let first = world[0].id
        world.deaf = [1]
        for _ in 0..<2 {
            try rotate(0, of: world)
            world.run(for: 10_000)
        }
        let last = world[0].id
        try world.send("are you there", to: world[1].id)
        world.sleep(for: 3 * Self.day)
        #expect(trust(1, in: first, world) == .tofu)
        world.deaf = []
        try world.restart(1)
        world.run(for: 120_000)
        #expect(trust(1, in: last, world) == .tofu)
        #expect(world[1].engine.trust.isSuccessor(last, of: first))
        #expect(try world[1].textsReceived(from: last, at: world.now) == ["are you there"])
        world.sleep(for: 7_200_000)
        #expect(try world[0].isAtRest)
    }

    @Test("What was written before a rotation arrives, and is confirmed, on both sides")
    func underWay() throws {
        let world = try talking()
        let (old, bob) = (world[0].id, world[1].id)
        world.deaf = [0, 1]
        try world.send("written before", to: bob)
        try world.send("to the old one", from: 1, to: old)
        world.run(for: 5_000)
        try rotate(0, of: world)
        world.run(for: 5_000)
        // Bob does not know of the new key yet, and continues.
        try world.send("to the old one still", from: 1, to: old)
        world.deaf = []
        for index in [0, 1] { try world.restart(index) }
        world.run(for: 60_000)
        #expect(try world[0].statuses(to: bob, at: world.now).last == .delivered)
        let sent = try world[1].statuses(to: old, at: world.now)
        #expect(sent == [.delivered, .delivered, .delivered])
        let texts = try world[0].textsReceived(from: bob, at: world.now)
        #expect(texts == ["hello Alice", "to the old one", "to the old one still"])
        #expect(try world[1].textsReceived(from: old, at: world.now).contains("written before"))
        let late = try world[0].history(with: bob, at: world.now).first { $0.text == "written before" }
        #expect(code { try world.step(0) { try $0.edit(try #require(late).id, to: "x") } } == .notAuthor)
        #expect(try world[0].isAtRest && world[1].isAtRest)
    }

    @Test("Two who go on at the same time find each other")
    func crossing() throws {
        let world = try talking()
        world.deaf = [0, 1]
        for index in [0, 1] { try rotate(index, of: world) }
        world.deaf = []
        for index in [0, 1] { try world.restart(index) }
        world.run(for: 60_000)
        #expect(trust(0, in: world[1].id, world) == .tofu && trust(1, in: world[0].id, world) == .tofu)
        try world.send("found", to: world[1].id)
        world.run(for: 20_000)
        #expect(try world[1].textsReceived(from: world[0].id, at: world.now) == ["found"])
    }

    @Test("After eight days the old keys are gone, and what comes of the old identity is refused")
    func eightDays() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        try scene.bring(ContentBytes.text("1", order: 1), from: &bob)
        let old = scene.engine.sessions.bundle
        try scene.world.step(0) { _ = try $0.rotate() }
        let late = try bob.seal(ContentBytes.text("2", order: 2), to: old, at: scene.now)
        try scene.world.receive(late)
        #expect(try scene.texts(with: bob) == ["1", "2"])

        let new = try ScriptedPeer("Bob", at: scene.now)
        let rotation = RotationStatement(from: bob.sessions.identity, to: new.sessions.identity, counter: 1, at: 0)
        try scene.bring(MessageContent.statement(.rotation(rotation.bytes), at: 0), from: &bob)
        try scene.bring(ContentBytes.text("3", order: 3), from: &bob)
        #expect(try scene.texts(with: bob) == ["1", "2", "3"])
        let dead = try bob.seal(ContentBytes.text("5", order: 5), to: old, at: scene.now)
        scene.world.sleep(for: 8 * Self.day + 3_600_000)
        try scene.bring(ContentBytes.text("4", order: 4), from: &bob)
        #expect(try scene.texts(with: bob) == ["1", "2", "3"])

        #expect(scene.engine.identityHistory.formerCount == 0)
        #expect(try scene.alice.stored(.identity, FormerIdentity.name(of: 0)) == nil)
        try scene.world.receive(dead)
        try scene.world.restart(0)
        try scene.world.receive(dead)
        #expect(try scene.texts(with: bob) == ["1", "2", "3"])
        #expect(scene.engine.trust.isOwn(old.identity.id))
    }

    @Test("Stopped after any step of a rotation, it goes on, and every contact is told once")
    func crashes() throws {
        let scene = try ScriptedWorld()
        let count = 5
        for number in 0..<count { _ = try scene.friend("P\(number)") }
        let old = scene.alice.id
        try scene.alice.step(at: scene.now, crashes: true) { engine in
            engine.step.fill()
            _ = try engine.rotate()
        }
        var told: [Int] = []
        while told.count <= count {
            try scene.alice.restore(at: scene.now)
            #expect(scene.alice.id != old && scene.engine.identityHistory.formerCount == 1)
            told.append(scene.engine.outbox.entries.values.count(where: \.isControl))
            guard !scene.engine.identityHistory.announcements.isEmpty else { break }
            try scene.alice.step(at: scene.now, crashes: true) { engine in
                engine.step.fill()
                try engine.begin()
            }
        }
        #expect(told.count > 2 && told == told.sorted() && told.last == count, "\(told)")
        #expect(Set(scene.engine.outbox.entries.values.map(\.peer)).count == count)
        // The store refuses the write, so nothing has changed.
        let now = scene.alice.id
        scene.alice.store.isFull = true
        #expect(throws: (any Error).self) { try scene.alice.step(at: scene.now) { _ = try $0.rotate() } }
        scene.alice.store.isFull = false
        #expect(scene.alice.id == now)
        try scene.alice.restore(at: scene.now)
        #expect(scene.alice.id == now && scene.engine.identityHistory.formerCount == 1)
    }

    @Test("Five rotations within eight days are one too many, and it is told when the next may be")
    func limit() throws {
        let scene = try ScriptedWorld()
        for _ in 0..<ChatLimits.formerCount {
            try scene.world.step(0) { _ = try $0.rotate() }
            scene.world.sleep(for: Self.day)
        }
        let error = #expect(throws: ChatError.self) { try scene.world.step(0) { _ = try $0.rotate() } }
        #expect(error?.code == .limited)
        // The first earlier key receives for 8 days. The four days since its rotation have used half of that time.
        let rest = try #require(error?.retryAfter)
        #expect(rest > .seconds(4 * 86_400 - 60) && rest <= .seconds(4 * 86_400 + 1), "\(rest)")
        scene.world.sleep(for: 4 * Self.day + 60_000)
        try scene.world.step(0) { _ = try $0.rotate() }
    }

    @Test("The newest 64 of one's own earlier ids are known for one's own after a restart")
    func ownPast() throws {
        let scene = try ScriptedWorld()
        var past: [PeerID] = []
        for _ in 0...ChatLimits.pastCount {
            past.append(scene.alice.id)
            try scene.world.step(0) { _ = try $0.rotate() }
            scene.world.sleep(for: 9 * Self.day)
        }
        try scene.world.restart(0)
        #expect(past.map { scene.engine.trust.isOwn($0) } == [false] + past.dropFirst().map { _ in true })
    }
}
