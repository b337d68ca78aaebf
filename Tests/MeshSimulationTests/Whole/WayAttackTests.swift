import MeshCore
import Testing

@testable import MeshSimulation

@Suite("Attacks on ways")
struct WayAttackTests {
    private static func run(_ name: String, seed: UInt64) throws -> ScenarioResult {
        var settings = ScenarioSettings()
        settings.seed = seed
        let result = try #require(NamedScenario(name)).scenario(settings).run()
        print("FIGURE \(name) \(seed): \(result.figures)")
        return result
    }

    @Test("A relay that takes what goes along ways costs time, but no message", arguments: [1, 2] as [UInt64])
    func sink(seed: UInt64) throws {
        let result = try Self.run("waysink", seed: seed)
        let figures = result.figures
        #expect(figures[.delivered] == 1 && figures[.repeats] == 0 && result.calmFigures?[.postsPerMessage] == 0)
        #expect(try #require(figures[.intercepted]) > 10)
        #expect(try #require(figures[.latencyP99]) < 4.5)
    }
}
