import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Successors of groups")
struct GroupSuccessionTests {
    private static let day: UInt64 = 86_400_000

    /// Makes a group of Alice, who owns it, Bob, who is the successor, and Carol.
    private func makeScene() throws -> (scene: GroupScene, group: GroupID, ids: [PeerID]) {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let ids = scene.world.nodes.map(\.id)
        try scene.world.step(0) { try $0.setSuccessor(ids[1], of: group) }
        scene.world.run(for: 5_000)
        return (scene, group, ids)
    }

    @Test("After 14 days without the owner the successor takes over, and everybody goes on")
    func takeover() throws {
        let (scene, group, ids) = try makeScene()
        for index in 0..<3 { #expect(try scene.view(group, of: index).successor == ids[1]) }
        #expect(refusal { try takeOver(scene, group) } == .limited)
        #expect(refusal { try scene.world.step(2) { try $0.takeOver(group) } } == .notOwner)
        try takeOverWhileAliceIsAway(scene, group)
        scene.world.run(for: 120_000)
        for index in 0..<3 {
            #expect(try scene.view(group, of: index).owner == ids[1])
            #expect(try scene.view(group, of: index).successor == nil)
            #expect(try !scene.view(group, of: index).isFrozen)
        }
        try scene.own(group, by: 1) { try $0.rename(group, to: "Forest") }
        scene.world.run(for: 60_000)
        for index in 0..<3 { try scene.say("from \(index)", by: index, in: group) }
        scene.world.run(for: 10_000)
        for index in 0..<3 {
            #expect(try scene.view(group, of: index).title == "Forest")
            #expect(Set(try scene.texts(group, of: index)) == ["from 0", "from 1", "from 2"])
        }
        #expect(refusal { try scene.world.step(0) { try $0.rename(group, to: "Mine") } } == .notOwner)
    }

    /// Lets Bob ask the members, and take over.
    private func takeOver(_ scene: GroupScene, _ group: GroupID) throws {
        try scene.world.step(1) { try $0.confirm(group) }
        scene.world.run(for: 60_000)
        try scene.world.step(1) { try $0.takeOver(group) }
    }

    /// Lets Bob take over after 15 days without Alice, who then comes back.
    private func takeOverWhileAliceIsAway(_ scene: GroupScene, _ group: GroupID) throws {
        (scene.world.deaf, scene.world.mute) = ([0], [0])
        scene.world.passUnseen(15 * Self.day)
        try takeOver(scene, group)
        scene.world.run(for: 60_000)
        (scene.world.deaf, scene.world.mute) = ([], [])
    }

    @Test("A successor that is cut off itself takes nothing over, and no group freezes")
    func cutOff() throws {
        let (scene, group, ids) = try makeScene()
        (scene.world.deaf, scene.world.mute) = ([1], [1])
        try scene.world.step(0) { try $0.rename(group, to: "Forest") }
        scene.world.passUnseen(15 * Self.day)
        #expect(refusal { try takeOver(scene, group) } == .limited)
        (scene.world.deaf, scene.world.mute) = ([], [])
        scene.world.run(for: 120_000)
        for index in 0..<3 {
            #expect(try scene.view(group, of: index).owner == ids[0])
            #expect(try !scene.view(group, of: index).isFrozen)
        }
    }

    @Test("An owner who comes back after a takeover learns of it before it signs")
    func ownerReturns() throws {
        let (scene, group, ids) = try makeScene()
        try takeOverWhileAliceIsAway(scene, group)
        #expect(try scene.view(group, of: 2).owner == ids[1])
        #expect(refusal { try scene.world.step(0) { try $0.rename(group, to: "Mine") } } == .limited)
        #expect(refusal { try scene.own(group) { try $0.rename(group, to: "Mine") } } == .notOwner)
        scene.world.run(for: 120_000)
        for index in 0..<3 {
            #expect(try scene.view(group, of: index).owner == ids[1])
            #expect(try !scene.view(group, of: index).isFrozen)
        }
    }

    @Test("The owner withdraws the right, and a successor over a restart of both keeps it")
    func withdrawal() throws {
        let (scene, group, ids) = try makeScene()
        for index in 0...1 { try scene.world.restart(index) }
        scene.world.run(for: 60_000)
        #expect(scene.world[1].engine.groups.membership(group)?.isSuccessor == true)
        try scene.own(group) { try $0.setSuccessor(nil, of: group) }
        scene.world.run(for: 5_000)
        for index in 0..<3 { #expect(try scene.view(group, of: index).successor == nil) }
        scene.world.passUnseen(15 * Self.day)
        #expect(refusal { try scene.world.step(1) { try $0.takeOver(group) } } == .notOwner)
        #expect(refusal { try scene.own(group) { try $0.setSuccessor(ids[0], of: group) } } == .notFound)
    }
}
