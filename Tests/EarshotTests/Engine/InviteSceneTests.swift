import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("First messages to people in another mesh")
struct InviteSceneTests {
    /// Alice and Bob, who never met, each with a gateway.
    private static func apart(errors: [Int64] = []) throws -> EngineWorld {
        let world = try EngineWorld(errors: errors, islands: [0, 1])
        world.run(minutes: 1)
        return world
    }

    /// Has a node make an invite and returns its link.
    private static func link(of node: Int = 0, in world: EngineWorld) throws -> IdentityCode {
        let token = try Self.act(node, in: world) { try $0.makeInvite() }
        return IdentityCode(of: world[node].id, token, hubs: [])
    }

    /// Lets some seconds pass in which gateways fetch all mail that lies at the hub, as they do for new mailboxes.
    private static func fetch(in world: EngineWorld) throws {
        for _ in 0..<3 {
            world.run(for: 2_000)
            guard world.isHubUp else { continue }
            for mail in world.submitted where [.far, .farChunk].contains(mail.kind) {
                for node in world.nodes.indices { try world.receive(mail, at: node) }
            }
        }
    }

    /// Has the user of a node do something.
    private static func act<Value>(
        _ node: Int,
        in world: EngineWorld,
        _ body: (inout ChatEngine) throws -> Value
    ) throws -> Value {
        var value: Value?
        try world.step(node) { value = try body(&$0) }
        return try #require(value)
    }

    private static func texts(of node: Int, in world: EngineWorld) throws -> [String] {
        try world[node].history(with: world[1 - node].id, at: world.now).map(\.text)
    }

    @Test("By a link both write to each other at once, and each knows the other's name", arguments: [0, 23, -23])
    func firstMessage(hours: Int64) throws {
        let world = try Self.apart(errors: [0, hours * 3_600_000])
        let link = try Self.link(in: world)
        world.run(for: 3_000)
        try Self.act(1, in: world) { try $0.follow(link) }
        for number in 0..<3 { try world.send("\(number)", from: 1, to: world[0].id) }
        try Self.fetch(in: world)
        #expect(try Self.texts(of: 0, in: world) == ["0", "1", "2"])
        #expect(world[0].engine.name(of: world[1].id) == world[1].engine.nickname)
        #expect(world[1].engine.name(of: world[0].id) == world[0].engine.nickname)
        try world.send("back", to: world[1].id)
        try Self.fetch(in: world)
        #expect(try Self.texts(of: 1, in: world).last == "back")
        #expect(world.nodes.allSatisfy { $0.engine.outbox.entries.isEmpty })
        // The link has served.
        #expect(world[1].engine.invites.all.isEmpty && world[0].engine.invites.ownCount == 1)
    }

    @Test("The file of a first message comes once the owner of the link accepts its sender")
    func firstFile() async throws {
        let world = try Self.apart()
        let link = try Self.link(in: world)
        world.run(for: 3_000)
        try Self.act(1, in: world) { try $0.follow(link) }
        let file = FileScene.bytes(40_000)
        try world.send("first", from: 1, to: world[0].id)
        try Self.fetch(in: world)
        let message = try await world.send("look", files: [file], from: 1, to: world[0].id)
        try Self.fetch(in: world)
        #expect(try Self.texts(of: 0, in: world) == ["first", "look"])
        #expect(try world[0].hasAllFiles(of: world[1].id, at: world.now).last == false)
        try Self.act(0, in: world) { try $0.decide(.accept, about: world[1].id) }
        // The mesh delivers again what it stores.
        world.run(for: 5_000)
        #expect(try await world.content(of: message, at: 0) == file)
    }

    @Test("The owner of a link whom its holder meets before an answer is a contact, and answers to them")
    func meeting() throws {
        let world = try Self.apart()
        let link = try Self.link(in: world)
        world.isHubUp = false
        try Self.act(1, in: world) { try $0.follow(link) }
        try world.send("one", from: 1, to: world[0].id)
        world.islands = []
        try world.restart(0)
        world.run(minutes: 1)
        #expect(try Self.texts(of: 0, in: world) == ["one"])
        #expect(world[1].engine.isAccepted(world[0].id))
    }

    @Test("What is written before the keys come waits, over a restart too, and leaves by itself")
    func keysComeLate() throws {
        let world = try Self.apart()
        world.isHubUp = false
        let link = try Self.link(in: world)
        try Self.act(1, in: world) { try $0.follow(link) }
        try world.send("early", from: 1, to: world[0].id)
        world.run(minutes: 10)
        try world.restart(1)
        try world.restart(0)
        #expect(world[1].engine.invites.isFollowed(world[0].id))
        world.isHubUp = true
        world.run(minutes: 2)
        try Self.fetch(in: world)
        #expect(try Self.texts(of: 0, in: world) == ["early"])
    }

