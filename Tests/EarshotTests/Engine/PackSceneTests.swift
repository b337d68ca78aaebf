import Bytes
import ChatCrypto
import ChatHistory
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("What waits for a conversation travels in one message")
struct PackSceneTests {
    /// Alice and Bob, who have written to each other.
    private static func pair() throws -> EngineWorld {
        let world = try EngineWorld()
        try world.send("hello", to: world[1].id)
        world.run(for: 1_000)
        try world.send("hello", from: 1, to: world[0].id)
        world.run(for: 2_000)
        _ = world.takeSubmitted()
        return world
    }

    /// Lets Alice write texts in one batch; returns their ids.
    private static func write(_ texts: [String], in world: EngineWorld) throws -> [MessageID] {
        var ids: [MessageID] = []
        try world.step(0) { engine in
            for text in texts { ids.append(try engine.send(text, to: .direct(world[1].id)).id) }
        }
        return ids
    }

    /// Returns the sealed envelopes that were submitted since the last call, by their sizes on the air.
    private static func sizes(_ world: EngineWorld) -> [Int] {
        world.takeSubmitted().filter { $0.kind == .sealed }.map { $0.body.count + 4 - 16 }
    }

    private static func statuses(_ ids: [MessageID], in world: EngineWorld) throws -> Set<DeliveryStatus> {
        try world[0].read(at: world.now) { engine in Set(try ids.compactMap { try engine.message($0)?.status }) }
    }

    /// A text with order 5, and a file whose pieces never come.
    private static var withFile: [UInt8] {
        let file =
            ContentBytes.field(1, Array("a".utf8)) + ContentBytes.number(3, 300)
            + ContentBytes.field(4, randomBytes(32)) + ContentBytes.field(5, randomBytes(32))
        return ContentBytes.frame(order: 5, sentAt: 1_800_000_000_000)
            + ContentBytes.field(4, ContentBytes.field(1, [0x35]) + ContentBytes.field(2, file))
    }

    @Test("200 texts of 40 characters are one envelope, one receipt entry and one release")
    func many() throws {
        let world = try Self.pair()
        let ids = try Self.write((0..<200).map { _ in String(repeating: "x", count: 40) }, in: world)
        #expect(Self.sizes(world) == [16_384])
        #expect(world[0].engine.outbox.packs.count == 1)
        world.run(for: 1_000)
        #expect(try Self.statuses(ids, in: world) == [.delivered])
        let answers = world.takeSubmitted()
        #expect(answers.count { $0.kind == .sealed } == 1, "one receipt")
        // Bob releases the pack, and Alice the receipt.
        #expect(answers.filter { $0.kind == .release }.map(\.body.count) == [16, 16])
        #expect(try world[1].history(with: world[0].id, at: world.now).count == 202)
        world.run(for: 1_000)
        #expect(world[0].engine.outbox.entries.isEmpty && world[1].engine.outbox.entries.isEmpty)
        for node in world.nodes { #expect(try node.records(.outbox).isEmpty) }
    }

    @Test("10,000 texts that are queued while the disk is held leave in at most 45 envelopes")
    func queued() throws {
        let world = try Self.pair()
        let bob = world[1].id
        var sent: [Submission] = []
        for number in 0..<ChatLimits.outboxCount {
            _ = try world[0].join(at: world.now) { try $0.send("\(number)", to: .direct(bob)) }
            if world[0].isFull { sent += try world[0].step(at: world.now) { _ in } }
        }
        sent += try world[0].step(at: world.now) { _ in }
        while world[0].engine.nextDeadline <= world.now.monotonic {
            sent += try world[0].step(at: world.now) { try $0.tick() }
        }
        let envelopes = sent.filter { $0.kind == .sealed }
        #expect(envelopes.count <= 45, "\(envelopes.count)")
        #expect(world[0].engine.outbox.messageCount == ChatLimits.outboxCount)
        #expect(try world[0].records(.outbox).count == envelopes.count)
        var count = 0
        for envelope in envelopes {
            try world[1].step(at: world.now) { try $0.handle(.deliver(envelope.envelope)) }
            count += 1
        }
        #expect(try world[1].history(with: world[0].id, at: world.now).last?.text == "9999")
    }

    @Test("Packs of 1 to 256 short texts have four sizes, which tell their number by a factor of four")
    func sizes() throws {
        let world = try Self.pair()
        var sizes: [Int: ClosedRange<Int>] = [:]
        for count in [1, 2, 3, 5, 8, 13, 15, 21, 34, 55, 60, 61, 89, 144, 233, 256] {
            _ = try Self.write([String](repeating: "twelve chars", count: count), in: world)
            let size = try #require(Self.sizes(world).first)
            sizes[size] = min(count, sizes[size]?.lowerBound ?? count)...max(count, sizes[size]?.upperBound ?? count)
            world.run(for: 2_000)
            _ = world.takeSubmitted()
        }
        #expect(sizes.keys.sorted() == [256, 1_024, 4_096, 16_384], "\(sizes)")
        #expect(sizes[256] == 1...3)
    }

    @Test("Of 200 contents a malformed one is dropped and counted; the others are shown and confirmed one by one")
    func malformed() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        var contents = (1...200).map { ContentBytes.text("\($0)", order: $0) }
        contents[100] = [0xFF, 0xFF, 0xFF]
        let pack = try bob.seal(pack: contents, to: scene.engine, at: scene.now)
        _ = scene.world.takeSubmitted()
        try scene.world.receive(pack)
        scene.world.run(for: 20_000)
        #expect(try scene.texts(with: bob).count == 199)
        #expect(scene.engine.refusedContentCount == 1)
        let receipts = try bob.contents(of: scene.world.takeSubmitted(), at: scene.now).compactMap { content in
            if case .receipt(let receipt)? = MessageContent.decode(content)?.body { receipt } else { nil }
        }
        #expect(receipts.reduce(0) { $0 + $1.delivered.count } == 199)
        #expect(receipts.allSatisfy { $0.packs.isEmpty })
    }

