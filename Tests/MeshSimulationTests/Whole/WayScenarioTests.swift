import MeshCore
import Testing

@testable import MeshSimulation

@Suite("Ways that break")
struct WayScenarioTests {
    /// Two hosts that talk through pairs of relays, some of which die and then become black holes.
    private static func talk(seed: UInt64) throws -> (scenario: Scenario, firstHole: Duration) {
        var settings = ScenarioSettings()
        settings.seed = seed
        let scenario = try NamedScenario.wayBreak.scenario(settings)
        let firstHole = scenario.events.first { if case .blackHole = $0.change { true } else { false } }?.at
        return (scenario, try #require(firstHole))
    }

    @Test("Messages along a way go around each relay that dies, and each comes once", arguments: [1, 2] as [UInt64])
    func deaths(seed: UInt64) throws {
        var (scenario, firstHole) = try Self.talk(seed: seed)
        scenario.events.removeAll { $0.at >= firstHole }
        scenario.messages.removeAll { $0.at >= firstHole }
        let result = scenario.run()
        print("FIGURE a way whose relays die: \(result.figures)")
        #expect(result.isWithinBar && result.crashedHosts.isEmpty)
        // Some messages were lost with a relay, and all others went along ways.
        let posts = try #require(result.figures[.postsPerMessage])
        #expect(posts > 0 && posts < 0.2)
        #expect(try #require(result.figures[.latencyP99]) > 0.1)
    }

    @Test("A black hole on the way costs time, but no message", arguments: [1, 2] as [UInt64])
    func blackHoles(seed: UInt64) throws {
        let scenario = try Self.talk(seed: seed).scenario
        let result = scenario.run()
        print("FIGURE a way through black holes: \(result.figures)")
        // A message may wait for a way, and then be carried in vain, for a second each.
        #expect(result.isWithinBar)
        #expect(try #require(result.figures[.postsPerMessage]) > 0.2)
        #expect(scenario.run() == result)
    }

    @Test("A host that crashes and starts again is part of the mesh, and not late")
    func back() {
        var scenario = Scenario("back", .clique(4))
        scenario.linking = .whole
        scenario.events = [
            ScenarioEvent(at: .milliseconds(100), .crash([3])), ScenarioEvent(at: .seconds(1), .start([3])),
        ]
        scenario.messages = [ScenarioMessage(at: .seconds(3), author: 0)]
        let result = scenario.run()
        #expect(result.timeToOneComponent != nil && result.figures[.joinTime] == nil)
        #expect(result.messages[0].arrivals.contains { $0.host == 3 } && result.crashedHosts.isEmpty)
    }
}
