import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore

@Suite("Receipts of groups that follow trails")
struct GroupWayTests {
    /// A group whose nodes have sessions with each other, and nothing left to confirm.
    private struct Scene {
        let world: EngineWorld
        let group: GroupID

        init(memberCount: Int) throws {
            let scene = try GroupScene((0..<memberCount).map { "Member \($0)" })
            world = scene.world
            for index in 0..<memberCount { try world.step(index) { $0.delivery = .fast } }
            group = try scene.create(with: Array(1..<memberCount))
            // The first receipts begin sessions, and so are posted.
            try scene.say("first", by: 0, in: group)
            world.run(for: 120_000)
            forget()
        }

        /// Forgets what was sent until now.
        func forget() {
            _ = world.takeSubmitted()
            world.pathEffects = []
        }

        func say(_ text: String) throws -> MessageID {
            var id: MessageID?
            try world.step(0) { [group] in id = try $0.send(text, to: .group(group)).id }
            return try #require(id)
        }

        /// Has the message reach all members, who lose their ways before they answer.
        func loseWays() throws {
            world.run(for: 100)
            for index in world.nodes.indices.dropFirst() { try world.step(index) { _ = $0.ways.takeAll() } }
        }

        func status(of id: MessageID) throws -> DeliveryStatus? {
            try world[0].read(at: world.now) { try $0.message(id)?.status }
        }

        var isAtRest: Bool { world.nodes.allSatisfy { $0.engine.outbox.entries.isEmpty } }
    }

    @Test("The receipts for a message to a small group follow its trail, and so do their releases back")
    func small() throws {
        let scene = try Scene(memberCount: 3)
        let id = try scene.say("all")
        scene.world.run(for: 3_000)
        #expect(try scene.status(of: id) == .delivered)
        #expect(scene.world.takeSubmitted().map(\.kind) == [.sealed])
        let kinds = scene.world.carried.map(\.kind)
        #expect(kinds.count { $0 == .sealed } == 2 && kinds.count { $0 == .release } == 2)
        #expect(scene.isAtRest)
    }

