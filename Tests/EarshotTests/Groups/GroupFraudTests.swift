import ChatCrypto
import ChatHistory
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Groups against who does not play fair")
struct GroupFraudTests {
    @Test(
        "A stranger costs nothing: at most 100 invitations are kept, and their notes about other groups leave no trace"
    )
    func manyInvitations() throws {
        let scene = try GroupScene(["Alice", "Mallory"], areStrangers: true)
        let alice = scene.world[0].id
        for number in 0..<(ChatLimits.requestCount + 5) {
            try scene.world.step(1) { _ = try $0.createGroup(title: "Join \(number)", members: [alice]) }
            scene.world.run(for: 200)
        }
        scene.world.run(for: 10_000)
        #expect(scene.world[0].engine.groupList.count == ChatLimits.requestCount)
        #expect(scene.world[0].engine.groups.table.groupIDs.isEmpty)
        #expect(scene.world[0].engine.outbox.entries.isEmpty)
        #expect(try scene.world[0].store.count(.groups, conversation: nil) == ChatLimits.requestCount)
    }

    @Test("Who is no member changes nothing by operations, keys, requests, leaving or offers")
    func outsider() throws {
        let scene = try GroupScene(["Alice", "Bob", "Mallory"])
        let group = try scene.create(with: [1])
        let mallory = scene.world[2].id
        let identity = scene.world[0].engine.sessions.identity.publicIdentity
        let before = try scene.view(group, of: 0)
        let session = try #require(scene.world[1].engine.groups.membership(group))
        let leaf = try LeafSecret(decoding: SecretBytes(copying: [0, 0, 0, 9] + [UInt8](repeating: 1, count: 32)))
        let controlMessages: [ControlMessage] = [
            .leave(group), .request(group, OperationRequest(from: 1, wantsPath: true)), .wantsOwnerKey(group),
            .ownerKey(group, [UInt8](repeating: 7, count: 32)),
            .operations(group, session.log.operations), .leaf(group, leaf),
        ]
        for note in controlMessages {
            try scene.world.step(2) { try $0.send(note, to: identity) }
            scene.world.run(for: 2_000)
        }
        #expect(try scene.view(group, of: 0) == before)
        #expect(scene.world[0].engine.outbox.entries.isEmpty)
        #expect(scene.events(group, of: 0).filter { $0.peer == mallory }.isEmpty)
    }

