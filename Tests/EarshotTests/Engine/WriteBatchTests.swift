import ChatCrypto
import ChatHistory
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Steps are made durable in batches")
struct WriteBatchTests {
    @Test("Nothing of a batch is in the store or follows before it is durable; then everything, in order")
    func order() throws {
        let scene = try ScriptedWorld()
        let bob = try scene.friend("Bob")
        scene.alice.forgetEvents()
        let ids = try (1...3).map { try scene.write("\($0)", to: bob) }
        for id in ids { #expect(try scene.alice.stored(.messages, id.bytes) == nil) }
        #expect(try scene.alice.history(with: bob.id, at: scene.now).isEmpty)
        #expect(scene.engine.outbox.entries.isEmpty)
        #expect(scene.alice.events.isEmpty)

        let submitted = try scene.alice.step(at: scene.now) { _ in }
        for id in ids { #expect(try scene.alice.stored(.messages, id.bytes) != nil) }
        #expect(try scene.alice.history(with: bob.id, at: scene.now).map(\.id) == ids)
        #expect(scene.messagesTold == ids)
        #expect(submitted.map(\.kind) == [.prekey])
    }

    @Test("Later steps see what earlier ones of the batch wrote")
    func reading() throws {
        let scene = try ScriptedWorld()
        let bob = try scene.friend("Bob")
        let first = try scene.write("first", to: bob)
        try scene.alice.step(at: scene.now) { _ in }
        let second = try scene.write("second", to: bob)
        let third = try scene.write("third", to: bob)
        try scene.alice.join(at: scene.now) { engine in
            let pages = [nil, third].map { before in
                (try? engine.history(of: .direct(bob.id)).page(limit: 2, before: before))?.map(\.id)
            }
            #expect(pages == [[second, third], [first, second]])
            let status = try engine.status(of: third)
            #expect(status == .queued)
        }
    }

    @Test("A step that refuses what it is asked, after it has changed a conversation, leaves nothing of the change")
    func refusedAfterChange() throws {
        let scene = try ScriptedWorld()
        let bob = try scene.friend("Bob")
        try scene.world.send("1", to: bob.id)
        let before = try #require(scene.engine.conversations[.direct(bob.id)])
        #expect(throws: ChatError.self) {
            try scene.alice.join(at: scene.now) { engine in
                engine.conversations.touch(.direct(bob.id), at: 7)
                throw ChatError(.notFound, "refused")
            }
        }
        #expect(!scene.alice.isOpen)
        #expect(scene.engine.conversations[.direct(bob.id)] == before)
    }

    @Test("If the store refuses a batch, none of its steps has happened, and the same ones can be taken again")
    func refused() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        let kept = try #require(try scene.world.send("kept", to: bob.id))
        scene.world.run(for: 1_000)
        let before = try scene.facts(about: bob)
        scene.alice.forgetEvents()
        _ = scene.world.takeSubmitted()

        scene.alice.store.isFull = true
        for number in 1...3 { try scene.write("\(number)", to: bob) }
        let confirmation = try bob.confirm([kept], to: scene.engine, at: scene.now)
        try scene.alice.join(at: scene.now) { try $0.handle(.deliver(confirmation.envelope)) }
        #expect(throws: ChatError.self) { try scene.alice.step(at: scene.now) { _ in } }
        #expect(try scene.facts(about: bob) == before)
        #expect(scene.alice.events.isEmpty)
        #expect(!scene.alice.isOpen)

        scene.alice.store.isFull = false
        // The memory holds the same state that a restart finds in the store.
        try scene.alice.restore(at: scene.now)
        #expect(try scene.facts(about: bob) == before)
        try scene.world.receive(confirmation)
        #expect(try scene.alice.statuses(to: bob.id, at: scene.now) == [.delivered])
        try scene.world.send("4", to: bob.id)
        let contents = try bob.contents(of: scene.world.takeSubmitted(), at: scene.now)
        #expect(contents.count == 1)
    }

    @Test("A step that is refused leaves the others of its batch")
    func refusedStep() throws {
        let scene = try ScriptedWorld()
        let bob = try scene.friend("Bob")
        let id = try scene.write("1", to: bob)
        #expect(code { try scene.write("", to: bob) } == .empty)
        #expect(code { try scene.alice.join(at: scene.now) { try $0.ping(bob.id, number: 1) } } == .noSession)
        #expect(scene.alice.isOpen)
        try scene.alice.step(at: scene.now) { _ in }
        #expect(try scene.alice.history(with: bob.id, at: scene.now).map(\.id) == [id])
        scene.world.run(for: 10_000)
        #expect(scene.alice.endedPings.isEmpty)
    }

