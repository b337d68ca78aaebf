import ChatCrypto
import ChatHistory
import Earshot
import MeshCore
import Testing

@testable import ChatCore

/// Both sides end with the same messages, whatever the mesh does with envelopes and whenever a process ends.
@Suite("Changes over a lossy mesh, with crashes")
struct ChangeWeatherTests {
    @Test("Two nodes that do all they can end with the same", arguments: 1...15 as ClosedRange<UInt64>)
    func converge(seed: UInt64) throws {
        let scene = try ContentScene(quality: EngineWorld.Quality(), seed: seed)
        var random = SplitMix64(seed: seed)
        var ids: [MessageID] = []
        for number in 0..<60 {
            if number == 20 { scene.world.crashesLeft = 3 }
            let index = Int.random(in: 0...1, using: &random)
            let peer = scene.peer(of: index)
            let id = ids.randomElement(using: &random)
            let action = Int.random(in: 0..<10, using: &random)
            let choice = Int.random(in: 0..<3, using: &random)
            let isOn = Bool.random(using: &random)
            // The node may refuse a change because of the state of the message at that time. The test accepts this.
            _ = scene.refusal(index) { engine in
                switch (action, id) {
                case (0, _), (_, nil): ids.append(try engine.send("\(number)", to: .direct(peer)).id)
                case (1, _):
                    let poll = Poll("\(number)?", options: ["a", "b", "c"], allowsChange: isOn)
                    ids.append(try engine.ask(poll, to: .direct(peer)).id)
                case (2, let id?) where number.isMultiple(of: 3):
                    try engine.delete(id, forEveryone: true)
                case (3, let id?) where isOn: try engine.closePoll(id)
                case (4...5, let id?): try engine.edit(id, to: "edit \(number)")
                case (6...7, let id?): try engine.vote([choice], in: id)
                case (_, let id?): try engine.react(Emoji.quickSet[choice], to: id)
                }
            }
            scene.world.run(for: UInt64.random(in: 0...500, using: &random))
        }
        scene.world.run(for: 600_000)
        let shown = try (0...1).map { index in
            try scene.shown(index).map(Shown.init).sorted { $0.id < $1.id }
        }
        #expect(shown[0] == shown[1], "seed \(seed)")
        #expect(shown[0].count > 1, "seed \(seed)")
        for index in 0...1 {
            #expect(try scene.world[index].store.count(.pendingChanges, conversation: nil) == 0, "seed \(seed)")
        }
    }
}
