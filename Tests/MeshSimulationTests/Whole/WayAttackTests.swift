import MeshCore
import Testing

@testable import MeshSimulation

@Suite("Attacks on ways")
struct WayAttackTests {
    @Test("A relay that takes what goes along ways costs time, but no message", arguments: [1, 2] as [UInt64])
    func sink(seed: UInt64) throws {
        let result = try NamedScenario.run("waysink", seed: seed)
        let figures = result.figures
        #expect(result.isWithinBar && figures[.repeats] == 0 && result.calmFigures?[.postsPerMessage] == 0)
        #expect(try #require(figures[.intercepted]) > 10)
    }

    @Test("A relay that claims others' labels gets payloads, but no message is lost", arguments: [1, 2] as [UInt64])
    func thief(seed: UInt64) throws {
        let result = try NamedScenario.run("trailsteal", seed: seed)
        let figures = result.figures
        #expect(result.isWithinBar && figures[.acknowledged] == 1 && figures[.repeats] == 0)
        #expect(try #require(figures[.intercepted]) > 10)
        #expect(try #require(figures[.wayGap]) > 0.3)
    }
}
