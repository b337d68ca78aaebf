import ChatCrypto
import Earshot
import Foundation
import MeshCore
import Testing

@testable import ChatCore

@Suite("Groups of engines, whatever the mesh does")
struct GroupPropertyTests {
    private static let names = ["Alice", "Bob", "Carol", "Dave", "Eve"]

    @Test(
        "Under loss, repetition, any order and crashes all members end with the same state",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func equalStates(seed: UInt64) throws {
        var quality = EngineWorld.Quality()
        quality.loss = 0.1
        let scene = try GroupScene(Self.names, quality: quality, seed: seed)
        let world = scene.world
        world.crashesLeft = 6
        world.joining = seed.isMultiple(of: 2) ? 0.5 : 0
        var random = SplitMix64(seed: seed ^ 0x67)
        var group: GroupID?
        try world.step(0) { group = try $0.createGroup(title: "Trees", members: []).id }
        let id = try #require(group)
        for index in 1..<Self.names.count {
            let peer = world[index].id
            try scene.own(id) { try $0.add([peer], to: id) }
            world.run(for: UInt64.random(in: 0...2_000, using: &random))
        }
        world.run(for: 20_000)
        var said = 0
        for _ in 0..<40 {
            let index = Int.random(in: 0..<Self.names.count, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: try scene.own(id) { try $0.rename(id, to: "Trees \(said)") }
            case 1: try world.restart(index)
            default:
                said += 1
                try scene.say("\(said) by \(index)", by: index, in: id)
            }
            world.run(for: UInt64.random(in: 0...1_500, using: &random))
        }
        world.run(for: 60_000)
        let states = try (0..<Self.names.count).map { try scene.state(id, of: $0) }
        #expect(Set(states).count == 1, "seed \(seed)")
        #expect(states[0].said.count == said)
        for index in world.nodes.indices {
            let own = try scene.messages(id, of: index).filter(\.isOutgoing)
            #expect(own.allSatisfy { $0.status == .delivered })
        }
    }

    @Test(
        "Members come, leave and are put out in any order, and those who stay agree",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func comingAndGoing(seed: UInt64) throws {
        let scene = try GroupScene(Self.names, quality: EngineWorld.Quality(), seed: seed)
        let world = scene.world
        let group = try scene.create(with: [1, 2, 3])
        var random = SplitMix64(seed: seed ^ 0x91)
        for step in 0..<12 {
            let peer = world[Int.random(in: 1..<Self.names.count, using: &random)].id
            let isIn = try scene.view(group, of: 0).members.contains { $0.id == peer }
            let index = try #require(world.nodes.firstIndex { $0.id == peer })
            switch (isIn, Int.random(in: 0..<3, using: &random)) {
            case (false, _): try world.step(0) { try $0.add([peer], to: group) }
            case (true, 0): try world.step(0) { try $0.remove(peer, from: group) }
            case (true, 1): try? world.step(index) { try $0.leave(group) }
            default: _ = try? scene.say("\(step)", by: index, in: group)
            }
            world.run(for: UInt64.random(in: 0...8_000, using: &random))
        }
        world.run(for: 60_000)
        // A member that left by itself has only received an invitation to come back.
        for index in 1..<Self.names.count where world[index].engine.view(of: group)?.membershipStatus == .invited {
            try world.step(index) { try $0.answerInvitation(group, accepts: true) }
        }
        world.run(for: 60_000)
        let members = try scene.view(group, of: 0).members.map(\.id)
        for (index, node) in world.nodes.enumerated() {
            guard members.contains(node.id) else {
                #expect(node.engine.view(of: group).map { $0.membershipStatus == .out } ?? true)
                continue
            }
            let (own, first) = (try scene.view(group, of: index), try scene.view(group, of: 0))
            #expect(own.membershipStatus == .member)
            #expect(own.members.map(\.id) == first.members.map(\.id) && own.epoch == first.epoch)
        }
        try scene.say("all here?", by: 0, in: group)
        world.run(for: 30_000)
        for (index, node) in world.nodes.enumerated() {
            #expect(try scene.texts(group, of: index).contains("all here?") == members.contains(node.id))
        }
    }

    /// The seeds on demand.
    ///
    /// The gate uses twelve members and one seed. With `EARSHOT_SEEDS` the test uses thirty members, three of them
    /// offline, and that number of seeds. Each seed takes half a minute of processor time.
    private static let demanded = ProcessInfo.processInfo.environment["EARSHOT_SEEDS"].flatMap(UInt64.init)
    private static let seeds: [UInt64] = Array(1...max(1, demanded ?? 1))
    private static let memberCount = demanded == nil ? 12 : 30
    /// The members that are offline for a while.
    private static let away: Set<Int> = demanded == nil ? [5] : [4, 5, 6]

    @Test(
        "Many members on a mesh that loses a tenth, some of them off for a while, end with the same state",
        arguments: seeds
    )
    func manyMembers(seed: UInt64) throws {
        var quality = EngineWorld.Quality()
        quality.duplication = 0
        let count = Self.memberCount
        let scene = try GroupScene((0..<count).map { "Member \($0)" }, quality: quality, seed: seed, areStrangers: true)
        for index in 1..<count { try scene.befriend(index, 0) }
        let world = scene.world
        let group = try scene.create(with: Array(1..<count))
        world.deaf = Self.away
        let first = try scene.say("by 0", by: 0, in: group)
        var asked: MessageID?
        try world.step(10) { asked = try $0.ask(Poll("?", options: ["a", "b"]), to: .group(group)).id }
        world.run(for: 20_000)
        let poll = try #require(asked)
        for index in [2, 3, 8] { try world.step(index) { try $0.vote([index % 2], in: poll) } }
        // The removed member does not react. Its keys are removed with it, so a member that comes back later cannot
        // open its reaction.
        for index in [2, 9] { try world.step(index) { try $0.react("🌳", to: first) } }
        let removed = world[count - 1].id
        try world.step(0) { try $0.remove(removed, from: group) }
        try world.step(7) { try $0.leave(group) }
        try world.step(0) { try $0.edit(first, to: "by the founder") }
        world.run(for: 20_000)
        try world.step(0) { try $0.transferOwnership(group, to: world[1].id) }
        world.run(for: 20_000)
        world.deaf = []
        for index in Self.away.sorted() { try world.restart(index) }
        world.run(for: 20_000)
        try world.step(1) { try $0.rename(group, to: "Forest") }
        try scene.say("the last word", by: 3, in: group)
        world.run(for: 30_000)
        try expectEqual(scene, group, seed: seed)
        #expect(try !scene.texts(group, of: count - 1).contains("the last word"))
    }

    /// Checks that the remaining members have the same state, including reactions, votes and lines.
    private func expectEqual(_ scene: GroupScene, _ group: GroupID, seed: UInt64) throws {
        let count = Self.memberCount
        let stayed = (0..<count).filter { ![7, count - 1].contains($0) }
        let states = try Set(stayed.map { try scene.state(group, of: $0) })
        #expect(states.count == 1, "seed \(seed)")
        let state = try #require(states.first)
        #expect(state.members.count == count - 2 && state.said.count == 3 && state.title == "Forest", "seed \(seed)")
        #expect(state.owner == scene.world[1].id && state.lines.count == 4, "seed \(seed)")
        let shown = try stayed.map { try scene.messages(group, of: $0).map(Shown.init).sorted { $0.id < $1.id } }
        #expect(shown.allSatisfy { $0 == shown[0] }, "seed \(seed)")
        #expect(shown[0].contains { $0.reactions.first?.members.count == 2 }, "seed \(seed)")
        #expect(shown[0].contains { $0.votes?.map(\.count).reduce(0, +) == 3 }, "seed \(seed)")
    }
}
