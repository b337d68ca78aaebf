import GatewayCore
import MeshCore
import Testing

@testable import MeshSimulation

@Suite("Two meshes that a hub joins")
struct IslandScenarioTests {
    private static func scenario(
        _ nodeCount: Int = 24,
        messages: Int = 200,
        seed: UInt64 = 1,
        change: (inout IslandPlan) -> Void = { _ in }
    ) throws -> Scenario {
        var settings = ScenarioSettings()
        (settings.nodeCount, settings.messageCount, settings.seed) = (nodeCount, messages, seed)
        var scenario = try #require(NamedScenario("islands")).scenario(settings)
        var plan = try #require(scenario.islands)
        change(&plan)
        scenario.islands = plan
        return scenario
    }

    private static func bridge(_ scenario: Scenario) throws -> (figures: [ScenarioFigure: Double], IslandBridge) {
        let run = try FinishedRun.of(scenario)
        print("FIGURE islands \(scenario.topology.hostCount) \(scenario.seed): \(run.farFigures)")
        return (run.farFigures, try #require(run.bridge))
    }

    @Test("Mail crosses to its reader, exactly once, and nothing else does", arguments: [(24, 1), (24, 2), (60, 3)])
    func crossing(nodeCount: Int, seed: UInt64) throws {
        let scenario = try Self.scenario(nodeCount, messages: 300, seed: seed)
        #expect(scenario.islands?.gateways.count == 6)
        let (figures, bridge) = try Self.bridge(scenario)
        let asked = bridge.mail.asked
        // One message in twenty, and a receipt for each.
        #expect(asked.count == 30 && asked.count { $0.confirmed == nil } == 15)
        #expect(asked.allSatisfy { $0.arrivals.count == 1 } && bridge.strays.isEmpty)
        for island in [0, 1] {
            let ids = asked.filter { bridge.plan.island(of: $0.reader) == island }.map(\.id)
            #expect(!ids.isEmpty && bridge.injectedEnvelopes[island] == Set(ids))
        }
        // Every gateway fetches what its island reads, once.
        for gateway in bridge.gateways {
            let island = bridge.plan.island(of: gateway.host)
            #expect(Set(gateway.injected) == bridge.injectedEnvelopes[island])
            #expect(Set(gateway.injected).count == gateway.injected.count)
        }
        #expect(figures[.farDelivered] == 1 && figures[.strayEnvelopes] == 0 && figures[.delivered] == 1)
        #expect(try #require(figures[.publishesPerEnvelope]) <= 1.05 && figures[.storedAtHub] == 30)
        // Some waited for the hub.
        #expect(try #require(figures[.crossingP50]) < 1 && figures[.crossingP99] ?? 0 > 5)
    }

    @Test("Mail for readers that are near, who confirm in time, stays in its mesh")
    func near() throws {
        let (_, bridge) = try Self.bridge(Self.scenario())
        let near = bridge.mail.posts.filter { !bridge.mail.isAcross($0) }
        #expect(near.count == 10 && near.allSatisfy { $0.arrivals.count == 1 })
        #expect(Set(bridge.storedEnvelopes.map(\.body)).isDisjoint(with: near.map(\.body)))
    }

    @Test("Without a loss of the hub each envelope is published once")
    func once() throws {
        let (figures, _) = try Self.bridge(Self.scenario { $0.outage = nil })
        #expect(figures[.publishesPerEnvelope] == 1 && figures[.duplicates] == 0 && figures[.farDelivered] == 1)
        #expect(figures[.publishesAfterLoss] == nil)
        #expect(try #require(figures[.crossingP99]) < 5)
    }

    @Test("A hub that comes back without its mail costs none", arguments: [1, 2] as [UInt64])
    func wiped(seed: UInt64) throws {
        let (figures, bridge) = try Self.bridge(Self.scenario(seed: seed) { $0.outage?.losesMail = true })
        #expect(figures[.farDelivered] == 1 && figures[.strayEnvelopes] == 0)
        #expect(bridge.gateways.allSatisfy { $0.engine.counters[0].reconnects == 1 })
    }

    /// At some of these moments the only gateway of the author has the confirmation, and no other has the mail.
    @Test("Mail that a hub loses at any moment of its way comes all the same", arguments: 40..<54)
    func lostOnTheWay(milliseconds: Int) throws {
        let begin = Duration.milliseconds(500 + milliseconds)
        var scenario = try Self.scenario(messages: 4) {
            $0.gateways.removeSubrange(1...2)
            $0.outage = IslandPlan.Outage(begin: begin, end: begin + .seconds(2), losesMail: true)
        }
        scenario.patience = .seconds(12)
        let run = try FinishedRun.of(scenario)
        let bridge = try #require(run.bridge)
        let first = try #require(bridge.mail.asked.first)
        #expect(run.start.duration(to: first.writtenAt) == .milliseconds(500))
        #expect(bridge.plan.island(of: first.author) == 0 && bridge.mail.asked.count >= 3)
        #expect(run.farFigures[.farDelivered] == 1)
    }

    @Test("Mail that cannot cross is missed: without gateways in one island, and without a hub")
    func missed() throws {
        let (alone, _) = try Self.bridge(Self.scenario { $0.gateways.removeLast(3) })
        #expect(alone[.farDelivered] == 0 && alone[.injectedIntoSecond] == 0 && alone[.publishesPerEnvelope] == 0.5)
        #expect(try #require(alone[.crossingP50]) > 60)
        let scenario = try Self.scenario { $0.outage?.end = .seconds(1_000) }
        let result = scenario.run()
        #expect(try #require(result.figures[.farDelivered]) < 1)
        #expect(result.missedLimits.map(\.figure) == [.delivered, .farDelivered])
        #expect(result.messages.count == 200 && result.messages.contains { !$0.isComplete })
    }

    @Test("A link between the islands shows in what strays")
    func strays() throws {
        var scenario = try Self.scenario()
        scenario.events = [ScenarioEvent(at: .seconds(10), .connect(0, 23))]
        let result = scenario.run()
        #expect(try #require(result.figures[.strayEnvelopes]) > 100)
        #expect(result.missedLimits.contains { $0.figure == .strayEnvelopes } && result.figures[.pieces] == 1)
    }

    @Test("The same scenario gives the same result, and few hosts have few gateways")
    func small() throws {
        let scenario = try Self.scenario(5, messages: 40)
        #expect(scenario.islands?.gateways == [1, 3])
        let result = scenario.run()
        #expect(result.isWithinBar && scenario.run() == result)
        let counts = [8, 24, 500].map { IslandPlan(hostCount: $0).gateways }
        #expect(counts.map(\.count) == [2, 6, 6])
        #expect(counts[1] == [2, 6, 10, 14, 18, 22])
    }
}
