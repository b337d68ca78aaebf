import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Groups over restarts and time")
struct GroupRestartTests {
    @Test("A group goes on after a restart in any of its states")
    func anyState() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Dave"])
        let group = try scene.create(with: [1, 2])
        try scene.say("one", by: 1, in: group)
        scene.world.run(for: 5_000)
        let before = try (0..<3).map { try scene.view(group, of: $0) }
        for index in 0..<3 { try scene.world.restart(index) }
        scene.world.run(for: 5_000)
        #expect(try (0..<3).map { try scene.view(group, of: $0) } == before)
        for (index, text) in ["two", "three", "four"].enumerated() {
            try scene.say(text, by: index, in: group)
            scene.world.run(for: 5_000)
        }
        for index in 0..<3 { #expect(try scene.texts(group, of: index) == ["one", "two", "three", "four"]) }
        #expect(try scene.messages(group, of: 0).map(\.senderName) == ["Bob", "Alice", "Bob", "Carol"])

        // The member leaves, is invited again, restarts, and joins.
        try scene.world.step(1) { try $0.leave(group) }
        scene.world.run(for: 5_000)
        try scene.world.restart(1)
        #expect(try scene.view(group, of: 1).membershipStatus == .out)
        let bob = scene.world[1].id
        try scene.world.step(0) { try $0.add([bob], to: group) }
        scene.world.run(for: 5_000)
        try scene.world.restart(1)
        #expect(try scene.view(group, of: 1).membershipStatus == .invited)
        try scene.world.step(1) { try $0.answerInvitation(group, accepts: true) }
        scene.world.run(for: 5_000)
        try scene.world.restart(1)
        try scene.say("five", by: 1, in: group)
        scene.world.run(for: 5_000)
        #expect(try scene.texts(group, of: 2).last == "five")
    }

