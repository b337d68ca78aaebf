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

    @Test("A relay that claims others' labels gets payloads, but no message is lost", arguments: [1, 2] as [UInt64])
    func thief(seed: UInt64) throws {
        let result = try Self.run("trailsteal", seed: seed)
        let figures = result.figures
        #expect(result.isWithinBar && figures[.acknowledged] == 1 && figures[.repeats] == 0)
        #expect(try #require(figures[.intercepted]) > 10)
        #expect(try #require(figures[.wayGap]) > 0.3)
    }

    @Test("A thief passes a payload on under another label, and takes what comes to that")
    func labels() throws {
        let message = PathMessage(to: PathLabel(1), from: PathLabel(2), hops: 3, isEnvelope: true, payload: [7, 8])
        let encoded = HostileMessage.routed(message)
        #expect(HostileMessage.payload(encoded) == message)
        let plain = PathMessage(to: PathLabel(5), hops: 0, payload: [9])
        #expect(HostileMessage.payload(HostileMessage.routed(plain)) == plain)
        #expect(HostileMessage.payload(TreeMessage.prune.encoded()) == nil)
    }
}
