import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Groups of engines")
struct GroupSceneTests {
    @Test("A text to a group is one envelope, and everybody shows it with its author and tells that it came")
    func oneEnvelope() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        #expect(try scene.view(group, of: 2).members.map(\.name) == ["Alice", "Bob", "Carol"])
        try scene.say("first", by: 1, in: group)
        scene.world.run(for: 5_000)
        _ = scene.world.takeSubmitted()
        let id = try scene.say("second", by: 1, in: group)
        #expect(scene.world.takeSubmitted().map(\.kind) == [.sealed])
        scene.world.run(for: 5_000)
        for index in 0..<3 {
            #expect(try scene.messages(group, of: index).map(\.text) == ["first", "second"])
            #expect(try scene.messages(group, of: index).map(\.senderName) == ["Bob", "Bob"])
            #expect(try scene.messages(group, of: index).map(\.conversation) == [.group(group), .group(group)])
        }
        let (alice, carol) = (scene.world[0].id, scene.world[2].id)
        #expect(try scene.deliveries(of: id, at: 1) == [alice: .delivered, carol: .delivered])
        #expect(scene.world[1].statusesTold[id] == [.sent, .carried, .delivered])
        for node in scene.world.nodes { #expect(try node.isAtRest) }
    }

    @Test("A message to 100 members is one envelope")
    func hundredMembers() throws {
        let scripted = try ScriptedWorld()
        let members = try (0..<100).map { try scripted.friend("Member \($0)").id }
        var created: GroupID?
        try scripted.world.step(0) { created = try $0.createGroup(title: "All", members: members).id }
        let group = try #require(created)
        try scripted.world.step(0) { _ = try $0.send("the first brings the key", to: .group(group)) }
        scripted.world.run(for: 5_000)
        #expect((100...200).contains(scripted.world.takeSubmitted().count { $0.kind == .prekey }))
        for number in 0..<3 {
            try scripted.world.step(0) { _ = try $0.send("\(number)", to: .group(group)) }
            scripted.world.run(for: 1_000)
            #expect(scripted.world.takeSubmitted().map(\.kind) == [.sealed])
        }
    }

