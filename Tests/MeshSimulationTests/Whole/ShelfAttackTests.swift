import MeshCore
import Testing

@testable import MeshSimulation

@Suite("Attacks on shelves")
struct ShelfAttackTests {
    private static func run(_ name: String, seed: UInt64) throws -> ScenarioResult {
        var settings = ScenarioSettings()
        settings.seed = seed
        let result = try #require(NamedScenario(name)).scenario(settings).run()
        print("FIGURE \(name) \(seed): \(result.figures)")
        return result
    }

    @Test("A neighbour whose sums never match is compared with once in five minutes", arguments: [1, 2] as [UInt64])
    func liar(seed: UInt64) throws {
        let result = try Self.run("depthliar", seed: seed)
        #expect(result.isWithinBar)
        // It is compared with all the same, and its status changes all the time.
        #expect(result.figures[.comparisons] == 1)
        #expect(try #require(result.figures[.hostileMessages]) > 500)
    }
}
