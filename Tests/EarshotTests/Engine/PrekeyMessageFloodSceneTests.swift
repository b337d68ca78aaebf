import Bytes
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

    /// Seals 50 first messages of each of some new peers.
    private static func firstMessages(
        in scene: ScriptedWorld,
        ofPeers count: Int
    ) throws -> (peers: [ScriptedPeer], messages: [Submission]) {
        var peers: [ScriptedPeer] = []
        var messages: [Submission] = []
        for number in 0..<count {
            var peer = try ScriptedPeer("S\(number)", at: scene.now)
            for order in 1...UInt64(50) {
                let content = ContentBytes.text("\(order)", order: order)
                messages.append(try peer.seal(content, to: scene.engine, at: scene.now))
                peer.loseSessions(with: scene.alice.id)
            }
            peers.append(peer)
        }
        return (peers, messages)
    }

    /// Lets the pause pass, and delivers what the mesh stores if the node asks for it; returns whether it did.
    private static func recall(_ stored: [Submission], in scene: ScriptedWorld) throws -> Bool {
        scene.alice.recallsPrekeyMessages = false
        scene.world.run(for: UInt64(ChatLimits.decapsulationPause / .milliseconds(1)))
        guard scene.alice.recallsPrekeyMessages else { return false }
        _ = try scene.world.receive(stored)
        return true
    }

    @Test("Of more first messages at once than the rate allows, the rest opens after a pause")
    func postponed() throws {
        let scene = try ScriptedWorld()
        let (peers, messages) = try Self.firstMessages(in: scene, ofPeers: 5)
        func count() throws -> Int { try peers.reduce(0) { try $0 + scene.texts(with: $1).count } }
        _ = try scene.world.receive(messages)
        #expect(try count() == ChatLimits.decapsulationBurst)
        #expect(try Self.recall(messages, in: scene))
        #expect(try count() == messages.count)
        #expect(try !Self.recall(messages, in: scene))
    }

    @Test("Each forged first message is tried once, however long the mesh stores it, and keeps nobody waiting again")
    func forgeries() throws {
        let scene = try ScriptedWorld()
        let forged = try Self.firstMessages(in: scene, ofPeers: 9).messages.map { message in
            var body = message.body
            // A byte of the sender's key, which stands behind the ciphertext.
            body[16 + 32 + 20 + 1_104] ^= 1
            return Submission(message.kind, body, message.life)
        }
        var dora = try scene.peer("Dora")
        let genuine = try dora.seal(ContentBytes.text("hello", order: 1), to: scene.engine, at: scene.now)
        let stored = forged + [genuine]
        _ = try scene.world.receive(stored)
        #expect(try scene.texts(with: dora) == [])
        var rounds = 0
        while rounds < 5, try Self.recall(stored, in: scene) { rounds += 1 }
        #expect(rounds == 2)
        #expect(try scene.texts(with: dora) == ["hello"])
        #expect(scene.engine.prekeyMessages.nextDeadline == .distantFuture)
    }

    @Test("A first message that a full request left unopened opens once the user accepts its sender")
    func setAside() throws {
        let scene = try ScriptedWorld()
        var eve = try scene.peer("Eve")
        for order in 1...UInt64(ChatLimits.requestMessageCount) {
            try scene.bring(ContentBytes.text("\(order)", order: order), from: &eve)
            scene.world.passUnseen(Self.pause)
        }
        let last = UInt64(ChatLimits.requestMessageCount + 1)
        let stored = [try eve.seal(ContentBytes.text("the last", order: last), to: scene.engine, at: scene.now)]
        _ = try scene.world.receive(stored)
        #expect(try scene.texts(with: eve).last == "\(last - 1)")
        try scene.decide(.accept, about: eve)
        #expect(scene.alice.recallsPrekeyMessages)
        _ = try scene.world.receive(stored)
        #expect(try scene.texts(with: eve).last == "the last")
    }

    @Test("The messages that are set aside are bounded; the first of them gives way")
    func asideLimit() throws {
        var gate = PrekeyMessageGate()
        let ids = try (0...UInt64(ChatLimits.asidePrekeyMessageCount)).map { number in
            try #require(EnvelopeID(bytes: [UInt8](repeating: 1, count: 8) + number.bigEndianBytes))
        }
        for id in ids {
            gate.note(id, at: .zero)
            gate.setAside(id)
        }
        let isAny = (0..<2).map { _ in gate.readmit() }
        #expect(isAny == [true, false] && gate.hasTried(ids[0]))
        #expect(ids.dropFirst().allSatisfy { !gate.hasTried($0) })
    }

    @Test("The memory of tried messages is bounded, and holds as many as the mesh stores")
    func memory() throws {
        var gate = PrekeyMessageGate()
        func id(_ number: Int) throws -> EnvelopeID {
            let bytes = UInt64(bitPattern: Int64(number)).bigEndianBytes
            return try #require(EnvelopeID(bytes: [UInt8](repeating: 0, count: 8) + bytes))
        }
        let limit = ChatLimits.triedPrekeyMessageCount
        for number in 0..<(3 * limit) { gate.note(try id(number), at: .zero) }
        let known = try (0..<(3 * limit)).filter { gate.hasTried(try id($0)) }
        #expect(known.count == 2 * limit && known.first == limit)
        gate.setAside(try id(limit))
        let isAny = gate.readmit()
        #expect(try isAny && !gate.hasTried(id(limit)))
        let hour = MeshInstant.zero.advanced(by: ChatLimits.triedPrekeyMessageLife)
        gate.note(try id(-1), at: hour)
        gate.note(try id(-2), at: hour.advanced(by: ChatLimits.triedPrekeyMessageLife))
        #expect(try !gate.hasTried(id(3 * limit - 1)) && gate.hasTried(id(-1)) && gate.hasTried(id(-2)))
        #expect(limit == StoreLimits().envelopeCount)
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