    @Test("Who is put out is told, reads nothing after it and is no recipient any more")
    func removal() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        try scene.say("before", by: 0, in: group)
        scene.world.run(for: 5_000)
        let carol = scene.world[2].id
        try scene.world.step(0) { try $0.remove(carol, from: group) }
        scene.world.run(for: 5_000)
        let id = try scene.say("after", by: 1, in: group)
        scene.world.run(for: 5_000)
        #expect(try scene.texts(group, of: 0) == ["before", "after"])
        #expect(try scene.texts(group, of: 2) == ["before"])
        #expect(try scene.view(group, of: 2).membershipStatus == .out)
        #expect(scene.events(group, of: 2) == [.joined, .ended])
        #expect(scene.events(group, of: 1).last == .removed(carol))
        #expect(try scene.deliveries(of: id, at: 1) == [scene.world[0].id: .delivered])
        #expect(refusal { try scene.say("hello?", by: 2, in: group) } == .notMember)
        // The owner may add Carol again. A contact of the owner is a member at once.
        try scene.world.step(0) { try $0.add([carol], to: group) }
        scene.world.run(for: 5_000)
        try scene.say("again", by: 0, in: group)
        scene.world.run(for: 5_000)
        #expect(try scene.texts(group, of: 2) == ["before", "again"])
    }

    @Test("Who leaves is out at once, is put out by the owner, and comes back only if it wants to")
    func leaving() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let bob = scene.world[1].id
        #expect(refusal { try scene.world.step(0) { try $0.leave(group) } } == .ownsGroup)
        try scene.world.step(1) { try $0.leave(group) }
        scene.world.run(for: 5_000)
        #expect(try scene.view(group, of: 1).membershipStatus == .out)
        #expect(scene.events(group, of: 2) == [.joined, .left(bob)])
        #expect(try scene.view(group, of: 2).members.map(\.name) == ["Alice", "Carol"])
        try scene.say("without Bob", by: 2, in: group)
        try scene.world.step(0) { try $0.add([bob], to: group) }
        scene.world.run(for: 5_000)
        #expect(try scene.view(group, of: 1).membershipStatus == .invited)
        #expect(try scene.texts(group, of: 1).isEmpty)
        try scene.world.step(1) { try $0.answerInvitation(group, accepts: true) }
        scene.world.run(for: 5_000)
        try scene.say("welcome back", by: 2, in: group)
        scene.world.run(for: 5_000)
        #expect(try scene.texts(group, of: 1) == ["welcome back"])
        for node in scene.world.nodes { #expect(try node.isAtRest) }
    }

    @Test("A group is renamed by its owner alone, and handed over to a member whose node answers")
    func ownership() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        #expect(refusal { try scene.world.step(1) { try $0.rename(group, to: "Mine") } } == .notOwner)
        #expect(refusal { try scene.world.step(0) { try $0.rename(group, to: " ") } } == .badName)
        try scene.world.step(0) { try $0.rename(group, to: "Forest") }
        let bob = scene.world[1].id
        try scene.world.step(0) { try $0.transferOwnership(group, to: bob) }
        scene.world.run(for: 5_000)
        #expect(scene.events(group, of: 2) == [.joined, .renamed("Forest"), .ownershipTransferred(to: bob)])
        for index in 0..<3 { #expect(try scene.view(group, of: index).owner == bob) }
        #expect(refusal { try scene.world.step(0) { try $0.rename(group, to: "Mine") } } == .notOwner)
        try scene.world.step(1) { try $0.rename(group, to: "Wood") }
        try scene.world.step(0) { try $0.leave(group) }
        scene.world.run(for: 5_000)
        #expect(try scene.view(group, of: 2).title == "Wood")
        #expect(try scene.view(group, of: 2).members.map(\.id) == [bob, scene.world[2].id])
    }

    @Test("A stranger's invitation waits for the user, tells nobody that it came, and leads in once accepted")
    func strangersInvitation() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol"], areStrangers: true)
        let group = try scene.create(with: [1, 2])
        let alice = scene.world[0].id
        for index in 1...2 {
            #expect(try scene.view(group, of: index).membershipStatus == .invited)
            #expect(scene.events(group, of: index) == [.invited(by: alice)])
            #expect(scene.world[index].engine.groups.table.groupIDs.isEmpty)
        }
        #expect(!scene.world.submitted.contains { $0.kind == .release })
        try scene.say("too early", by: 0, in: group)
        try scene.world.step(1) { try $0.answerInvitation(group, accepts: true) }
        scene.world.run(for: 5_000)
        #expect(try scene.texts(group, of: 1) == ["too early"])
        // Bob does not know Carol. She opens Bob's messages once she has accepted, and appears at Bob as a member.
        try scene.say("from Bob", by: 1, in: group)
        scene.world.run(for: 5_000)
        #expect(try scene.texts(group, of: 2).isEmpty)
        try scene.world.step(2) { try $0.answerInvitation(group, accepts: true) }
        scene.world.run(for: 10_000)
        #expect(try scene.texts(group, of: 2) == ["too early", "from Bob"])
        #expect(try scene.state(group, of: 1).members == scene.state(group, of: 2).members)
    }

    @Test("An invitation turned down is forgotten; a contact's owner hears of it")
    func declining() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol"], areStrangers: true)
        let group = try scene.create(with: [1, 2])
        try scene.befriend(1, 0)
        for index in 1...2 {
            try scene.world.step(index) { try $0.answerInvitation(group, accepts: false) }
        }
        scene.world.run(for: 5_000)
        #expect(try scene.view(group, of: 0).members.map(\.name) == ["Alice", "Carol"])
        #expect(scene.world[1].engine.view(of: group) == nil)
        #expect(
            refusal { try scene.world.step(1) { try $0.answerInvitation(group, accepts: true) } } == .notFound
        )
    }

    @Test("An owner who signs two histories is found out by all members, and nothing goes on")
    func fork() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let before = scene.world[0].engine
        scene.world.deaf = [2]
        try scene.world.step(0) { try $0.rename(group, to: "Told Bob") }
        scene.world.run(for: 5_000)
        scene.world.deaf = [1]
        try scene.world.step(0) { engine in
            engine.forgetGroupChanges(since: before)
            try engine.rename(group, to: "Told Carol")
        }
        scene.world.run(for: 5_000)
        scene.world.deaf = []
        #expect(try scene.view(group, of: 1).title == "Told Bob")
        #expect(try scene.view(group, of: 2).title == "Told Carol")
        // Bob starts again and asks a member for later operations. He states his history of the group; others have a
        // different one.
        try scene.world.restart(1)
        scene.world.run(for: 70_000)
        for index in 1...2 {
            #expect(try scene.view(group, of: index).isFrozen)
            #expect(scene.events(group, of: index).count { $0 == .forked } == 1)
            #expect(refusal { try scene.say("more", by: index, in: group) } == .frozen)
        }
    }
}
