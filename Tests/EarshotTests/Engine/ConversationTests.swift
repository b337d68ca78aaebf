import ChatHistory
import Earshot
import Testing

@testable import ChatCore

@Suite("Two engines talk")
struct ConversationTests {
    @Test("300 messages each way are shown once, in order, and confirmed, whatever the mesh does", arguments: 1...2)
    func manyMessages(seed: UInt64) throws {
        let world = try EngineWorld(quality: EngineWorld.Quality(), seed: seed)
        try world.talk(count: 300, pause: 20)
        world.run(for: 60_000)
        try world.expectTalked(count: 300)
        #expect(world.nodes.map(\.textsTold) == [world.texts("b", 300), world.texts("a", 300)])
        for node in world.nodes { #expect(try node.isAtRest) }
    }

    /// Units: milliseconds.
    private static let day: Int64 = 86_400_000

    @Test(
        "Clocks a day apart lose nothing, whichever is wrong",
        arguments: [[day, 0], [-day, 0], [0, day], [0, -day], [-day / 2, day / 2], [day / 2, -day / 2]]
    )
    func wrongClocks(errors: [Int64]) throws {
        let world = try EngineWorld(quality: EngineWorld.Quality(), errors: errors)
        try world.talk(count: 20, pause: 20)
        world.run(for: 60_000)
        // The nodes make new prekey bundles within the day, and their sessions continue.
        world.sleep(for: UInt64(Self.day))
        try world.send("later", to: world[1].id)
        world.run(for: 60_000)
        #expect(world.nodes.map(\.textsTold) == [world.texts("b", 20), world.texts("a", 20) + ["later"]])
        for node in world.nodes { #expect(try node.isAtRest) }
    }

    @Test("A crash after any write loses nothing and shows nothing twice", arguments: 1...50)
    func crashes(seed: UInt64) throws {
        let world = try EngineWorld(quality: .quick, seed: seed)
        world.crashesLeft = 8
        world.joining = seed.isMultiple(of: 2) ? 0.5 : 0
        try world.talk(count: 10, pause: 50)
        world.run(for: 30_000)
        #expect(world.crashCount == 8)
        try world.expectTalked(count: 10)
        // The node gives up a receipt after a day if a crash lost its delivery proof.
        world.sleep(for: ChatLimits.receiptAge)
        for node in world.nodes { #expect(try node.isAtRest) }
    }

    @Test("While the disk is full nothing is confirmed, and afterwards nothing is lost", arguments: 1...5)
    func fullDisk(seed: UInt64) throws {
        let world = try EngineWorld(quality: .quick, seed: seed)
        let (alice, bob) = (world[0], world[1])
        world.joining = seed.isMultiple(of: 2) ? 0.5 : 0
        try world.talk(count: 5, pause: 50)
        world.run(for: 10_000)
        bob.store.isFull = true
        for number in 6...20 { try world.send("a\(number)", to: bob.id) }
        world.run(for: 30_000)
        #expect(try alice.statuses(to: bob.id, at: world.now).suffix(15) == Array(repeating: .carried, count: 15))
        #expect(throws: (any Error).self) { try world.send("b6", from: 1, to: alice.id) }
        #expect(bob.textsTold == world.texts("a", 5))

        bob.store.isFull = false
        world.run(for: 30_000)
        #expect(try alice.statuses(to: bob.id, at: world.now) == Array(repeating: .delivered, count: 20))
        #expect(try bob.textsReceived(from: alice.id, at: world.now) == world.texts("a", 20))
        for node in world.nodes { #expect(try node.isAtRest) }
    }

    @Test("A message that was refused by the disk can be written again")
    func refusedSend() throws {
        let world = try EngineWorld()
        world[0].store.isFull = true
        #expect(throws: (any Error).self) { try world.send("first", to: world[1].id) }
        #expect(world[0].engine.outbox.entries.isEmpty)
        world[0].store.isFull = false
        try world.send("second", to: world[1].id)
        world.run(for: 10_000)
        #expect(try world[1].textsReceived(from: world[0].id, at: world.now) == ["second"])
    }

    @Test("To write to nobody, to oneself, nothing or too much is refused, and the most there is arrives")
    func sizes() throws {
        let world = try EngineWorld()
        let (alice, bob) = (world[0].id, world[1].id)
        try world.step(1) { try $0.decide(.accept, about: alice) }
        let longest = String(repeating: "ü", count: ChatLimits.textByteCount / 2)
        #expect(code { try world.send("", to: bob) } == .empty)
        #expect(code { try world.send(longest + "x", to: bob) } == .tooLarge)
        #expect(code { try world.send("x", to: alice) } == .notFound)
        #expect(code { try world.send("x", to: ScriptedPeer("Eve", at: world.now).id) } == .notFound)
        try world.send(longest, to: bob)
        try world.send("x", to: bob)
        world.run(for: 10_000)
        #expect(try world[1].textsReceived(from: alice, at: world.now) == [longest, "x"])
        #expect(try world[0].statuses(to: bob, at: world.now) == [.delivered, .delivered])
    }
}

extension EngineWorld {
    fileprivate func texts(_ prefix: String, _ count: Int) -> [String] {
        (1...count).map { "\(prefix)\($0)" }
    }

    /// Lets both nodes write a number of messages to each other, with a pause after each.
    fileprivate func talk(count: Int, pause: UInt64) throws {
        for number in 1...count {
            try send("a\(number)", from: 0, to: self[1].id)
            try send("b\(number)", from: 1, to: self[0].id)
            run(for: pause)
        }
    }

    /// Checks that everything arrived once and in order, that it is confirmed, and that no status went back.
    fileprivate func expectTalked(count: Int) throws {
        let (alice, bob) = (self[0], self[1])
        #expect(try alice.textsReceived(from: bob.id, at: now) == texts("b", count))
        #expect(try bob.textsReceived(from: alice.id, at: now) == texts("a", count))
        for (node, peer) in [(alice, bob), (bob, alice)] {
            #expect(try node.statuses(to: peer.id, at: now) == Array(repeating: .delivered, count: count))
            #expect(Set(node.textsTold).count == node.textsTold.count)
            #expect(node.engine.outbox.messageCount == 0)
            for statuses in node.statusesTold.values {
                let ranks = statuses.map(\.rank)
                #expect(ranks == Set(ranks).sorted())
            }
        }
    }
}

extension EngineWorld.Quality {
    /// Some deliveries are late, doubled or lost, but never for as long as a message waits for an earlier one.
    fileprivate static let quick = Self(delay: 1...100, loss: 0.1, redelivery: 200...600, duplication: 0.2)
}

/// Returns the code of the error that a chat throws; nil if it throws none.
func code<Value>(_ body: () throws -> Value) -> ChatError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? ChatError)?.code
    }
}