    @Test("A member who signs two contents for one place is told of once, and the second is not shown")
    func equivocation() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        try scene.say("first", by: 1, in: group)
        scene.world.run(for: 5_000)
        // Bob returns to the earlier state of his key, and uses a position twice.
        let before = scene.world[1].engine
        try scene.say("one thing", by: 1, in: group)
        scene.world.run(for: 1_000)
        try scene.world.step(1) { engine in
            engine.forgetGroupChanges(since: before)
            _ = try engine.send("another thing", to: .group(group))
        }
        scene.world.run(for: 5_000)
        let bob = scene.world[1].id
        for index in [0, 2] {
            #expect(try scene.texts(group, of: index) == ["first", "one thing"])
            #expect(scene.events(group, of: index).filter { $0 == .equivocation(by: bob) }.count == 1)
        }
    }

    @Test("A former member is told of its removal when it asks, and of nothing later; who never was in, of nothing")
    func formerMember() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Dave"])
        let group = try scene.create(with: [1, 2])
        let (carol, dave) = (scene.world[2].id, scene.world[3].id)
        try scene.world.step(0) { try $0.remove(carol, from: group) }
        try scene.world.step(0) { try $0.rename(group, to: "Later") }
        scene.world.run(for: 10_000)
        for peer in [carol, dave] {
            try scene.world.step(0) { engine in
                try engine.take(.request(group, OperationRequest(from: 1, wantsPath: true)), nil, from: peer)
            }
            let note = try scene.world[0].newestNote(at: scene.world.now)
            guard peer == carol else {
                #expect(note == nil)
                continue
            }
            guard case .operations(group, let operations)? = note else {
                Issue.record("operations were asked for")
                continue
            }
            // The operations are: the founding, Bob and Carol, the removal of Carol, another title.
            #expect(operations.map(\.epoch) == [1, 2, 3])
            scene.world.run(for: 10_000)
        }
    }

    @Test(
        "A member's false invitation keeps nobody out, whether it comes before the owner's or is declined first",
        arguments: [false, true],
        [false, true]
    )
    func falseInvitation(inParts: Bool, isDeclined: Bool) throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1])
        let world = scene.world
        let bob = try #require(world[1].engine.groups.membership(group))
        let carol = world[2].engine.sessions.identity.publicIdentity
        // Bob passes on the state of the group with secrets that he made up.
        let state = try #require(bob.checkpoint).encoded()
        var bytes: [UInt8] = [1, 0, 0, 0, 0] + withUnsafeBytes(of: UInt32(bob.log.epoch).bigEndian, Array.init)
        bytes += [0, 1, 1] + [UInt8](repeating: 5, count: 64) + bob.log.foundingKey
        let length = withUnsafeBytes(of: UInt32(state.count).bigEndian, Array.init)
        bytes += inParts ? [1] + SHA256.hash(state) + length : [0] + length.suffix(2) + state
        let claim = try GroupWelcome(decoding: SecretBytes(copying: bytes + [0]))
        try world.step(1) { try $0.send(.welcome(claim), to: carol) }
        world.run(for: 5_000)
        if isDeclined { try? world.step(2) { try $0.answerInvitation(group, accepts: false) } }
        try scene.add(2, to: group)
        if isDeclined, world[2].engine.groups.membership(group) == nil {
            try world.step(2) { try $0.answerInvitation(group, accepts: true) }
            world.run(for: 20_000)
        }
        try scene.say("welcome", by: 0, in: group)
        world.run(for: 5_000)
        #expect(try scene.texts(group, of: 2) == ["welcome"])
    }

    @Test("Two histories whose operations fill a notice each are told to all")
    func largeFork() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let before = scene.world[0].engine
        for deaf in [1, 2] {
            scene.world.deaf = [deaf]
            try scene.world.step(0) { engine in
                engine.forgetGroupChanges(since: before)
                let people = (0..<64).map { _ in Identity().publicIdentity }
                for person in people { try engine.meet(person) }
                try engine.add(people.map(\.id), to: group)
            }
            scene.world.run(for: 5_000)
        }
        scene.world.deaf = []
        try scene.world.restart(1)
        scene.world.run(for: 60_000)
        for index in [1, 2] { #expect(try scene.view(group, of: index).isFrozen) }
    }

    @Test("A blocked member's messages are not shown")
    func blocked() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        try scene.say("hello", by: 1, in: group)
        scene.world.run(for: 5_000)
        let bob = scene.world[1].id
        try scene.world.step(2) { try $0.decide(.block, about: bob) }
        try scene.say("anybody?", by: 1, in: group)
        scene.world.run(for: 5_000)
        #expect(try scene.texts(group, of: 0) == ["hello", "anybody?"])
        #expect(try scene.texts(group, of: 2) == ["hello"])
    }

    @Test("A group of 129 is made in one step; each newcomer gets a welcome, and the operations go out once for all")
    func large() throws {
        let scene = try GroupScene(["Alice"])
        var people: [PeerID] = []
        try scene.world.step(0) { engine in
            for _ in 0..<128 {
                let identity = Identity().publicIdentity
                try engine.meet(identity)
                people.append(identity.id)
            }
        }
        let group = try scene.create(with: [])
        try scene.world.step(0) { try $0.add(people, to: group) }
        #expect(try scene.view(group, of: 0).members.count == 129)
        let session = try #require(scene.world[0].engine.groups.membership(group))
        // 64 changes fit one operation.
        #expect(session.log.operations.map(\.edits.count) == [3, 64, 64])
        #expect(scene.world[0].engine.outbox.controlCount >= people.count)
        #expect(refusal { try scene.world.step(0) { try $0.add([people[0]], to: group) } } == .limited)
        let count = scene.world[0].engine.outbox.controlCount
        let id = try scene.say("hello, all", by: 0, in: group)
        #expect(scene.world[0].engine.outbox.controlCount == count)
        // Of a large group 16 members confirm a message.
        #expect((15...16).contains(try scene.deliveries(of: id, at: 0).count))
    }

    @Test("What cannot be sent to a group is refused with a reason, and changes nothing")
    func badInput() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1])
        let carol = scene.world[2].id
        let unknown = try #require(GroupID(bytes: [UInt8](repeating: 9, count: 16)))
        let long = String(repeating: "x", count: ChatLimits.textByteCount + 1)
        #expect(refusal { try scene.say("", by: 0, in: group) } == .empty)
        #expect(refusal { try scene.say(long, by: 0, in: group) } == .tooLarge)
        #expect(refusal { try scene.say("x", by: 0, in: unknown) } == .notFound)
        #expect(refusal { try scene.world.step(0) { try $0.remove(carol, from: group) } } == .notFound)
        #expect(refusal { try scene.world.step(0) { try $0.transferOwnership(group, to: carol) } } == .notFound)
        #expect(refusal { try scene.world.step(0) { try $0.add([carol, carol], to: group) } } == .limited)
        #expect(
            refusal { try scene.world.step(0) { try $0.answerInvitation(group, accepts: true) } } == .notFound
        )
        let alone = try scene.create("Alone", with: [])
        #expect(refusal { try scene.say("x", by: 0, in: alone) } == .notFound)
        try scene.world.step(0) { try $0.leave(alone) }
        #expect(try scene.view(alone, of: 0).membershipStatus == .out)
        #expect(try scene.view(group, of: 0).members.count == 2)
    }
}
