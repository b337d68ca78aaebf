import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Messages that are carried along a way")
struct WaySceneTests {
    /// Alice and Bob, who have written to each other; nothing is left to confirm.
    private static func pair(_ delivery: DeliverySetting = .fast) throws -> EngineWorld {
        let world = try EngineWorld()
        for index in 0...1 { try world.step(index) { $0.delivery = delivery } }
        try world.send("hello", to: world[1].id)
        world.run(for: 1_000)
        try world.send("hello", from: 1, to: world[0].id)
        world.run(for: 3_000)
        _ = world.takeSubmitted()
        world.pathEffects = []
        return world
    }

    private static func texts(of node: Int, in world: EngineWorld) throws -> [String] {
        try world[node].history(with: world[1 - node].id, at: world.now).map(\.text)
    }

    private static func status(_ id: MessageID?, of node: Int = 0, in world: EngineWorld) throws -> DeliveryStatus? {
        let id = try #require(id)
        return try world[node].read(at: world.now) { try $0.message(id)?.status }
    }

    @Test("Once both have written, messages and receipts are carried, and nothing is posted or released")
    func carried() throws {
        let world = try Self.pair()
        var last: MessageID?
        for number in 0..<50 {
            last = try world.send("\(number)", from: number % 2, to: world[1 - number % 2].id)
            world.run(for: 100)
        }
        world.run(for: 3_000)
        #expect(world.takeSubmitted() == [])
        #expect(world.carried.count == 100)
        #expect(try Self.status(last, of: 1, in: world) == .delivered)
        #expect(try Self.texts(of: 0, in: world).count == 52)
        #expect(world.nodes.allSatisfy { $0.engine.outbox.entries.isEmpty })
    }

    @Test("With the setting private everything is posted", arguments: [DeliverySetting.private, .auto])
    func posted(setting: DeliverySetting) throws {
        let world = try Self.pair(setting)
        let id = try world.send("one", to: world[1].id)
        world.run(for: 1_000)
        #expect(try Self.status(id, in: world) == .delivered)
        #expect(world.carried == [])
        #expect(world.takeSubmitted().count { $0.kind == .sealed } == 2)
    }

    @Test("What a relay swallows is posted after two seconds at most, arrives once, and opens the way again")
    func swallowed() throws {
        let world = try Self.pair()
        world.swallowsCarried = true
        let id = try world.send("lost", to: world[1].id)
        world.run(for: 100)
        #expect(world.carried.count == 1)
        #expect(try Self.status(id, in: world) != .delivered)
        world.swallowsCarried = false
        world.run(for: 2_000)
        #expect(try Self.status(id, in: world) == .delivered)
        #expect(world.takeSubmitted().map(\.kind) == [.sealed, .release])
        try world.send("again", to: world[1].id)
        world.run(for: 1_000)
        #expect(world.takeSubmitted() == [])
        #expect(try Self.texts(of: 1, in: world) == ["hello", "hello", "lost", "again"])
    }

    @Test("A receipt that is lost costs a post, and the message is shown once")
    func lostReceipt() throws {
        let world = try Self.pair()
        let id = try world.send("one", to: world[1].id)
        world.swallowsCarried = true
        world.run(for: 200)
        world.swallowsCarried = false
        #expect(try Self.texts(of: 1, in: world).last == "one")
        #expect(try Self.status(id, in: world) != .delivered)
        world.run(for: 3_000)
        #expect(try Self.status(id, in: world) == .delivered)
        #expect(try Self.texts(of: 1, in: world) == ["hello", "hello", "one"])
        #expect(world.nodes.allSatisfy { $0.engine.outbox.entries.isEmpty })
    }

    @Test("A lost way is told at once, and what was under way is posted", arguments: [true, false])
    func lostWay(isLost: Bool) throws {
        let world = try Self.pair()
        world.deaf = [1]
        for number in 0..<3 { try world.send("\(number)", to: world[1].id) }
        let label = try #require(world.payloads.last?.to)
        world.deaf = []
        try world.step(0) { try $0.handle(isLost ? .pathLost(label) : .pathRefused(label)) }
        world.run(for: 400)
        #expect(try Self.texts(of: 1, in: world).suffix(3) == ["0", "1", "2"])
        #expect(world.takeSubmitted().contains { $0.kind == .sealed })
    }

    @Test("At most 24 envelopes are under way, and the rest follows their receipts")
    func capacity() throws {
        let world = try Self.pair()
        world.deaf = [0, 1]
        for number in 0..<40 { try world.send("\(number)", to: world[1].id) }
        #expect(world.carried.count == 24)
        #expect(world[0].engine.ways.underWay.count == 24)
        world.deaf = []
        world.run(for: 5_000)
        #expect(try Self.texts(of: 1, in: world).count == 42)
        #expect(world[0].engine.outbox.entries.isEmpty)
        #expect(world[0].engine.ways.underWay == [])
    }

    @Test("A trail that nobody used is given up after 50 seconds, and a way nine minutes after the last message")
    func ageing() throws {
        let world = try Self.pair()
        try world.send("one", to: world[1].id)
        world.run(for: 539_000)
        try world.send("two", to: world[1].id)
        world.run(for: 1_000)
        #expect(world.takeSubmitted().filter { $0.kind == .sealed } == [])
        world.run(for: 545_000)
        try world.send("three", to: world[1].id)
        world.run(for: 1_000)
        #expect(world.takeSubmitted().contains { $0.kind == .sealed })
    }

