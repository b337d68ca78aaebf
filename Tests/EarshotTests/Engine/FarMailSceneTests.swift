import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Mail to contacts in another mesh")
struct FarMailSceneTests {
    /// Alice and Bob, who have met, and whose meshes part then for some minutes.
    private static func apart(errors: [Int64] = []) throws -> EngineWorld {
        let world = try EngineWorld(errors: errors)
        try world.send("hello", to: world[1].id)
        world.run(for: 3_000)
        try world.send("hello", from: 1, to: world[0].id)
        world.run(for: 3_000)
        world.islands = [0, 1]
        world.run(minutes: 3)
        _ = world.takeSubmitted()
        return world
    }

    private static func texts(of node: Int, in world: EngineWorld) throws -> [String] {
        try world[node].history(with: world[1 - node].id, at: world.now).map(\.text)
    }

    private static func status(_ id: MessageID?, of node: Int = 0, in world: EngineWorld) throws -> DeliveryStatus? {
        let id = try #require(id)
        return try world[node].read(at: world.now) { try $0.message(id)?.status }
    }

    @Test("A message crosses by the mailbox, is shown once, and its receipt comes back", arguments: [0, 23, -23])
    func crosses(hours: Int64) throws {
        let world = try Self.apart(errors: [0, hours * 3_600_000])
        var ids: [MessageID?] = []
        for number in 0..<40 {
            ids.append(try world.send("\(number)", from: number % 2, to: world[1 - number % 2].id))
            world.run(for: 500)
        }
        world.run(for: 2_000)
        for (number, id) in ids.enumerated() {
            #expect(try Self.status(id, of: number % 2, in: world) == .delivered, "\(number)")
        }
        for node in 0...1 {
            #expect(try Self.texts(of: node, in: world).filter { $0 != "hello" } == (0..<40).map(String.init))
            #expect(world[node].engine.outbox.entries.isEmpty)
        }
    }

    @Test("The author releases a far message in their own mesh once its receipt has come")
    func released() throws {
        let world = try Self.apart()
        try world.send("one", to: world[1].id)
        world.run(for: 2_000)
        let submitted = world.takeSubmitted()
        let far = try #require(submitted.first { $0.kind == .far })
        let post = try #require(submitted.first { $0.kind == .sealed })
        for (node, knowsPost) in zip(world.nodes, [true, false]) {
            let proofs = node.submittedBodies.flatMap { DeliveryProof.all(in: $0) }
            #expect(proofs.contains { $0.hash == Array(far.body[16..<32]) })
            // In the mesh of the recipient nothing is released that was never there.
            #expect(proofs.contains { $0.hash == Array(post.body.prefix(16)) } == knowsPost)
            // Nothing shows that the two belong together.
            let hashes = Set([Array(far.body[16..<32]), Array(post.body.prefix(16))])
            let releases = node.submittedBodies.map { Set(DeliveryProof.all(in: $0).map(\.hash)) }
            #expect(!releases.contains { hashes.isSubset(of: $0) })
        }
    }