    @Test("In a large group each member gathers its receipts for five seconds, and one post releases all of them")
    func large() throws {
        let scene = try Scene(memberCount: 10)
        let ids = try ["one", "two"].map { try scene.say($0) }
        scene.world.run(for: 4_900)
        #expect(scene.world.carried == [])
        scene.world.run(for: 1_000)
        #expect(scene.world.carried.map(\.kind) == [EnvelopeKind](repeating: .sealed, count: 9))
        for id in ids { #expect(try scene.status(of: id) == .delivered) }
        #expect(scene.world.takeSubmitted().map(\.kind) == [.sealed, .sealed])
        #expect(!scene.isAtRest)
        scene.world.run(for: 5_000)
        #expect(scene.world.takeSubmitted().map(\.kind) == [.release])
        #expect(scene.world.carried.count == 9)
        #expect(scene.isAtRest)
        #expect(scene.world.nodes.allSatisfy { $0.engine.ways.underWay.isEmpty })
    }

    @Test("Receipts of a large group whose release does not come are posted after a minute, and count once")
    func swallowed() throws {
        let scene = try Scene(memberCount: 10)
        scene.world.swallowsCarried = true
        let id = try scene.say("all")
        scene.world.run(for: 60_000)
        #expect(scene.world.takeSubmitted().map(\.kind) == [.sealed])
        #expect(try scene.status(of: id) != .delivered)
        scene.world.run(for: 25_000)
        #expect(scene.world.takeSubmitted().count { $0.kind == .sealed } == 9)
        #expect(try scene.status(of: id) == .delivered)
        #expect(scene.isAtRest)
    }

    @Test("Receipts without a way wait for one, and leave with the next ones", arguments: [3, 10])
    func waiting(memberCount: Int) throws {
        let scene = try Scene(memberCount: memberCount)
        let first = try scene.say("one")
        try scene.loseWays()
        scene.world.run(for: 40_000)
        #expect(scene.world.takeSubmitted().map(\.kind) == [.sealed])
        #expect(scene.world.carried == [])
        let second = try scene.say("two")
        scene.world.run(for: 12_000)
        #expect(scene.world.carried.count { $0.kind == .sealed } == memberCount - 1)
        #expect(scene.world.takeSubmitted().count { $0.kind == .sealed } == 1)
        for id in [first, second] { #expect(try scene.status(of: id) == .delivered) }
        #expect(scene.isAtRest)
    }

    @Test("Receipts that find no way for a minute are posted", arguments: [3, 10])
    func posted(memberCount: Int) throws {
        let scene = try Scene(memberCount: memberCount)
        let id = try scene.say("one")
        try scene.loseWays()
        scene.world.run(for: 59_000)
        #expect(scene.world.takeSubmitted().map(\.kind) == [.sealed])
        scene.world.run(for: 18_000)
        #expect(scene.world.takeSubmitted().count { $0.kind == .sealed } == memberCount - 1)
        #expect(try scene.status(of: id) == .delivered)
    }

    @Test("A group is large from eight other members on", arguments: [8, 9])
    func boundary(memberCount: Int) throws {
        let scene = try Scene(memberCount: memberCount)
        _ = try scene.say("all")
        scene.world.run(for: 2_000)
        #expect(scene.world.carried.count { $0.kind == .sealed } == (memberCount == 8 ? 7 : 0))
    }

    @Test("An author who posts everything since the message releases its receipts by posts")
    func sincePrivate() throws {
        let scene = try Scene(memberCount: 10)
        _ = try scene.say("all")
        scene.world.run(for: 1_000)
        _ = scene.world.takeSubmitted()
        try scene.world.step(0) { $0.delivery = .private }
        scene.world.run(for: 6_000)
        #expect(scene.world.takeSubmitted().allSatisfy { $0.kind == .release })
        #expect(scene.isAtRest)
    }

    @Test("Only releases of members are gathered")
    func outsider() throws {
        let scene = try Scene(memberCount: 10)
        let id = try scene.say("all")
        var receipt = MessageContent.Receipt()
        receipt.delivered = [id]
        let proof = try #require(DeliveryProof(bytes: [UInt8](repeating: 1, count: 16)))
        let outsider = try #require(PeerID(bytes: [UInt8](repeating: 1, count: PeerID.byteCount)))
        let member = scene.world[1].id
        var isGathered: [Bool] = []
        try scene.world.step(0) { [receipt] engine in
            let content = MessageContent.receipt(receipt, salt: [UInt8](repeating: 0, count: 16), at: engine.step.time)
            let items = [ReceivedContent(content, mayControl: false)]
            isGathered = [outsider, member].map { engine.gatherRelease(proof, of: items, by: $0) }
        }
        #expect(isGathered == [false, true])
    }

    @Test("A member that stops posts the receipts that it has gathered")
    func stoppingMember() throws {
        let scene = try Scene(memberCount: 10)
        _ = try scene.say("all")
        scene.world.run(for: 1_000)
        _ = scene.world.takeSubmitted()
        try scene.world.step(1) { $0.stopCarrying() }
        #expect(scene.world.takeSubmitted().map(\.kind) == [.sealed])
    }

    @Test("A node that stops posts the releases that it has gathered")
    func stopping() throws {
        let scene = try Scene(memberCount: 10)
        _ = try scene.say("all")
        scene.world.run(for: 6_000)
        _ = scene.world.takeSubmitted()
        try scene.world.step(0) { $0.stopCarrying() }
        #expect(scene.world.takeSubmitted().map(\.kind) == [.release])
        scene.world.run(for: 1_000)
        #expect(scene.isAtRest)
    }

    @Test("An author who posts everything asks for no receipts along trails")
    func privateAuthor() throws {
        let scene = try Scene(memberCount: 3)
        try scene.world.step(0) { $0.delivery = .private }
        let id = try scene.say("all")
        scene.world.run(for: 3_000)
        #expect(scene.world.takeSubmitted().count { $0.kind == .sealed } == 3)
        #expect(scene.world.carried == [])
        #expect(try scene.status(of: id) == .delivered)
    }

    @Test("Releases of one group are gathered once each, up to 64, and apart from those of others")
    func gathering() throws {
        func proof(_ number: Int) throws -> DeliveryProof {
            try #require(DeliveryProof(bytes: [UInt8](repeating: UInt8(number), count: 16)))
        }
        let groups = try [1, 2].map { try #require(GroupID(bytes: [UInt8](repeating: $0, count: 16))) }
        var releases = GatheredReleases()
        let start = MeshInstant.zero
        for number in [0, 0, 1] { releases.insert(try proof(number), of: groups[0], at: start) }
        releases.insert(try proof(3), of: groups[1], at: start.advanced(by: .seconds(1)))
        #expect(releases.nextDeadline == start.advanced(by: .seconds(5)))
        #expect(releases.take(until: start.advanced(by: .seconds(5))) == [[try proof(0), try proof(1)]])
        #expect(releases.nextDeadline == start.advanced(by: .seconds(6)))
        for number in 100..<163 { releases.insert(try proof(number), of: groups[0], at: start) }
        #expect(releases.take(until: start) == [])
        releases.insert(try proof(163), of: groups[0], at: start)
        #expect(releases.take(until: start).map(\.count) == [64])
        #expect(releases.take(until: .distantFuture) == [[try proof(3)]])
        #expect(releases.nextDeadline == .distantFuture)
    }
}
