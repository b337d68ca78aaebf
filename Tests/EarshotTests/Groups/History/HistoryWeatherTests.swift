import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("History for newcomers, whatever the mesh does")
struct HistoryWeatherTests {
    private static let names = ["Alice", "Bob", "Carol", "Dave", "Eve"]

    @Test(
        "Under loss, repetition, any order and crashes newcomers end with what those have who were there all the time",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func equalStates(seed: UInt64) throws {
        let scene = try GroupScene(Self.names, quality: EngineWorld.Quality(), seed: seed)
        let world = scene.world
        let group = try scene.create(with: [1, 2], history: .all)
        world.crashesLeft = 8
        world.joining = seed.isMultiple(of: 2) ? 0.5 : 0
        var random = SplitMix64(seed: seed ^ 0x4E)
        var ids: [MessageID] = []
        var present = 3
        for number in 0..<60 {
            if number == 25 || number == 40 {
                let newMember = world[present].id
                try scene.own(group) { try $0.add([newMember], to: group) }
                present += 1
            }
            let index = Int.random(in: 0..<present, using: &random)
            if Int.random(in: 0..<15, using: &random) == 0 { try world.restart(index) }
            // The node may refuse an action because of the state of the group and the message at that time. The test
            // accepts this.
            try? Self.act(number, index, group, &ids, world, &random)
            world.run(for: UInt64.random(in: 0...1_200, using: &random))
        }
        world.run(for: 900_000)
        let states = try world.nodes.indices.map { try scene.shown(group, of: $0).sorted { $0.id < $1.id } }
        for index in 1..<Self.names.count { #expect(states[index] == states[0], "seed \(seed), \(Self.names[index])") }
        for index in 3...4 {
            #expect(try scene.attesters(group, of: index).contains { !$0.isEmpty }, "seed \(seed)")
            #expect(scene.pull(group, of: index)?.isOver == true, "seed \(seed)")
        }
        #expect(states[0].contains { !$0.reactions.isEmpty }, "seed \(seed)")
    }

    private static func act(
        _ number: Int,
        _ index: Int,
        _ group: GroupID,
        _ ids: inout [MessageID],
        _ world: EngineWorld,
        _ random: inout SplitMix64
    ) throws {
        let target = ids.randomElement(using: &random)
        let choice = Int.random(in: 0..<3, using: &random)
        var made: MessageID?
        try world.step(index) { engine in
            switch (number % 7, target) {
            case (0...1, _), (_, nil):
                let poll = Poll("\(number)?", options: ["a", "b", "c"])
                made =
                    choice == 0
                    ? try engine.ask(poll, to: .group(group)).id
                    : try engine.send("\(number)", to: .group(group)).id
            case (2, let id?): try engine.edit(id, to: "edit \(number)")
            case (3, let id?): try engine.vote([choice], in: id)
            case (4, let id?) where choice == 0: try engine.delete(id, forEveryone: true)
            case (5, let id?) where choice == 0: try engine.closePoll(id)
            case (_, let id?): try engine.react(Emoji.quickSet[choice], to: id)
            }
        }
        if let made { ids.append(made) }
    }
}
