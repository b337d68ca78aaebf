import ChatCrypto
import Earshot
import MeshCore
import Testing

@Suite("Groups of engines, whatever the mesh does")
struct GroupPropertyTests {
    private static let names = ["Alice", "Bob", "Carol", "Dave", "Eve"]

    @Test(
        "Under loss, repetition, any order and crashes all members end with the same state",
        arguments: 1...20 as ClosedRange<UInt64>
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
        try world.step(0) { group = try $0.createGroup(title: "Trees", members: [], in: &$1).id }
        let id = try #require(group)
        for index in 1..<Self.names.count {
            let peer = world[index].id
            try world.step(0) { try $0.add([peer], to: id, in: &$1) }
            world.run(for: UInt64.random(in: 0...2_000, using: &random))
        }
        world.run(for: 20_000)
        var said = 0
        for _ in 0..<40 {
            let index = Int.random(in: 0..<Self.names.count, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: try world.step(0) { try $0.rename(id, to: "Trees \(said)", in: &$1) }
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
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func comingAndGoing(seed: UInt64) throws {
        let scene = try GroupScene(Self.names, quality: EngineWorld.Quality(), seed: seed)
        let world = scene.world
        let group = try scene.found(with: [1, 2, 3])
        var random = SplitMix64(seed: seed ^ 0x91)
        for step in 0..<12 {
            let peer = world[Int.random(in: 1..<Self.names.count, using: &random)].id
            let isIn = try scene.view(group, of: 0).members.contains { $0.id == peer }
            let index = try #require(world.nodes.firstIndex { $0.id == peer })
            switch (isIn, Int.random(in: 0..<3, using: &random)) {
            case (false, _): try world.step(0) { try $0.add([peer], to: group, in: &$1) }
            case (true, 0): try world.step(0) { try $0.remove(peer, from: group, in: &$1) }
            case (true, 1): try? world.step(index) { try $0.leave(group, in: &$1) }
            default: _ = try? scene.say("\(step)", by: index, in: group)
            }
            world.run(for: UInt64.random(in: 0...8_000, using: &random))
        }
        world.run(for: 60_000)
        // Who left of its own will was only asked whether it wants to come back.
        for index in 1..<Self.names.count where world[index].engine.view(of: group)?.standing == .invited {
            try world.step(index) { try $0.answerInvitation(group, accepts: true, in: &$1) }
        }
        world.run(for: 60_000)
        let members = try scene.view(group, of: 0).members.map(\.id)
        for (index, node) in world.nodes.enumerated() {
            guard members.contains(node.id) else {
                #expect(node.engine.view(of: group).map { $0.standing == .out } ?? true)
                continue
            }
            let (own, first) = (try scene.view(group, of: index), try scene.view(group, of: 0))
            #expect(own.standing == .member)
            #expect(own.members.map(\.id) == first.members.map(\.id) && own.epoch == first.epoch)
        }
        try scene.say("all here?", by: 0, in: group)
        world.run(for: 30_000)
        for (index, node) in world.nodes.enumerated() {
            #expect(try scene.texts(group, of: index).contains("all here?") == members.contains(node.id))
        }
    }

    @Test("30 members on a mesh that loses a tenth end with the same state", arguments: [1] as [UInt64])
    func thirtyMembers(seed: UInt64) throws {
        var quality = EngineWorld.Quality()
        quality.duplication = 0
        let scene = try GroupScene((0..<30).map { "Member \($0)" }, quality: quality, seed: seed, areStrangers: true)
        for index in 1..<30 { try scene.befriend(index, 0) }
        let group = try scene.found(with: Array(1..<30))
        for index in 0..<3 {
            try scene.say("by \(index)", by: index * 10, in: group)
            scene.world.run(for: 200)
        }
        let removed = scene.world[29].id
        try scene.world.step(0) { try $0.remove(removed, from: group, in: &$1) }
        try scene.world.step(7) { try $0.leave(group, in: &$1) }
        scene.world.run(for: 20_000)
        try scene.say("the last word", by: 3, in: group)
        scene.world.run(for: 20_000)
        let stayed = (0..<30).filter { ![7, 29].contains($0) }
        let states = try Set(stayed.map { try scene.state(group, of: $0) })
        #expect(states.count == 1 && states.first?.members.count == 28 && states.first?.said.count == 4)
        #expect(try !scene.texts(group, of: 29).contains("the last word"))
    }
}