    @Test("A message whose contents are all here is named as a whole; one that waits for a file is not")
    func half() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        func receipts(for contents: [[UInt8]]) throws -> [MessageContent.Receipt] {
            let pack = try bob.seal(pack: contents, to: scene.engine, at: scene.now)
            _ = scene.world.takeSubmitted()
            try scene.world.receive(pack)
            scene.world.run(for: 1_000)
            return try bob.contents(of: scene.world.takeSubmitted(), at: scene.now).compactMap { content in
                if case .receipt(let receipt)? = MessageContent.decode(content)?.body { receipt } else { nil }
            }
        }
        let whole = try receipts(for: (1...3).map { ContentBytes.text("\($0)", order: $0) })
        #expect(whole.map(\.packs.count) == [1] && whole.allSatisfy { $0.delivered.isEmpty })
        let texts = [ContentBytes.text("4", order: 4), Self.withFile, ContentBytes.text("6", order: 6)]
        let part = try receipts(for: texts)
        #expect(part.allSatisfy { $0.packs.isEmpty })
        let here = Set([0, 2].map { bob.messageID(of: texts[$0], to: scene.engine) })
        #expect(Set(part.flatMap(\.delivered)) == here)
    }

    @Test("A receipt for some contents of an envelope leaves the others, also after a restart")
    func partly() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        try scene.world.step(0) { engine in
            for text in ["1", "2", "3"] { _ = try engine.send(text, to: .direct(bob.id)) }
        }
        let sent = try bob.contents(of: scene.world.takeSubmitted(), at: scene.now)
        #expect(sent.count == 3)
        let ids = sent.map { MessageID(sender: scene.engine.ownID, chat: bob.id.bytes, content: $0) }
        try scene.world.receive(bob.confirm([ids[1]], to: scene.engine, at: scene.now))
        #expect(Set(scene.engine.outbox.entries.values.filter(\.isMessage).map(\.id)) == [ids[0], ids[2]])
        try scene.world.restart(0)
        #expect(Set(scene.engine.outbox.entries.values.filter(\.isMessage).map(\.id)) == [ids[0], ids[2]])
        #expect(scene.engine.outbox.inFlightCount(to: bob.id) >= 1)
        try scene.world.receive(bob.confirm([ids[0], ids[2]], to: scene.engine, at: scene.now))
        #expect(scene.engine.outbox.messageCount == 0)
    }

    @Test("A crash between a pack and its receipt shows nothing twice, and confirms it in the end")
    func crash() throws {
        let world = try Self.pair()
        world.deaf = [1]
        let ids = try Self.write(["1", "2", "3"], in: world)
        let pack = try #require(world.takeSubmitted().first { $0.kind == .sealed })
        try world[1].step(at: world.now, crashes: true) { try $0.handle(.deliver(pack.envelope)) }
        world.deaf = []
        try world.restart(1)
        world.run(for: 2_000)
        #expect(try world[1].history(with: world[0].id, at: world.now).map(\.text).suffix(3) == ["1", "2", "3"])
        #expect(try Self.statuses(ids, in: world) == [.delivered])
    }

    @Test("The delivery proofs of five messages that come together travel in one envelope of sixteen places")
    func releases() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let messages = try (1...5 as ClosedRange<UInt64>).map { order in
            try bob.seal(ContentBytes.text("\(order)", order: order), to: scene.engine, at: scene.now)
        }
        _ = scene.world.takeSubmitted()
        #expect(try scene.world.receive(messages) == 1)
        let bodies = scene.world.takeSubmitted().filter { $0.kind == .release }.map(\.body)
        #expect(bodies.map(\.count) == [16 * 16])
        let hashes = DeliveryProof.all(in: bodies.first ?? []).map(\.hash)
        #expect(Set(messages.map { Array($0.body.prefix(16)) }).isSubset(of: hashes))
        #expect(Set(hashes).count == 16)
    }

    @Test("A lone text, a receipt that is due and a control message do not wait for each other")
    func apart() throws {
        let world = try Self.pair()
        _ = try Self.write(["alone"], in: world)
        #expect(Self.sizes(world) == [256])
        try world.step(0) { engine in
            _ = try engine.createGroup(title: "Group", members: [world[1].id])
            _ = try engine.send("text", to: .direct(world[1].id))
        }
        // The invitation and the text, each in its own envelope.
        #expect(Self.sizes(world).count == 2)
    }

    @Test("Full packs are sealed again behind a prekey message, which leaves less room, when a session is reset")
    func reset() throws {
        let world = try Self.pair()
        world.deaf = [1]
        let texts = (0..<220).map { "\($0) " + String(repeating: "x", count: 36) }
        _ = try Self.write(texts, in: world)
        #expect(Self.sizes(world) == [16_384])
        let bob = world[1].id
        try world.step(0) { try $0.resetSession(with: bob) }
        #expect(world[0].engine.outbox.waitingConversations.isEmpty)
        #expect(world.takeSubmitted().count { $0.kind == .prekey } == 2)
        world.deaf = []
        try world.bringMessages(to: 1)
        world.run(for: 2_000)
        #expect(try world[1].history(with: world[0].id, at: world.now).map(\.text).suffix(220) == texts[...])
        #expect(world[0].engine.outbox.messageCount == 0)
    }

    @Test("What is due for hundreds of peers is sealed in several batches")
    func manyPeers() throws {
        let scene = try ScriptedWorld()
        let peers = try (0..<400).map { try scene.friend("P\($0)") }
        for peer in peers { try scene.world.send("hello", to: peer.id) }
        _ = scene.world.takeSubmitted()
        try scene.world.step(0) { engine in
            for peer in peers { try engine.resetSession(with: peer.id) }
        }
        let first = scene.world.takeSubmitted().count { $0.kind == .prekey }
        #expect(scene.engine.outbox.hasDue && first > 0 && first <= ChatLimits.stepWriteCount)
        scene.world.run(for: 20_000)
        #expect(!scene.engine.outbox.hasDue && scene.engine.outbox.waitingConversations.isEmpty)
        #expect(first + scene.world.takeSubmitted().count { $0.kind == .prekey } == 400)
    }

    @Test("A batch that is nearly full seals nothing; the next one does")
    func fullBatch() throws {
        let world = try Self.pair()
        let bob = world[1].id
        try world.step(0) { engine in
            for number in 0..<ChatLimits.sealingWriteCount {
                engine.step.delete(.timers, UInt64(number).bigEndianBytes)
            }
            _ = try engine.send("late", to: .direct(bob))
        }
        #expect(Self.sizes(world) == [] && world[0].engine.outbox.hasDue)
        #expect(world[0].engine.nextDeadline == .zero)
        world.run(for: 2_000)
        #expect(try world[1].history(with: world[0].id, at: world.now).last?.text == "late")
    }

    @Test("A stranger's pack is confirmed content by content, since its files are expected only from then on")
    func strangersFiles() throws {
        let scene = try ScriptedWorld()
        var eve = try scene.peer("Eve")
        let texts = [ContentBytes.text("4", order: 4), Self.withFile, ContentBytes.text("6", order: 6)]
        try scene.world.receive(eve.seal(pack: texts, to: scene.engine, at: scene.now))
        scene.world.run(for: 16_000)
        _ = scene.world.takeSubmitted()
        try scene.decide(.accept, about: eve)
        scene.world.run(for: 1_000)
        let receipts = try eve.contents(of: scene.world.takeSubmitted(), at: scene.now).compactMap { content in
            if case .receipt(let receipt)? = MessageContent.decode(content)?.body { receipt } else { nil }
        }
        let here = Set([0, 2].map { eve.messageID(of: texts[$0], to: scene.engine) })
        #expect(Set(receipts.flatMap(\.delivered)) == here && receipts.allSatisfy { $0.packs.isEmpty })
    }
}
