import MeshCore
import Testing

@testable import MeshSimulation

@Suite("Large objects in a crowd")
struct LargeObjectTests {
    @Test(
        "A host that was absent has 1 MiB within ten seconds of its start, and few hosts kept it",
        arguments: [1, 2, 3]
    )
    func absent(seed: UInt64) throws {
        let result = try NamedScenario.run("large", seed: seed)
        #expect(result.isWithinBar)
        #expect(try #require(result.figures[.copiesPerPiece]) >= 3)
    }

    @Test("Where few hosts are in sight, all have each piece, and one that comes later gets them by comparing")
    func few() throws {
        let result = try NamedScenario.run("large", nodeCount: 10)
        #expect(result.figures[.copiesPerPiece] == 8)
        #expect(try #require(result.figures[.objectTime]) < 10)
    }

    @Test("Enough keepers of an object are left where three of ten hosts forget it", arguments: [1, 2] as [UInt64])
    func forgetful(seed: UInt64) throws {
        let result = try NamedScenario.run("seekliar", seed: seed)
        #expect(result.isWithinBar)
        // Some of the eight were among them.
        #expect(try #require(result.figures[.fewestCopies]) < 8)
    }

    @Test("A host that is present gets an object of its message from the author and the keepers, soon")
    func present() throws {
        var scenario = try NamedScenario.large.scenario()
        scenario.events = []
        let figures = scenario.run().figures
        print("FIGURE 1 MiB for a present host: \(figures)")
        #expect(try #require(figures[.objectTime]) < 10)
        #expect(figures[.delivered] == 1)
    }
}
