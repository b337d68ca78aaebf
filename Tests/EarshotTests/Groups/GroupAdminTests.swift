import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Admins of groups")
struct GroupAdminTests {
    /// Makes a group of Alice, who owns it, Bob, who is an admin, and Carol; Dave is no member.
    private func makeScene() throws -> (scene: GroupScene, group: GroupID, ids: [PeerID]) {
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Dave"])
        let group = try scene.create(with: [1, 2])
        let ids = scene.world.nodes.map(\.id)
        try scene.world.step(0) { try $0.setAdmin(true, ids[1], of: group) }
        scene.world.run(for: 5_000)
        return (scene, group, ids)
    }

    @Test("The owner's node makes the changes of an admin, while its user does nothing")
    func changes() throws {
        let (scene, group, ids) = try makeScene()
        #expect(try scene.view(group, of: 2).members.map(\.isAdmin) == [false, true, false])
        try scene.world.step(1) { try $0.rename(group, to: "Forest") }
        try scene.world.step(1) { try $0.add([ids[3]], to: group) }
        try scene.world.step(1) { try $0.setHistory(.all, of: group) }
        scene.world.run(for: 10_000)
        for index in 0..<4 {
            #expect(try scene.view(group, of: index).title == "Forest")
            #expect(try scene.view(group, of: index).members.map(\.id) == ids)
            #expect(try scene.view(group, of: index).history == .all)
        }
        try scene.world.step(1) { try $0.remove(ids[2], from: group) }
        scene.world.run(for: 10_000)
        #expect(try scene.view(group, of: 2).membershipStatus == .out)
        try scene.say("without Carol", by: 3, in: group)
        scene.world.run(for: 5_000)
        #expect(try scene.texts(group, of: 1) == ["without Carol"])
        #expect(try scene.texts(group, of: 2).isEmpty)
        for node in scene.world.nodes { #expect(try node.isAtRest) }
    }

    @Test("An admin touches neither the owner nor the admins, and who is none proposes nothing")
    func limits() throws {
        let (scene, group, ids) = try makeScene()
        #expect(refusal { try scene.world.step(1) { try $0.remove(ids[0], from: group) } } == .notOwner)
        #expect(refusal { try scene.world.step(1) { try $0.remove(ids[1], from: group) } } == .limited)
        #expect(refusal { try scene.world.step(1) { try $0.setAdmin(true, ids[2], of: group) } } == .notOwner)
        #expect(refusal { try scene.world.step(1) { try $0.transferOwnership(group, to: ids[1]) } } == .notOwner)
        #expect(refusal { try scene.world.step(2) { try $0.rename(group, to: "Mine") } } == .notOwner)
        #expect(refusal { try scene.world.step(0) { try $0.setAdmin(true, ids[0], of: group) } } == .limited)
        #expect(refusal { try scene.world.step(0) { try $0.setAdmin(true, ids[3], of: group) } } == .notFound)
        // The right ends with the role, also for a node that sends a proposal all the same.
        try scene.world.step(0) { try $0.setAdmin(false, ids[1], of: group) }
        try scene.world.step(1) { try $0.rename(group, to: "Too late") }
        scene.world.run(for: 10_000)
        #expect(refusal { try scene.world.step(1) { try $0.rename(group, to: "Mine") } } == .notOwner)
        for index in 0..<3 { #expect(try scene.view(group, of: index).title == "Trees") }
    }

    @Test("A proposal waits while the owner asks for operations that it may lack")
    func restart() throws {
        let (scene, group, _) = try makeScene()
        try scene.world.restart(0)
        #expect(!scene.world[0].engine.isSure(of: group))
        try scene.world.step(1) { try $0.rename(group, to: "Forest") }
        scene.world.run(for: 120_000)
        for index in 0..<3 { #expect(try scene.view(group, of: index).title == "Forest") }
        for node in scene.world.nodes { #expect(try node.isAtRest) }
    }

    @Test("An owner takes a limited number of proposals of one admin at a time")
    func flood() throws {
        let (scene, group, _) = try makeScene()
        func propose(_ title: String) throws {
            try scene.world.step(1) { try $0.rename(group, to: title) }
            scene.world.run(for: 1_000)
        }
        for number in 0..<ChatLimits.proposalCount + 5 { try propose("Title \(number)") }
        #expect(try scene.view(group, of: 0).title == "Title \(ChatLimits.proposalCount - 1)")
        scene.world.run(for: 600_000)
        try propose("Later")
        #expect(try scene.view(group, of: 0).title == "Later")
    }
}