    @Test("A step that fails after a change takes its whole batch back")
    func failedStep() throws {
        let scene = try ScriptedWorld()
        let bob = try scene.friend("Bob")
        let before = try scene.facts(about: bob)
        try scene.write("1", to: bob)
        #expect(throws: ChatError.self) {
            try scene.alice.join(at: scene.now) { engine in
                _ = try engine.send("2", to: .direct(bob.id))
                throw StoreError(.ioFailed)
            }
        }
        #expect(!scene.alice.isOpen)
        #expect(try scene.facts(about: bob) == before)
    }

    @Test("What was written to a conversation that the same batch destroys is destroyed too")
    func destroyed() throws {
        let scene = try ScriptedWorld()
        var eve = try scene.peer("Eve")
        let content = ContentBytes.text("1", order: 1)
        let text = try eve.seal(content, to: scene.engine, at: scene.now)
        try scene.alice.join(at: scene.now) { try $0.handle(.deliver(text.envelope)) }
        for number in 1...ChatLimits.requestCount {
            var unknownPeer = try ScriptedPeer("S\(number)", at: scene.now)
            let content = ContentBytes.text("\(number)", order: 1)
            let greeting = try unknownPeer.seal(content, to: scene.engine, at: scene.now)
            let later = ChatTime(wall: scene.now.wall + 1, monotonic: scene.now.monotonic)
            try scene.alice.join(at: later) { try $0.handle(.deliver(greeting.envelope)) }
        }
        try scene.alice.step(at: scene.now) { _ in }
        #expect(try scene.conversation(with: eve) == nil)
        let tables: [RecordTable] = [.messages, .conversations, .keys]
        let counts = try tables.map { try scene.alice.store.count($0, conversation: nil) }
        #expect(counts == tables.map { _ in ChatLimits.requestCount })
        // The node does not remember the message either: the same message counts as a new one.
        eve.loseSessions(with: scene.engine.ownID)
        try scene.bring(content, from: &eve)
        #expect(try scene.texts(with: eve) == ["1"])
    }

    @Test("What was written last is not read again, unless it is large")
    func remembered() throws {
        let scene = try ScriptedWorld()
        var bob = try scene.friend("Bob")
        // The first message of a peer brings a session, and its rows are new.
        try scene.world.receive(bob.confirm([], to: scene.engine, at: scene.now))
        let small = try #require(try scene.world.send("small", to: bob.id))
        let large = try #require(try scene.world.send(String(repeating: "x", count: 2_000), to: bob.id))
        let before = scene.alice.store.readCount
        try scene.world.receive(bob.confirm([small], to: scene.engine, at: scene.now))
        #expect(scene.alice.store.readCount == before)
        try scene.world.receive(bob.confirm([large], to: scene.engine, at: scene.now))
        #expect(scene.alice.store.readCount > before)
        #expect(try scene.alice.statuses(to: bob.id, at: scene.now) == [.delivered, .delivered])
    }

    @Test("A batch is full after 512 steps, 512 writes or a mebibyte")
    func bounds() throws {
        let scene = try ScriptedWorld()
        let bob = try scene.friend("Bob")
        for _ in 1..<ChatLimits.batchStepCount { try scene.alice.join(at: scene.now) { _ in } }
        #expect(!scene.alice.isFull)
        try scene.alice.join(at: scene.now) { _ in }
        #expect(scene.alice.isFull)
        try scene.alice.step(at: scene.now) { _ in }
        #expect(!scene.alice.isFull)

        // Each text adds its message and its outbox entry. All texts write the same rows for the session, the
        // conversation and similar records.
        var count = 0
        while !scene.alice.isFull { count = try scene.writeOne(after: count, byteCount: 1, to: bob) }
        #expect((ChatLimits.batchWriteCount / 2 - 8...ChatLimits.batchWriteCount / 2).contains(count))
        try scene.alice.step(at: scene.now) { _ in }

        count = 0
        while !scene.alice.isFull { count = try scene.writeOne(after: count, byteCount: 13_000, to: bob) }
        // Each text is written to the history and to the outbox; the end of the batch adds the envelopes.
        #expect((35...45).contains(count))
    }
}

extension ScriptedWorld {
    /// Lets Alice write a text in a step that joins the open batch.
    @discardableResult
    fileprivate func write(_ text: String, to peer: ScriptedPeer) throws -> MessageID {
        try alice.join(at: now) { try $0.send(text, to: .direct(peer.id)).id }
    }

    fileprivate func writeOne(after count: Int, byteCount: Int, to peer: ScriptedPeer) throws -> Int {
        try write(String(repeating: "x", count: byteCount), to: peer)
        return count + 1
    }

    /// The messages that events reported, in order.
    fileprivate var messagesTold: [MessageID] {
        alice.events.compactMap { event in
            if case .message(let message) = event { message.id } else { nil }
        }
    }

    /// Returns the facts that Alice has in memory and in the store about her messages to a peer.
    fileprivate func facts(about peer: ScriptedPeer) throws -> [String] {
        let entries = engine.outbox.entries.values.map { "\($0)" }.sorted()
        let rows = try RecordTable.allCases.map { "\($0) \(try alice.store.count($0, conversation: nil))" }
        let history = try alice.history(with: peer.id, at: now).map { "\($0.id) \($0.status)" }
        let sessions = "\(engine.sessions.unansweredCount(to: peer.id)) of \(engine.sessions.sessionCount)"
        return entries + rows + history + [sessions]
    }
}
