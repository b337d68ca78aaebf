import MeshCore
import Testing

@testable import MeshSimulation

@Suite("Attacks on shelves")
struct ShelfAttackTests {
    @Test("A neighbour whose sums never match is compared with once in five minutes", arguments: [1, 2] as [UInt64])
    func liar(seed: UInt64) throws {
        let result = try NamedScenario.run("depthliar", seed: seed)
        #expect(result.isWithinBar)
        // It is compared with all the same, and its status changes all the time.
        #expect(result.figures[.comparisons] == 1)
        #expect(try #require(result.figures[.hostileMessages]) > 500)
    }

    @Test("A flood of one shelf leaves hosts with other shelves their depth and mail", arguments: [1, 2] as [UInt64])
    func ground(seed: UInt64) throws {
        let result = try NamedScenario.run("shelfgrind", seed: seed)
        #expect(result.isWithinBar)
        let count = Double(result.scenario.topology.hostCount)
        #expect(try #require(result.figures[.elsewhere]) >= count / 2)
        #expect(try #require(result.figures[.heldCopies]) > 0)
    }

    @Test("Flooded envelopes belong on the shelf of the first host, and other hosts halve theirs no further")
    func depths() throws {
        let scenario = try #require(NamedScenario("shelfgrind")).scenario()
        let attacked = try FinishedRun.of(scenario)
        let calm = try FinishedRun.of(scenario.withoutAdversary)
        let shelf = try #require(attacked.attack?.groundShelf)
        let depths = [attacked, calm].map { run in run.currentShelves.compactMap { $0?.depth } }
        #expect(attacked.currentShelves[0].map { shelf.covers($0.prefix) } == true)
        #expect(depths[0][0] > depths[1][0])
    }
}

/// A run of whole nodes that has ended, for tests that look into it.
enum FinishedRun {
    static func of(_ scenario: Scenario) throws -> WholeRun {
        let report: (ScenarioProgress) throws -> Void = { _ in }
        var run = try WholeRun(scenario, report)
        try run.carryOut(as: .running, report)
        return run
    }
}
