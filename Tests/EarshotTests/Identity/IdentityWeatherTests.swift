import ChatCrypto
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Identities in any weather")
struct IdentityWeatherTests {
    @Test(
        "Late, lost, doubled, reordered and cut off, the same people are known and revoked in the end",
        arguments: 1...6 as ClosedRange<UInt64>
    )
    func weather(seed: UInt64) throws {
        let quality = EngineWorld.Quality(delay: 1...4_000, loss: 0.2, redelivery: 1_000...30_000, duplication: 0.4)
        let names = ["Alice", "Bob", "Carol"]
        let scene = try GroupScene(names, quality: quality, seed: seed, areStrangers: true)
        let world = scene.world
        world.run(for: 120_000)
        for index in 0..<3 {
            for other in 0..<3 where other != index { try scene.befriend(index, other) }
        }
        world.crashesLeft = 6
        world.joining = 0.3
        let first = world.nodes.map(\.id)
        try world.step(0) { _ = try $0.rotate() }
        try world.send("from the first", from: 1, to: first[0])
        world.run(for: seed * 700)
        try world.step(0) { _ = try $0.rotate() }
        try world.step(1) { _ = try $0.rotate() }
        world.run(for: seed * 500)
        let carol = world[2].id
        try world.step(2) { _ = try $0.revoke(by: nil) }
        world.run(for: 300_000)
        world.crashesLeft = 0
        world.sleep(for: 7_200_000)
        world.sleep(for: 7_200_000)
        let (alice, bob) = (world[0].id, world[1].id)
        #expect(world[0].engine.trust.state(of: bob) == .tofu && world[1].engine.trust.state(of: alice) == .tofu)
        #expect(world[0].engine.trust.isSuccessor(bob, of: first[1]))
        #expect(world[1].engine.trust.isSuccessor(alice, of: first[0]))
        for index in 0..<2 { #expect(world[index].engine.trust.state(of: carol) == .revoked, "\(index)") }
        #expect(try world[0].textsReceived(from: first[1], at: world.now) == ["from the first"])
        try world.send("in the end", to: bob)
        world.run(for: 120_000)
        #expect(try world[1].textsReceived(from: alice, at: world.now) == ["in the end"])
    }
}
