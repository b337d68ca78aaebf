import MeshSimulation
import Testing

@Suite("The table of scenarios")
struct ScenarioTableTests {
    private static let expected = [
        "line", "grid", "rgg", "clique", "barbell", "churn", "partition", "storm", "clock", "way-break", "shelf-load",
        "shelf-return", "shelf-churn", "islands",
        "air-50", "air-500", "air-group", "air-idle", "large", "air-500-max", "air-1mbit", "air-loss30",
        "air-nomulticast",
        "air-isolation", "air-5000", "spammer", "share",
        "sybil", "lifefirst", "poison", "linkkill", "ban", "reflect", "offlink", "outsider", "statusflood", "eclipse",
        "dialamp", "fakes", "pushforge", "holes", "probes", "sync", "reconnect", "offercpu", "ihavecpu", "pathcpu",
        "waysink", "trailsteal", "depthliar", "shelfgrind", "seekliar",
    ]

    @Test("Every scenario has one name, a sentence and a bar, and its name finds it")
    func names() {
        let all = NamedScenario.allCases
        #expect(all.map(\.name) == Self.expected)
        #expect(Set(all).count == all.count)
        for scenario in all {
            #expect(
                scenario.summary.hasSuffix(".") && !scenario.bar.isEmpty
                    && scenario.nodeCounts.contains(scenario.usualNodeCount)
            )
            #expect(NamedScenario(scenario.name) == scenario && "\(scenario)" == scenario.name)
        }
        #expect(NamedScenario("gossip") == nil)
        #expect(
            all.filter { $0.tier == .demand && $0.kind == .attack }.map(\.name)
                == ["offercpu", "ihavecpu", "pathcpu"]
        )
    }

    @Test("An air scenario has a channel, an attack something hostile, and a calm one neither")
    func kinds() throws {
        for name in NamedScenario.allCases {
            let scenario = try name.scenario()
            let isHostile = scenario.adversary != nil || scenario.honestHosts.count < scenario.topology.hostCount
            #expect((scenario.channel != nil) == (name.kind == .air))
            if name.kind == .attack { #expect(isHostile, "\(name)") }
            if name.kind != .attack { #expect(scenario.adversary == nil, "\(name)") }
            #expect(scenario.bar == name.bar && scenario.name == name.name)
        }
    }

    @Test("Every behaviour of an adversary has a scenario of its name")
    func behaviours() throws {
        for behaviour in SimAdversary.Behaviour.allCases {
            let scenario = try #require(NamedScenario(behaviour.rawValue)).scenario()
            #expect(scenario.adversary?.behaviour == behaviour)
        }
    }

    /// Runs a scenario with few hosts, few messages and little time.
    static func small(_ name: NamedScenario, seed: UInt64 = 1) throws -> Scenario {
        var settings = ScenarioSettings()
        settings.nodeCount = 6
        settings.messageCount = 4
        settings.seed = seed
        var scenario = try name.scenario(settings)
        scenario.patience = .seconds(2)
        scenario.adversary?.duration = .seconds(2)
        if let ids = scenario.adversary?.ids, ids > 20 { scenario.adversary?.ids = 20 }
        let last = (scenario.messages.map(\.at).max() ?? .zero) + .seconds(1)
        for index in scenario.events.indices { scenario.events[index].at = min(scenario.events[index].at, last) }
        return scenario
    }

    @Test(
        "Each scenario of whole nodes measures what its bar limits, in a run as small as can be",
        arguments: NamedScenario.whole
    )
    func measured(name: NamedScenario) throws {
        let result = try Self.small(name).run()
        for limit in result.scenario.bar {
            let figure = try #require(result.figures[limit.figure], "\(limit.figure)")
            #expect(figure >= 0 && result.missedLimits.contains(limit) == !limit.allows(figure))
        }
        #expect((result.calmFigures != nil) == (result.scenario.adversary != nil))
        #expect((result.airtime != nil) == (name.kind == .air) && result.measuredTime > .zero)
        #expect(result.picture().svg.contains(name.name))
    }

    @Test("Each scenario over simulated links measures what its bar limits", arguments: NamedScenario.overLinks)
    func spread(name: NamedScenario) throws {
        guard name != .spammer else { return }
        let result = try BarsMesh.run(name, nodes: 10, messages: 3)
        #expect(result.isWithinBar && result.missedLimits.isEmpty && result.calmFigures == nil)
        #expect(name.bar.allSatisfy { result.figures[$0.figure] != nil })
        #expect(result.figures[.delivered] == 1 && result.figures[.transmissions] ?? 0 >= 1)
    }

    @Test("A limit is a good value itself, and a figure that was not measured misses it")
    func limits() {
        let (least, most) = (ScenarioLimit.atLeast(.delivered, 0.9), ScenarioLimit.atMost(.latencyP99, 2))
        #expect([0.89, 0.9, 1, nil].map(least.allows) == [false, true, true, false])
        #expect([2.01, 2, 0, nil].map(most.allows) == [false, true, true, false])
        var scenario = Scenario("own", .line(3))
        scenario.write(1)
        scenario.bar = [.atLeast(.delivered, 1), .atMost(.latencyP99, 0), .atMost(.airtime, 1)]
        let result = scenario.run()
        #expect(!result.isWithinBar && result.missedLimits == Array(scenario.bar.dropFirst()))
    }
}