    @Test("A node that stops posts what is under way, so that its recipient finds it later")
    func stopping() throws {
        let world = try Self.pair()
        world.deaf = [1]
        try world.send("gone", to: world[1].id)
        try world.step(0) { $0.stopCarrying() }
        #expect(world.takeSubmitted().map(\.kind) == [.sealed])
        #expect(world[0].engine.ways.underWay == [])
    }

    @Test("A text beyond two kilobytes is posted")
    func large() throws {
        let world = try Self.pair()
        try world.send(String(repeating: "x", count: 3_000), to: world[1].id)
        world.run(for: 1_000)
        #expect(world.takeSubmitted().contains { $0.kind == .sealed && $0.body.count > 3_000 })
    }

    @Test("A carried envelope that is not sealed for this node changes nothing")
    func forged() throws {
        let world = try Self.pair()
        let before = try Self.texts(of: 0, in: world)
        for kind in [EnvelopeKind.sealed, .bundle, .release, .chunk] {
            let payload = Envelope(kind: kind, life: 9, body: [UInt8](repeating: 7, count: 268)).encoded()
            let message = PathMessage(to: PathLabel(5), from: PathLabel(6), hops: 0, isEnvelope: true, payload: payload)
            try world.step(0) { try $0.handle(.pathMessage(message)) }
        }
        world.run(for: 1_000)
        #expect(try Self.texts(of: 0, in: world) == before)
        #expect(world.takeSubmitted() == [])
        #expect(world.payloads == [])
    }

    @Test("Who carries a post to its recipient before it gets there keeps neither its release nor its receipt away")
    func carriedPost() throws {
        let world = try Self.pair()
        for index in 0...1 { try world.step(index) { $0.delivery = .private } }
        world.deaf = [1]
        let id = try world.send("one", to: world[1].id)
        world.run(for: 100)
        let post = try #require(world.takeSubmitted().first)
        world.deaf = []
        let sink = PathLabel(77)
        let forged = PathMessage(
            to: PathLabel(5),
            from: sink,
            hops: 0,
            isEnvelope: true,
            payload: post.envelope.encoded()
        )
        for index in 0...1 { try world.step(index) { $0.delivery = .fast } }
        try world.step(1) { try $0.handle(.pathMessage(forged)) }
        #expect(try Self.texts(of: 1, in: world).last == "one")
        #expect(world.payloads.last?.to == sink)
        world.run(for: 100)
        #expect(try Self.status(id, in: world) != .delivered)
        try world.receive(post, at: 1)
        world.run(for: 1_000)
        #expect(try Self.status(id, in: world) == .delivered)
        #expect(world.takeSubmitted().contains { $0.kind == .release })
        #expect(try Self.texts(of: 1, in: world) == ["hello", "hello", "one"])
        #expect(world.nodes.allSatisfy { $0.engine.outbox.entries.isEmpty })
    }

    @Test("A receipt beside a message ends with the receipt of that message")
    func receiptBesideMessage() throws {
        let world = try Self.pair()
        world.deaf = [1]
        try world.send("one", to: world[1].id)
        let message = try #require(world.payloads.last)
        world.run(for: 50)
        world.deaf = [0]
        let peers = world.nodes.map { ConversationID.direct($0.id) }
        var receipt = MessageContent.Receipt()
        try world.step(1) {
            try $0.handle(.pathMessage(message))
            receipt.delivered = [try $0.send("two", to: peers[0]).id]
        }
        #expect(world[1].engine.outbox.entries.count == 2)
        #expect(world[1].engine.ways.underWay.count == 1)
        world.run(for: 50)
        world.deaf = []
        // A node that cannot read a part of a message confirms the parts that it can read.
        try world.step(0) { [receipt] in $0.queueReceipt(receipt, to: world[1].id) }
        world.run(for: 400)
        #expect(world[1].engine.outbox.entries.isEmpty)
        world.run(for: 3_000)
        #expect(world.nodes.allSatisfy { $0.engine.outbox.entries.isEmpty })
        #expect(world.nodes.allSatisfy { $0.engine.carriedReceipts.isEmpty })
    }

    @Test("A forged post of a carried message diverts no way")
    func forgedPost() throws {
        let world = try Self.pair()
        try world.send("one", to: world[1].id)
        let payload = try #require(world.payloads.last?.payload)
        world.run(for: 1_000)
        let body = try #require(Envelope(decoding: payload[...])).body
        let junk = body.prefix(DeliveryProofHash.byteCount) + [UInt8](repeating: 7, count: 100)
        let forged = Envelope(kind: .sealed, life: 9, body: Array(junk))
        try world.step(1) { try $0.receive(forged, trail: PathLabel(77)) }
        world.run(for: 1_000)
        try world.send("two", from: 1, to: world[0].id)
        #expect(world.payloads.last?.to != PathLabel(77))
        world.run(for: 1_000)
        #expect(try Self.texts(of: 0, in: world).last == "two")
        #expect(try Self.texts(of: 1, in: world) == ["hello", "hello", "one", "two"])
    }

    @Test("The receipt for a carried copy of a message that was posted before is not lost with a way")
    func lateCarried() throws {
        let world = try Self.pair()
        world.deaf = [1]
        let id = try world.send("one", to: world[1].id)
        let message = try #require(world.payloads.last)
        world.run(for: 3_000)
        let post = try #require(world.takeSubmitted().first)
        world.deaf = []
        try world.step(1) {
            try $0.receive(post.envelope, trail: PathLabel(9))
            try $0.handle(.pathMessage(message))
        }
        #expect(world[1].engine.ways.underWay.count == 1)
        #expect(try Self.status(id, in: world) != .delivered)
        world.run(for: 3_000)
        #expect(try Self.status(id, in: world) == .delivered)
        #expect(try Self.texts(of: 1, in: world).last == "one")
    }
}
