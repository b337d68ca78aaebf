import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Receipts along the trail of a post")
struct TrailSceneTests {
    /// Alice and Bob, who have written to each other so long ago that they have to begin with a post.
    private static func pair(_ settings: [DeliverySetting] = [.fast, .fast]) throws -> EngineWorld {
        let world = try EngineWorld()
        for (index, setting) in settings.enumerated() { try world.step(index) { $0.delivery = setting } }
        try world.send("hello", to: world[1].id)
        world.run(for: 1_000)
        try world.send("hello", from: 1, to: world[0].id)
        world.run(for: 545_000)
        _ = world.takeSubmitted()
        world.pathEffects = []
        return world
    }

    private static func texts(of node: Int, in world: EngineWorld) throws -> [String] {
        try world[node].history(with: world[1 - node].id, at: world.now).map(\.text)
    }

    private static func isDelivered(_ id: MessageID?, in world: EngineWorld) throws -> Bool {
        let id = try #require(id)
        return try world[0].read(at: world.now) { try $0.message(id)?.status } == .delivered
    }

    private static func isDone(_ world: EngineWorld) -> Bool {
        world.nodes.allSatisfy {
            $0.engine.outbox.entries.isEmpty && $0.engine.ways.underWay.isEmpty && $0.engine.carriedReceipts.isEmpty
                && $0.engine.openings.count == 0
        }
    }

    @Test("The receipt for a post follows its trail, and its release comes back the same way")
    func trail() throws {
        let world = try Self.pair()
        let id = try world.send("one", to: world[1].id)
        world.run(for: 400)
        #expect(try Self.isDelivered(id, in: world))
        #expect(world.takeSubmitted().map(\.kind) == [.sealed, .release])
        #expect(world.carried.map(\.kind) == [.sealed, .release])
        #expect(world.payloads.map { $0.from == nil } == [false, true])
        #expect(Self.isDone(world))
    }

    @Test("The receipt for a post follows its trail only if its author carries too", arguments: [0, 1])
    func setting(node: Int) throws {
        let world = try Self.pair(node == 0 ? [.private, .fast] : [.fast, .private])
        let id = try world.send("one", to: world[1].id)
        world.run(for: 400)
        #expect(try Self.isDelivered(id, in: world))
        #expect(world.carried == [])
        #expect(world.takeSubmitted().count { $0.kind == .sealed } == 2)
    }

    @Test("A relay that swallows what is carried keeps no receipt away: it is posted")
    func swallowed() throws {
        let world = try Self.pair()
        world.swallowsCarried = true
        let id = try world.send("one", to: world[1].id)
        world.run(for: 1_000)
        #expect(try !Self.isDelivered(id, in: world))
        world.run(for: 2_000)
        #expect(try Self.isDelivered(id, in: world))
        #expect(world.takeSubmitted().map(\.kind) == [.sealed, .release, .sealed, .release])
        #expect(Self.isDone(world))
    }

    @Test("A receipt whose release is lost is posted, and changes nothing")
    func lostRelease() throws {
        let world = try Self.pair()
        let id = try world.send("one", to: world[1].id)
        while try Self.texts(of: 1, in: world).last != "one" { world.run(for: 1) }
        world.deaf = [1]
        world.run(for: 400)
        world.deaf = []
        #expect(try Self.isDelivered(id, in: world))
        #expect(world.carried.map(\.kind) == [.sealed, .release])
        world.run(for: 3_000)
        #expect(world.takeSubmitted().map(\.kind) == [.sealed, .release, .sealed, .release])
        #expect(try Self.texts(of: 1, in: world) == ["hello", "hello", "one"])
        #expect(Self.isDone(world))
    }

    @Test("The receipts for a pack follow its trail too, named by the pack")
    func pack() throws {
        let world = try Self.pair()
        let peer = world[1].id
        try world.step(0) { for number in 0..<3 { _ = try $0.send("\(number)", to: .direct(peer)) } }
        world.run(for: 400)
        #expect(try Self.texts(of: 1, in: world).suffix(3) == ["0", "1", "2"])
        #expect(world.takeSubmitted().map(\.kind) == [.sealed, .release])
        #expect(Self.isDone(world))
    }

    @Test("With as many messages under way as fit, the receipt for a post is posted")
    func full() throws {
        let world = try Self.pair()
        try world.send("one", to: world[1].id)
        world.run(for: 400)
        _ = world.takeSubmitted()
        world.deaf = [0]
        for number in 0..<ChatLimits.wayCapacity { try world.send("\(number)", from: 1, to: world[0].id) }
        #expect(world[1].engine.ways.underWay.count == ChatLimits.wayCapacity)
        let label = try #require(world.payloads.first?.from)
        try world.step(0) { try $0.handle(.pathLost(label)) }
        try world.send("two", to: world[1].id)
        world.run(for: 50)
        #expect(try Self.texts(of: 1, in: world).last == "two")
        #expect(world.takeSubmitted().map(\.kind) == [.sealed, .sealed, .release])
        #expect(world[1].engine.ways.underWay.count == ChatLimits.wayCapacity)
    }

    // MARK: - Waiting for a way

    @Test("After a post the next messages wait for the way that it opens, and are carried together")
    func waiting() throws {
        let world = try Self.pair()
        for number in 0..<4 { try world.send("\(number)", to: world[1].id) }
        #expect(world.payloads == [])
        world.run(for: 1_000)
        #expect(try Self.texts(of: 1, in: world).suffix(4) == ["0", "1", "2", "3"])
        #expect(world.takeSubmitted().map(\.kind) == [.sealed, .release])
        #expect(world.carried.count { $0.kind == .sealed } == 3)
        #expect(Self.isDone(world))
    }

    @Test("What waits for a way in vain is posted after a second, and at once when the node stops")
    func waitingInVain() throws {
        let world = try Self.pair()
        world.deaf = [1]
        for number in 0..<3 { try world.send("\(number)", to: world[1].id) }
        world.run(for: 900)
        #expect(world.takeSubmitted().map(\.kind) == [.sealed])
        world.run(for: 200)
        #expect(world.takeSubmitted().map(\.kind) == [.sealed])
        try world.send("3", to: world[1].id)
        #expect(world.takeSubmitted() == [])
        try world.step(0) { $0.stopCarrying() }
        #expect(world.takeSubmitted().map(\.kind) == [.sealed])
        #expect(world[0].engine.outbox.entries.values.allSatisfy { $0.envelope != nil })
    }

    @Test("A node waits for the ways to 1,024 peers at most, and with the setting private for none")
    func waitingLimit() throws {
        let world = try Self.pair()
        world.deaf = [1]
        try world.step(0) { engine in
            let later = MeshInstant.distantFuture
            for number in 0..<ChatLimits.wayCount { engine.openings[Numbered.peer(number)] = later }
        }
        for number in 0..<2 { try world.send("\(number)", to: world[1].id) }
        #expect(world.takeSubmitted().map(\.kind) == [.sealed, .sealed])
        try world.step(0) { engine in
            engine.openings[Numbered.peer(0)] = nil
            engine.delivery = .private
        }
        for number in 0..<2 { try world.send("\(number)", to: world[1].id) }
        #expect(world.takeSubmitted().map(\.kind) == [.sealed, .sealed])
    }
}