    @Test("The details of a message name the hubs that have acknowledged it, until its receipt comes")
    func copies() throws {
        let world = try Self.apart()
        world.isHubUp = false
        let id = try #require(try world.send("one", to: world[1].id))
        world.run(minutes: 3)
        let mail = world.takeSubmitted().filter { $0.kind == .far }
        #expect(mail.count == 1)
        let name = Array(try #require(mail.first).body[16..<32])
        #expect(try Self.copies(of: id, in: world).isEmpty)
        let time = Timestamp(clamping: world.now.wall)
        try world.step(0) { $0.noteStored(name, at: "hub.example.org") }
        try world.step(0) { $0.noteStored([UInt8](repeating: 9, count: 16), at: "other.example.org") }
        #expect(try Self.copies(of: id, in: world) == [HubCopy(hub: "hub.example.org", time: time)])
        world.run(minutes: 1)
        for hub in ["hub.example.org", "b.example.org", "c.example.org", "d.example.org", "e.example.org"] {
            try world.step(0) { $0.noteStored(name, at: hub) }
        }
        let copies = try Self.copies(of: id, in: world)
        #expect(copies.map(\.hub) == ["b", "c", "d", "e"].map { "\($0).example.org" })
        world.isHubUp = true
        world.run(minutes: 24 * 60)
        #expect(try Self.status(id, in: world) == .delivered)
        #expect(try Self.copies(of: id, in: world).isEmpty)
    }

    private static func copies(of id: MessageID, in world: EngineWorld) throws -> [HubCopy] {
        let deliveries = try world[0].read(at: world.now) { try $0.deliveries(of: id) }
        #expect(deliveries?.map(\.recipient) == [world[1].id])
        return deliveries?.first?.copies ?? []
    }

    @Test("Mail of one day has no bytes of the same mail on another, nor of the post; the author releases all of it")
    func days() async throws {
        let world = try Self.apart()
        world.isHubUp = false
        let file = FileScene.bytes(20_000)
        let message = try await world.send("unconfirmed", files: [file], to: world[1].id)
        world.run(minutes: 5)
        var days = [world.takeSubmitted()]
        for _ in 0..<2 {
            world.run(minutes: 24 * 60)
            days.append(world.takeSubmitted())
        }
        let posts = days[0].filter { [.sealed, .chunk].contains($0.kind) }
        let mail = days.map { $0.filter { [.far, .farChunk].contains($0.kind) } }
        #expect(mail.allSatisfy { $0.count == 3 })
        let runs = ([posts] + mail).map { group in
            Set(group.flatMap { item in (0...item.body.count - 6).map { Array(item.body[$0..<$0 + 6]) } })
        }
        for (place, one) in runs.enumerated() {
            for other in runs.dropFirst(place + 1) { #expect(one.isDisjoint(with: other)) }
        }
        world.isHubUp = true
        world.run(minutes: 24 * 60)
        #expect(try await world.content(of: message, at: 1) == file)
        let proofs = world[0].submittedBodies.flatMap { DeliveryProof.all(in: $0) }
        for far in mail.flatMap(\.self) where far.kind == .far {
            #expect(proofs.contains { $0.hash == Array(far.body[16..<32]) })
        }
    }

    @Test("Without a gateway nothing is written for mailboxes and nothing is asked for")
    func withoutGateway() throws {
        let world = try EngineWorld()
        try world.send("hello", to: world[1].id)
        world.run(for: 3_000)
        world.islands = [0, 1]
        world.run(minutes: 30, withGateways: false)
        try world.send("one", to: world[1].id)
        world.run(minutes: 30, withGateways: false)
        #expect(world.takeSubmitted().allSatisfy { $0.kind != .far && $0.kind != .watch })
        world.run(minutes: 1)
        #expect(world.takeSubmitted().contains { $0.kind == .watch })
        #expect(try Self.texts(of: 1, in: world).last == "one")
        // A gateway that is gone for long takes nothing more.
        world.run(minutes: 20, withGateways: false)
        _ = world.takeSubmitted()
        try world.send("two", to: world[1].id)
        world.run(minutes: 30, withGateways: false)
        #expect(world.takeSubmitted().allSatisfy { $0.kind != .far && $0.kind != .watch })
    }

    @Test("Mail for a contact who was heard here in the last two minutes is not written for their mailbox")
    func near() throws {
        let world = try EngineWorld()
        world.run(minutes: 6)
        for number in 0..<10 {
            try world.send("\(number)", from: number % 2, to: world[1 - number % 2].id)
            world.run(for: 30_000)
        }
        _ = world.takeSubmitted()
        try world.send("last", to: world[1].id)
        world.islands = [0, 1]
        world.run(for: 40_000)
        try world.send("unheard", to: world[1].id)
        world.run(for: 40_000)
        #expect(world.takeSubmitted().allSatisfy { $0.kind != .far })
        world.run(for: 40_000)
        #expect(world.takeSubmitted().contains { $0.kind == .far })
        #expect(try Self.texts(of: 1, in: world).last == "unheard")
    }

    @Test("Contacts who meet again confirm what came by the mailbox already, and show nothing twice")
    func meetsAgain() throws {
        let world = try Self.apart()
        world.isHubUp = false
        let lost = try world.send("lost", from: 1, to: world[0].id)
        world.run(for: 5_000)
        world.isHubUp = true
        let id = try world.send("one", to: world[1].id)
        world.run(for: 5_000)
        #expect(try Self.status(id, in: world) == .delivered)
        #expect(try Self.status(lost, of: 1, in: world) != .delivered)
        world.islands = []
        try world.restart(0)
        try world.restart(1)
        world.run(minutes: 3)
        #expect(try Self.status(lost, of: 1, in: world) == .delivered)
        #expect(try Self.texts(of: 1, in: world) == ["hello", "hello", "lost", "one"])
        #expect(world.nodes.allSatisfy { $0.engine.outbox.entries.isEmpty })
    }

    @Test("Who was off for seven days finds all mail")
    func absent() throws {
        let world = try Self.apart()
        world.isHubUp = false
        for day in 0..<7 {
            try world.send("\(day)", to: world[1].id)
            world.run(minutes: 6)
            world.passUnseen(86_000_000)
        }
        let mail = world.takeSubmitted().filter { $0.kind == .far }
        #expect(mail.count >= 7)
        world.isHubUp = true
        try world.restart(1)
        world.run(minutes: 6)
        for submission in mail { try world.receive(submission, at: 1) }
        world.run(minutes: 1)
        #expect(try Self.texts(of: 1, in: world).suffix(7) == (0..<7).map(String.init))
    }

    @Test("Mail that a hub has lost is written again on the next day, and is confirmed")
    func lostMail() throws {
        let world = try Self.apart()
        world.isHubUp = false
        let id = try world.send("lost", to: world[1].id)
        world.run(for: 5_000)
        #expect(try Self.status(id, in: world) != .delivered)
        world.isHubUp = true
        world.run(minutes: 30)
        #expect(try Self.status(id, in: world) != .delivered)
        world.passUnseen(86_400_000)
        world.run(minutes: 20)
        #expect(try Self.status(id, in: world) == .delivered)
        #expect(try Self.texts(of: 1, in: world) == ["hello", "hello", "lost"])
    }

    @Test("A session of 30 days is replaced by the next message to a peer in this mesh, and goes on with one elsewhere")
    func renewed() throws {
        for isNear in [true, false] {
            let world = try Self.apart()
            if isNear { world.islands = [] }
            world.passUnseen(31 * 86_400_000)
            world.run(minutes: 20)
            _ = world.takeSubmitted()
            let id = try world.send("after a month", to: world[1].id)
            world.run(minutes: 3)
            let kinds = world.takeSubmitted().map(\.kind)
            #expect(kinds.contains(.prekey) == isNear && (isNear || kinds.contains(.far)))
            #expect(try Self.status(id, in: world) == .delivered)
            let session = world[0].engine.sessions
            #expect(session.isOld(with: world[1].id, at: world.now.seconds) != isNear)
        }
    }

    @Test("A receipt for a far message outlives a crash before the mesh has it on disk")
    func crashedReader() throws {
        let world = try Self.apart()
        let id = try world.send("one", to: world[1].id)
        // The mesh of the node of Bob loses all that it got.
        world.mute = [1]
        world.run(for: 1_200)
        #expect(try Self.texts(of: 1, in: world).last == "one")
        try world.restart(1)
        world.mute = []
        world.run(minutes: 4)
        #expect(try Self.status(id, in: world) == .delivered)
        #expect(world[1].engine.outbox.entries.isEmpty)
    }

    @Test("A receipt that a hub has lost is sent again when the message comes again")
    func lostReceipt() throws {
        let world = try Self.apart()
        world.mute = [1]
        let id = try world.send("one", to: world[1].id)
        world.run(for: 5_000)
        #expect(try Self.texts(of: 1, in: world).last == "one")
        #expect(try Self.status(id, in: world) != .delivered)
        world.mute = []
        world.passUnseen(86_400_000)
        world.run(minutes: 20)
        #expect(try Self.status(id, in: world) == .delivered)
        #expect(try Self.texts(of: 1, in: world) == ["hello", "hello", "one"])
    }

    @Test("Mail that came while this node could not read it is read when the mesh gives it again")
    func recalled() throws {
        let world = try Self.apart()
        world.deaf = [1]
        try world.send("one", to: world[1].id)
        world.run(for: 5_000)
        let mail = try #require(world.takeSubmitted().first { $0.kind == .far })
        world.deaf = []
        try world.step(1) { try $0.recall(mail.envelope) }
        world.run(for: 5_000)
        #expect(try Self.texts(of: 1, in: world).last == "one")
    }

    @Test("The mailboxes of today are watched, others are asked for, and all of the last days once")
    func watches() throws {
        let world = try Self.apart()
        try world.restart(1)
        world.run(minutes: 20)
        let requests = world[1].submittedBodies.filter { $0.count == MailboxWatch.byteCount }
        let mailbox = try #require(world[1].engine.contacts.history.mailboxes.first)
        let day = Mailboxes.day(at: world.now.seconds)
        let watched = requests.filter { $0[240] & 1 == 0 }.flatMap { MailboxWatch.tags(in: $0) ?? [] }
        let asked = requests.filter { $0[240] & 1 == 1 }.flatMap { MailboxWatch.tags(in: $0) ?? [] }
        let today = try #require(mailbox.incoming.tag(of: day))
        #expect(watched.contains(today) && !asked.contains(today))
        for other in day - 8...day + 1 where other != day {
            guard let tag = mailbox.incoming.tag(of: other) else { continue }
            #expect(asked.contains(tag) && !watched.contains(tag))
        }
    }

    @Test("Announcements of gateways that name too many hubs, and mail for others, change nothing")
    func foreign() throws {
        let world = try Self.apart()
        var announcement = EngineWorld.announcement
        announcement[17] = 30
        world.run(minutes: 20, withGateways: false)
        try world.step(0) { try $0.handle(.deliver(Envelope(kind: .gateway, life: 60, body: announcement))) }
        #expect(world[0].engine.nextDeadline > world.now.monotonic)
        let mailbox = try #require(world[0].engine.contacts.history.mailboxes.first).incoming
        let tag = try #require(mailbox.tag(of: Mailboxes.day(at: world.now.seconds)))
        for (tag, count) in EnvelopeSizes.far.flatMap({ [(tag.bytes, $0), (Array(repeating: 1, count: 16), $0)] }) {
            let mail = tag + [UInt8](repeating: 2, count: count - 16)
            try world.step(0) { try $0.handle(.deliver(Envelope(kind: .far, life: 60, body: mail))) }
        }
        try world.step(0) { try $0.handle(.deliver(Envelope(kind: .far, life: 60, body: [1, 2, 3]))) }
        #expect(try Self.texts(of: 0, in: world) == ["hello", "hello"])
    }

    @Test("Members of a group in two meshes read each other, confirm it, and follow its changes")
    func groups() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol"])
        let world = scene.world
        for (from, to) in [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)] {
            try world.send("hello", from: from, to: world[to].id)
            world.run(for: 2_000)
        }
        let group = try scene.create(with: [1, 2])
        try scene.say("near", by: 1, in: group)
        world.run(for: 5_000)
        world.islands = [0, 1, 1]
        world.run(minutes: 3)
        let first = try scene.say("from Alice", by: 0, in: group)
        world.run(for: 5_000)
        try scene.say("from Bob", by: 1, in: group)
        world.run(for: 5_000)
        try scene.own(group) { try $0.rename(group, to: "Far trees") }
        world.run(for: 20_000)
        try scene.say("from Carol", by: 2, in: group)
        world.run(for: 20_000)
        for node in 0...2 {
            #expect(try scene.texts(group, of: node) == ["near", "from Alice", "from Bob", "from Carol"], "\(node)")
            #expect(try scene.view(group, of: node).title == "Far trees")
        }
        #expect(try scene.status(of: first, at: 0) == .delivered)
    }
}
