import ChatCrypto
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Groups of people who go on under new identities")
struct RotationGroupTests {
    @Test("The owner's node takes a contact's new identity in and puts the old one out; the conversation goes on")
    func following() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        try scene.say("before", by: 1, in: group)
        scene.world.run(for: 10_000)
        let old = scene.world[1].id
        #expect(scene.world[1].engine.rotationPlan == plan(2, following: ["Trees"]))
        try scene.world.step(1) { _ = try $0.rotate() }
        scene.world.run(for: 60_000)
        let new = scene.world[1].id
        for index in 0..<3 {
            let members = try scene.view(group, of: index).members.map(\.id)
            #expect(members.contains(new) && !members.contains(old), "\(index)")
        }
        try scene.say("after", by: 1, in: group)
        try scene.say("welcome back", by: 2, in: group)
        scene.world.run(for: 30_000)
        for index in 0..<3 {
            #expect(Set(try scene.texts(group, of: index)) == ["before", "after", "welcome back"], "\(index)")
        }
        #expect(try scene.messages(group, of: 0).first { $0.text == "after" }?.sender == new)
    }

    @Test("An owner who has verified the old identity takes the new one in once it has decided")
    func verified() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let old = scene.world[1].id
        let number = try scene.world[0].engine.safetyNumber(with: old).digits
        try scene.world.step(0) { try $0.verify(old, number: number) }
        try scene.world.step(1) { _ = try $0.rotate() }
        scene.world.run(for: 30_000)
        #expect(try scene.view(group, of: 0).members.map(\.id).contains(old))
        try scene.world.step(0) { try $0.decide(.accept, about: old) }
        scene.world.run(for: 30_000)
        #expect(try !scene.view(group, of: 0).members.map(\.id).contains(old))
        #expect(try scene.view(group, of: 1).membershipStatus == .member)
    }

    @Test("Where the owner is no contact, the node leaves; what it owns it hands over first")
    func leavingAndOwning() throws {
        let scene = try GroupScene()
        let theirs = try scene.create("Theirs", with: [1, 2])
        let own = try scene.create("Own", by: 1, with: [2])
        let alice = scene.world[0].id
        try scene.world.step(1) { try $0.decide(.block, about: alice) }
        #expect(scene.world[1].engine.rotationPlan == plan(1, leaving: ["Theirs"], owned: ["Own"]))
        let error = #expect(throws: ChatError.self) {
            try scene.world.step(1) { _ = try $0.rotate() }
        }
        #expect(error?.code == .ownsGroup && error?.reason.contains("'Own'") == true)
        #expect(scene.world[1].engine.identityHistory.formerCount == 0)
        try scene.world.step(1) { try $0.transferOwnership(own, to: scene.world[2].id) }
        scene.world.run(for: 30_000)
        let old = scene.world[1].id
        try scene.world.step(1) { _ = try $0.rotate() }
        scene.world.run(for: 60_000)
        #expect(try scene.view(theirs, of: 1).membershipStatus == .out)
        #expect(try scene.view(theirs, of: 2).members.first { $0.id == old }?.isLeaving == true)
        #expect(try scene.view(own, of: 1).membershipStatus == .member)
    }

    private func plan(
        _ contacts: Int,
        following: [String] = [],
        leaving: [String] = [],
        owned: [String] = []
    ) -> RotationPlan {
        RotationPlan(contactCount: contacts, following: following, leaving: leaving, owned: owned)
    }
}