    @Test("A state that no welcome has room for follows in parts, over a restart of the newcomer")
    func largeState() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol"])
        let group = try scene.create(with: [1])
        var people: [PeerID] = []
        try scene.world.step(0) { engine in
            for _ in 0..<200 {
                let identity = Identity().publicIdentity
                try engine.meet(identity)
                people.append(identity.id)
            }
            try engine.add(people, to: group)
        }
        scene.world.run(for: 10_000)
        let carol = scene.world[2].id
        scene.world.deaf = [2]
        _ = scene.world.takeSubmitted()
        try scene.world.step(0) { try $0.add([carol], to: group) }
        scene.world.run(for: 1_000)
        // The welcome comes before the parts.
        for submission in scene.world.takeSubmitted() where scene.world[2].engine.view(of: group) == nil {
            try scene.world.receive(submission, at: 2)
        }
        #expect(try scene.view(group, of: 2).membershipStatus == .joining)
        #expect(try scene.view(group, of: 2).members.isEmpty)
        scene.world.deaf = []
        try scene.world.restart(2)
        scene.world.run(for: 60_000)
        #expect(try scene.view(group, of: 2).membershipStatus == .member)
        #expect(try scene.view(group, of: 2).members.count == 203)
        try scene.say("here", by: 2, in: group)
        scene.world.run(for: 5_000)
        #expect(try scene.texts(group, of: 1) == ["here"])
    }

    @Test("Members who were off catch up with all that was said and done, in any order")
    func away() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Dave"])
        let group = try scene.create(with: [1, 2, 3])
        try scene.say("all here", by: 2, in: group)
        scene.world.run(for: 5_000)
        scene.world.deaf = [1, 2]
        let dave = scene.world[3].id
        try scene.world.step(0) { try $0.remove(dave, from: group) }
        for number in 0..<150 {
            try scene.say("\(number)", by: 0, in: group)
            scene.world.run(for: 100)
        }
        try scene.world.step(0) { try $0.rename(group, to: "Forest") }
        scene.world.passUnseen(3 * 86_400_000)
        scene.world.deaf = []
        try scene.world.restart(1)
        try scene.world.restart(2)
        scene.world.run(for: 60_000)
        #expect(try scene.state(group, of: 1) == scene.state(group, of: 0))
        #expect(try scene.state(group, of: 2) == scene.state(group, of: 0))
        #expect(try scene.texts(group, of: 2).count == 151)
        #expect(try scene.texts(group, of: 3) == ["all here"])
        #expect(scene.world[0].engine.outbox.messageCount == 0)
    }

    @Test("A member that is too late for the kept operations continues by the owner's welcome", arguments: [0, 1])
    func longAway(asked: Int) throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        scene.world.deaf = [2]
        for number in 0..<(GroupLimits.minimumKeptOperations + 6) {
            try scene.world.step(0) { try $0.rename(group, to: "Title \(number)") }
            scene.world.run(for: 100)
        }
        for _ in 0..<10 { scene.world.sleep(for: 86_400_000) }
        // Carol asks whom she saw last.
        scene.world.deaf = Set([0, 1, 2]).subtracting([2, asked])
        try scene.world.send("hello", from: asked, to: scene.world[2].id)
        for _ in 0..<3 { scene.world.sleep(for: 86_400_000) }
        scene.world.deaf = []
        for _ in 0..<3 { scene.world.sleep(for: 3_600_000) }
        scene.world.run(for: 60_000)
        #expect(try scene.state(group, of: 2) == scene.state(group, of: 0))
        try scene.say("back", by: 2, in: group)
        scene.world.run(for: 10_000)
        #expect(try scene.texts(group, of: 0) == ["back"])
    }

    @Test("A message to who stays away is spread again with growing pauses, and given up after 7 days")
    func expiry() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        try scene.say("hello", by: 0, in: group)
        scene.world.run(for: 5_000)
        scene.world.deaf = [2]
        let id = try scene.say("to Bob alone", by: 0, in: group)
        let body = try #require(scene.world[0].submittedBodies.last)
        scene.world.run(for: 5_000)
        let (bob, carol) = (scene.world[1].id, scene.world[2].id)
        #expect(try scene.deliveries(of: id, at: 0) == [bob: .delivered, carol: .carried])
        #expect(try scene.status(of: id, at: 0) == .carried)
        let delivery = RecipientDelivery(recipient: bob, status: .delivered)
        #expect(scene.world[0].events.contains(.delivery(.group(group), id, delivery)))
        var spreadCount = 1
        for hour in 1..<168 {
            scene.world.sleep(for: 3_600_000 - 10_000)
            let count = scene.world[0].submittedBodies.count { $0 == body }
            #expect(count <= hour + 1)
            spreadCount = count
        }
        #expect((9...14).contains(spreadCount))
        scene.world.sleep(for: 2 * 3_600_000)
        #expect(try scene.deliveries(of: id, at: 0) == [bob: .delivered, carol: .failed(.expired)])
        #expect(try scene.status(of: id, at: 0) == .failed(.expired))
        #expect(scene.world[0].statusesTold[id] == [.sent, .carried, .failed(.expired)])
        #expect(scene.world[0].engine.outbox.messageCount == 0)
    }

    @Test("Who is put out before it has a message is no reason to wait")
    func goneRecipient() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        scene.world.deaf = [2]
        let id = try scene.say("hello", by: 0, in: group)
        scene.world.run(for: 5_000)
        #expect(try scene.status(of: id, at: 0) == .carried)
        let (bob, carol) = (scene.world[1].id, scene.world[2].id)
        try scene.world.step(0) { try $0.remove(carol, from: group) }
        #expect(try scene.deliveries(of: id, at: 0) == [bob: .delivered, carol: .failed(.notMember)])
        #expect(try scene.status(of: id, at: 0) == .delivered)
        #expect(scene.world[0].engine.outbox.messageCount == 0)
    }

    @Test("A message to a group can be cancelled; who has it has it, and a receipt that comes later counts")
    func cancelling() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        try scene.say("hello", by: 0, in: group)
        scene.world.run(for: 5_000)
        scene.world.deaf = [2]
        let id = try scene.say("to Bob alone", by: 0, in: group)
        scene.world.run(for: 5_000)
        try scene.world.step(0) { try $0.cancel(id) }
        let (bob, carol) = (scene.world[1].id, scene.world[2].id)
        #expect(try scene.deliveries(of: id, at: 0) == [bob: .delivered, carol: .failed(.cancelled)])
        #expect(try scene.status(of: id, at: 0) == .failed(.cancelled))
        #expect(scene.world[0].engine.outbox.messageCount == 0)
        scene.world.deaf = []
        try scene.world.restart(2)
        scene.world.run(for: 10_000)
        #expect(try scene.deliveries(of: id, at: 0) == [bob: .delivered, carol: .delivered])
        #expect(try scene.status(of: id, at: 0) == .delivered)
    }

    @Test("An owner renews the secrets after a day, and all go on")
    func renewal() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        try scene.say("used", by: 0, in: group)
        scene.world.run(for: 5_000)
        let epoch = try scene.view(group, of: 1).epoch
        scene.world.sleep(for: 2 * 86_400_000)
        scene.world.run(for: 120_000)
        #expect(try scene.view(group, of: 1).epoch == epoch + 1)
        try scene.say("fresh", by: 2, in: group)
        scene.world.run(for: 5_000)
        #expect(try scene.texts(group, of: 1) == ["used", "fresh"])
    }

    @Test("Read marks go to each author, where the user chose to tell")
    func readReceipts() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let ids = [try scene.say("a", by: 0, in: group), try scene.say("b", by: 1, in: group)]
        scene.world.run(for: 5_000)
        try scene.world.step(2) { engine in
            engine.sendsReadReceipts = true
            try engine.markRead(.group(group))
        }
        scene.world.run(for: 5_000)
        let carol = scene.world[2].id
        #expect(try scene.deliveries(of: ids[0], at: 0)[carol] == .read)
        #expect(try scene.deliveries(of: ids[1], at: 1)[carol] == .read)
        #expect(try scene.status(of: ids[0], at: 0) == .delivered)
        #expect(
            try scene.world[2].read(at: scene.world.now) { try $0.conversationList() }
                .first { $0.id == .group(group) }?.unreadCount == 0
        )
    }
}
