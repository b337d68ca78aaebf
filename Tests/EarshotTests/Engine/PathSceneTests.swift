import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Paths and pings")
struct PathSceneTests {
    /// Makes a world in which Alice and Bob have talked.
    private static func friends(_ names: [String] = ["Alice", "Bob"]) throws -> EngineWorld {
        let world = try EngineWorld(names)
        try world.send("hello", to: world[1].id)
        world.run(for: 1_000)
        try world.send("hello yourself", from: 1, to: world[0].id)
        world.run(for: 1_000)
        return world
    }

    @Test("A friend answers, and the answer tells how far away it is")
    func friend() throws {
        let world = try Self.friends()
        let answer = try world.ping(world[1].id)
        #expect(answer == PingAnswer(hops: 2, roundTrip: .milliseconds(2)))
        for (node, other) in [(0, 1), (1, 0)] {
            let contact = try world[node].read(at: world.now) { engine in
                try engine.contact(named: world[other].id.description, at: world.now)
            }
            #expect(contact.hops == 2)
            #expect(contact.roundTrip == (node == 0 ? .milliseconds(2) : nil))
        }
        #expect(world[0].engine.paths.distances[world[1].id]?.node == NodeID(1))
    }

    @Test("One hello is enough for many pings, and for those of the other side")
    func reuse() throws {
        let world = try Self.friends()
        for _ in 0..<5 { #expect(try world.ping(world[1].id) != nil) }
        #expect(try world.ping(world[0].id, from: 1) != nil)
        #expect(world.helloCount == 1)
        // The payloads are the answer, six requests and six replies. All look alike from outside.
        #expect(world.payloads.map(\.payload.count) == [Int](repeating: 280, count: 13))
    }

    @Test("After a minute of silence another hello is said")
    func silence() throws {
        let world = try Self.friends()
        #expect(try world.ping(world[1].id) != nil)
        world.run(for: 51_000)
        #expect(try world.ping(world[1].id) != nil)
        #expect(world.helloCount == 2)
    }

    @Test("Who is blocked gets no answer, neither to a hello nor on a path that is open", arguments: [false, true])
    func blocked(isPathOpen: Bool) throws {
        let world = try Self.friends()
        if isPathOpen { #expect(try world.ping(world[1].id) != nil) }
        try world.step(1) { try $0.decide(.block, about: world[0].id) }
        world.pathEffects = []
        #expect(try world.ping(world[1].id) == nil)
        #expect(world.payloads.count == (isPathOpen ? 1 : 0))
        let error = #expect(throws: ChatError.self) { try world.ping(world[0].id, from: 1) }
        #expect(error?.code == .refusedByTrust)
    }

    @Test("Whom one has not talked to cannot be pinged, whether it wrote or not")
    func unknownPeers() throws {
        let world = try EngineWorld()
        try world.send("hello", to: world[1].id)
        world.run(for: 1_000)
        for (node, other) in [(0, 1), (1, 0)] {
            let error = #expect(throws: ChatError.self) { try world.ping(world[other].id, from: node) }
            #expect(error?.code == .noSession)
        }
        let unknown = try #require(PeerID(hex: String(repeating: "ab", count: 32)))
        #expect(throws: ChatError(.notFound, "No contact has this id.")) { try world.ping(unknown) }
        #expect(world.payloads == [])
        #expect(world[0].engine.paths.distances == [:])
    }

    @Test("A hello that comes twice is answered once, and says nothing to others")
    func replay() throws {
        let world = try Self.friends(["Alice", "Bob", "Eve"])
        #expect(try world.ping(world[1].id) != nil)
        let hellos = world.pathEffects.compactMap { effect -> Envelope? in
            guard case .openPath(let hello) = effect else { return nil }
            return Envelope(kind: .probe, life: 2, body: hello)
        }
        let count = world.payloads.count
        for index in 0...2 {
            for hello in hellos { try world.step(index) { try $0.handle(.deliver(hello)) } }
        }
        #expect(world.payloads.count == count)
        #expect(world.payloads.allSatisfy { world.labels[$0.to] != 2 })
    }

    @Test("Answers and payloads that somebody else made, changed or repeated change nothing")
    func forgery() throws {
        let world = try Self.friends()
        world.deaf = [0]
        try world.step(0) { try $0.ping(world[1].id, number: 7) }
        world.run(for: 100)
        let answer = try #require(world.payloads.first)
        var renamed = answer
        renamed.from = PathLabel(1)
        var damaged = answer
        damaged.payload[20] ^= 1
        for forged in [renamed, damaged] {
            try world.step(0) { try $0.handle(.pathMessage(forged)) }
            #expect(world.payloads == [answer])
        }
        world.deaf = []
        try world.step(0) { try $0.handle(.pathMessage(answer)) }
        world.run(for: 100)
        #expect(world[0].endedPings[7] ?? nil != nil)
        // The request arrives once more. Bob does not answer it again.
        let count = world.payloads.count
        try world.step(1) { try $0.handle(.pathMessage(world.payloads[1])) }
        #expect(world.payloads.count == count)
    }

    @Test("A path that is lost is looked for again, and the ping on it goes once more")
    func loss() throws {
        let world = try Self.friends()
        #expect(try world.ping(world[1].id) != nil)
        world.run(for: 2_000)
        // Bob restarts and knows nothing of the path.
        world.labels = [:]
        try world.restart(1)
        world.run(for: 100)
        #expect(try world.ping(world[1].id) == PingAnswer(hops: 2, roundTrip: .milliseconds(2)))
        #expect(world.helloCount == 2)
    }

    @Test("Hellos to somebody away come every two seconds, and no ping waits longer than five")
    func away() throws {
        let world = try Self.friends()
        world.deaf = [1]
        #expect(try world.ping(world[1].id) == nil)
        #expect(world.helloCount == 3)
    }

    @Test("A friend who was pinged and written to a thousand times while away still reads everything")
    func longAway() throws {
        let world = try Self.friends()
        world.deaf = [1]
        var refusal: ChatError?
        while refusal == nil {
            do {
                _ = try world.ping(world[1].id)
            } catch {
                refusal = error as? ChatError
            }
        }
        #expect(refusal?.code == .limited)
        // The receipt for Bob's message went before them.
        #expect(world.helloCount == 199)
        for number in 0..<800 { try world.send("\(number)", to: world[1].id) }
        world.deaf = []
        try world.restart(1)
        world.run(for: 60_000)
        let texts = try world[1].textsReceived(from: world[0].id, at: world.now)
        #expect(texts == ["hello"] + (0..<800).map(String.init))
        #expect(try world.ping(world[1].id) != nil)
    }

    @Test("A live ping is asked and answered live, once its way is found")
    func live() throws {
        let world = try Self.friends()
        #expect(try world.ping(world[1].id, isLive: true) == PingAnswer(hops: 2, roundTrip: .milliseconds(2)))
        #expect(world.payloads.map(\.isLive) == [false, true, true])
        #expect(world.payloads.allSatisfy { $0.payload.count <= PathMessage.maximumLivePayloadByteCount })
    }

    @Test("A live ping that is lost ends after a second, is not sent again, and its path stays")
    func liveLoss() throws {
        let world = try Self.friends()
        #expect(try world.ping(world[1].id) != nil)
        world.deaf = [1]
        try world.step(0) { try $0.ping(world[1].id, number: 7, isLive: true) }
        let count = world.payloads.count
        world.run(for: 900)
        #expect(world[0].endedPings[7] == nil)
        world.run(for: 200)
        #expect(world[0].endedPings[7] == .some(nil))
        #expect(world.payloads.count == count)
        world.deaf = []
        #expect(try world.ping(world[1].id, isLive: true) != nil)
        #expect(world.helloCount == 1)
    }

    @Test("A live ping on a path that is lost is lost with it")
    func livePathLoss() throws {
        let world = try Self.friends()
        #expect(try world.ping(world[1].id) != nil)
        world.run(for: 2_000)
        world.labels = [:]
        #expect(try world.ping(world[1].id, isLive: true) == nil)
        #expect(world.helloCount == 1)
    }

    @Test("Who is on the same segment is linked to, and the old path is only listened to from then on")
    func promotion() throws {
        let world = try Self.friends()
        #expect(try world.ping(world[1].id) != nil)
        let dialled = world.pathEffects.contains { effect in
            if case .linkDirectly(NodeID(1)) = effect { true } else { false }
        }
        #expect(dialled)
        world.run(for: 2_000)
        let address = try #require(IPAddress(bytes: [127, 0, 0, 1]))
        let endpoint = Endpoint(interface: InterfaceID(index: 1, family: .v4), address: address, port: 1)
        try world.step(0) { try $0.handle(.linkUp(LinkID(1), node: NodeID(1), at: endpoint)) }
        #expect(try world.ping(world[1].id) != nil)
        #expect(world.helloCount == 2)
    }

    @Test("A hello that the mesh does not take is said again")
    func refused() throws {
        let world = try Self.friends()
        world.deaf = [1]
        try world.step(0) { try $0.ping(world[1].id, number: 1) }
        guard case .openPath(let hello)? = world.pathEffects.last else {
            Issue.record("no hello")
            return
        }
        let label = Envelope(kind: .probe, life: 2, body: hello).trail
        try world.step(0) { try $0.handle(.pathRefused(label)) }
        world.deaf = []
        world.run(for: 3_000)
        #expect(world[0].endedPings[1] ?? nil != nil)
        #expect(world.helloCount == 2)
    }

    @Test("256 pings are under way at most")
    func pingLimit() throws {
        let world = try Self.friends()
        world.deaf = [1]
        for number in 0..<256 { try world.step(0) { try $0.ping(world[1].id, number: UInt64(number)) } }
        let error = #expect(throws: ChatError.self) {
            try world.step(0) { try $0.ping(world[1].id, number: 256) }
        }
        #expect(error?.code == .limited)
        world.run(for: 6_000)
        #expect(world[0].endedPings.count == 256)
    }
}
