import ChatCrypto
import Earshot
import EarshotTesting
import MeshCore
import MeshSimulation
import Testing

@testable import ChatCore

@Suite("Who may add the user to groups")
struct GroupInvitersTests {
    /// Lets a node verify another.
    private static func verify(_ index: Int, _ other: Int, in scene: GroupScene) throws {
        let peer = scene.world[other].id
        let number = try scene.world[index].engine.safetyNumber(with: peer).digits
        try scene.world.step(index) { try $0.verify(peer, number: number) }
    }

    @Test(
        "Each setting joins at once for whom it names, asks for all others, and outlives a restart",
        arguments: GroupInviters.allCases
    )
    func settings(inviters: GroupInviters) throws {
        // Alice is a contact of Bob, Carol a verified one, and Dave nobody whom Bob knows.
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Dave"], areStrangers: true)
        for index in [0, 2, 3] { try scene.befriend(index, 1) }
        for index in [0, 2] { try scene.befriend(1, index) }
        try Self.verify(1, 2, in: scene)
        try scene.world.step(1) { $0.setGroupInviters(inviters) }
        try scene.world.restart(1)
        var joined: [Bool] = []
        for owner in [0, 2, 3] {
            let group = try scene.create(by: owner, with: [1])
            let status = try scene.view(group, of: 1).membershipStatus
            #expect(status == .member || status == .invited)
            joined.append(status == .member)
            guard status == .invited else { continue }
            #expect(scene.events(group, of: 1) == [.invited(by: scene.world[owner].id)])
            #expect(scene.world[1].engine.groups.table[group] == nil)
            try scene.world.step(1) { try $0.answerInvitation(group, accepts: true) }
            scene.world.run(for: 20_000)
            #expect(try scene.view(group, of: 1).membershipStatus == .member)
            try scene.say("welcome", by: owner, in: group)
            scene.world.run(for: 20_000)
            #expect(try scene.texts(group, of: 1) == ["welcome"])
        }
        let wanted: [GroupInviters: [Bool]] = [
            .accepted: [true, true, false], .verified: [false, true, false], .nobody: [false, false, false],
        ]
        #expect(joined == wanted[inviters])
        #expect(scene.world[1].engine.contacts.groupInviters == inviters)
    }

    @Test("Who is asked sends nothing that who joins at once does not send, and declining says as much as leaving")
    func telling() throws {
        var sent: [[UInt8: Int]] = []
        for inviters in [GroupInviters.accepted, .nobody] {
            let scene = try GroupScene(["Alice", "Bob"])
            try scene.world.step(1) { $0.setGroupInviters(inviters) }
            _ = scene.world.takeSubmitted()
            let group = try scene.create(with: [1])
            // The inviter sends the same to both.
            sent.append(scene.world.takeSubmitted().reduce(into: [:]) { $0[$1.kind.rawValue, default: 0] += 1 })
            let bob = scene.world[1].id
            #expect(scene.events(group, of: 0) == [.joined, .added(bob)])
            try scene.world.step(1) { try $0.leave(group) }
            scene.world.run(for: 20_000)
            #expect(scene.events(group, of: 0) == [.joined, .added(bob), .left(bob)])
            #expect(try scene.view(group, of: 0).members.map(\.name) == ["Alice"])
            for node in scene.world.nodes { #expect(try node.isAtRest) }
        }
        #expect(sent[1].allSatisfy { kind, count in count <= sent[0][kind] ?? 0 })
    }

    @Test("A group goes on under a new identity of the user without another question")
    func rotation() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        try scene.world.step(1) { $0.setGroupInviters(.nobody) }
        try scene.world.step(1) { _ = try $0.rotate() }
        scene.world.run(for: 60_000)
        #expect(try scene.view(group, of: 1).membershipStatus == .member)
        #expect(try scene.view(group, of: 0).members.map(\.id).contains(scene.world[1].id))
        // Any other contact's group is a question still.
        let other = try scene.create("Other", by: 2, with: [1])
        #expect(try scene.view(other, of: 1).membershipStatus == .invited)
    }

    @Test("The library has the setting, and an invitation is answered by it")
    func library() async throws {
        let mesh = VirtualMesh(.line(2), seed: 3)
        let (alice, bob) = (try await mesh.node("Alice", at: 0), try await mesh.node("Bob", at: 1))
        try await mesh.befriend(alice, bob)
        #expect(try await bob.conversations.groupInviters == .accepted)
        try await bob.conversations.setGroupInviters(.verified)
        #expect(try await bob.conversations.groupInviters == .verified)
        let group = try await alice.conversations.createGroup(title: "Trees", members: [bob.identity.id]).id
        let isAsked = try await mesh.run {
            try await bob.conversations.groups().map(\.membershipStatus) == [.invited]
        }
        #expect(isAsked)
        try await bob.group(group).answerInvitation(accepts: true)
        let isIn = try await mesh.run { try await bob.conversations.groups().map(\.membershipStatus) == [.member] }
        #expect(isIn)
        for node in [alice, bob] { await node.stop() }
    }
}