    @Test("A link without a token, of another identity or of a token that has ended, gives nothing to write to")
    func refusals() throws {
        let world = try Self.apart()
        let (alice, bob) = (world[0].id, world[1].id)
        try Self.act(1, in: world) { try $0.follow(IdentityCode(of: alice)) }
        #expect(throws: ChatError.self) { try world.send("one", from: 1, to: alice) }
        let token = try #require(Self.link(in: world).token)
        #expect(throws: ChatError.self) {
            try Self.act(1, in: world) { try $0.follow(IdentityCode(of: bob, token, hubs: [])) }
        }
        let old = try #require(MailboxToken(bytes: token.bytes, day: token.day - Mailboxes.tokenDays))
        let early = try #require(MailboxToken(bytes: token.bytes, day: token.day + 3))
        for wrong in [old, early] {
            #expect(throws: ChatError.self) {
                try Self.act(1, in: world) { try $0.follow(IdentityCode(of: alice, wrong, hubs: [])) }
            }
        }
        // The token of one identity with the id of another: nobody's keys count.
        let other = Identity().publicIdentity.id
        try Self.act(1, in: world) { try $0.follow(IdentityCode(of: other, token, hubs: [])) }
        try world.send("one", from: 1, to: other)
        try Self.fetch(in: world)
        #expect(world[1].engine.trust[alice] == nil && world[1].engine.trust[other] == nil)
    }

    @Test("Keys of somebody else in the mailbox of a link, sealed by one who has it, count for nothing")
    func foreignKeys() throws {
        let world = try Self.apart()
        world.isHubUp = false
        let link = try Self.link(in: world)
        try Self.act(1, in: world) { try $0.follow(link) }
        try world.send("for Alice", from: 1, to: world[0].id)
        let token = SecretBytes(copying: try #require(link.token).bytes)
        let day = Mailboxes.day(at: world.now.seconds)
        let sealing = try #require(Mailboxes(token: token, of: link.id, isOwner: true, from: day))
        let mallory = try EngineWorld()[1].engine.sessions.bundle
        let mailbox = try #require(sealing.outgoing.mailbox(of: day))
        for bundle in [mallory, world[0].engine.sessions.bundle] {
            let mail = mailbox.seal(try #require(MailboxMessage(bundle: bundle)))
            try world.receive(Submission(.far, mail, 100), at: 1)
            #expect(world[1].engine.trust[mallory.identity.id] == nil)
        }
        // The same way with the right keys.
        #expect(world[1].engine.isAccepted(link.id))
    }

    @Test("The owner ends all links, and reads what comes by them no more")
    func ended() throws {
        let world = try Self.apart()
        let link = try Self.link(in: world)
        world.run(for: 3_000)
        try Self.act(1, in: world) { try $0.follow(link) }
        try Self.fetch(in: world)
        let count = try Self.act(0, in: world) { $0.endInvites() }
        #expect(count == 1)
        try world.send("late", from: 1, to: world[0].id)
        try Self.fetch(in: world)
        #expect(world[1].engine.trust[world[0].id] != nil)
        #expect(try Self.texts(of: 0, in: world) == [])
    }

    @Test("A node has 16 invites and follows 64; a link that is followed twice counts once")
    func limits() throws {
        let world = try Self.apart()
        for _ in 0..<16 { _ = try Self.link(in: world) }
        #expect(throws: ChatError.self) { _ = try Self.link(in: world) }
        for number in 0..<64 {
            let token = try #require(MailboxToken(bytes: [UInt8](repeating: UInt8(number), count: 16), day: 20_000))
            let invite = try #require(MailboxInvite(token, of: Identity().publicIdentity.id, isOwn: false))
            for isNew in [true, false] {
                let isAdded = try Self.act(1, in: world) { try $0.invites.add(invite) }
                #expect(isAdded == isNew)
            }
        }
        let token = try #require(Self.link(of: 1, in: world).token)
        let link = IdentityCode(of: Identity().publicIdentity.id, token, hubs: [])
        #expect(throws: ChatError.self) { try Self.act(1, in: world) { try $0.follow(link) } }
    }

    @Test("Each day the keys lie in a new mailbox, once; after 90 days in none")
    func daily() throws {
        let world = try Self.apart()
        let link = try Self.link(in: world)
        let token = SecretBytes(copying: try #require(link.token).bytes)
        let first = Mailboxes.day(at: world.now.seconds)
        let reading = try #require(Mailboxes(token: token, of: link.id, isOwner: false, from: first)).incoming
        func bundles() -> [MailboxTag] {
            let mail = world.takeSubmitted().filter { $0.kind == .far }
            let days = (first...first + 100).compactMap { reading.mailbox(of: $0) }
            return days.filter { key in mail.contains { key.open($0.body)?.bundle != nil } }.map(\.tag)
        }
        world.run(minutes: 40)
        #expect(bundles().count == 1)
        try world.restart(0)
        var tags: Set<MailboxTag> = []
        for _ in 0..<5 {
            world.passUnseen(86_400_000)
            world.run(minutes: 40)
            tags.formUnion(bundles())
        }
        #expect(tags.count == 5)
        world.passUnseen(95 * 86_400_000)
        world.run(minutes: 40)
        #expect(bundles().isEmpty)
        #expect(world[0].engine.invites.all.isEmpty)
    }
}
