import MeshCore
import MeshSimulation
import Testing

@Suite("Scenarios of whole nodes")
struct WholeScenarioTests {
    private static func village(_ count: Int = 5, seed: UInt64 = 1) -> Scenario {
        var scenario = Scenario("village", .clique(count), seed: seed)
        scenario.linking = .whole
        return scenario
    }

    @Test(
        "A message costs four envelopes, one to a group a receipt and a proof more for each reader, one to all itself"
    )
    func envelopes() {
        func figures(_ recipients: [Int]) -> [ScenarioFigure: Double] {
            var scenario = Self.village()
            scenario.messages = [ScenarioMessage(at: .milliseconds(10), author: 0, recipients: recipients)]
            return scenario.run().figures
        }
        #expect([[3], [1, 2, 4], []].map { figures($0)[.envelopesPerMessage] } == [4, 7, 1])
        let group = figures([1, 2, 4])
        #expect(group[.delivered] == 1 && group[.acknowledged] == 1 && figures([])[.acknowledged] == nil)
    }

    @Test("The same scenario gives the same result, and another seed another")
    func seeds() {
        func result(_ seed: UInt64) -> ScenarioResult {
            var scenario = Self.village(seed: seed)
            scenario.write(3)
            scenario.adversary = SimAdversary(.lifefirst, rate: 50, for: .seconds(1))
            return scenario.run()
        }
        let first = result(1)
        #expect(result(1) == first && result(2).traceHash != first.traceHash)
    }

    @Test("Hosts that crash get nothing and count for nothing, and those that start late join and get what comes then")
    func lateAndCrashed() throws {
        var scenario = Self.village(6)
        scenario.events = [
            ScenarioEvent(at: .milliseconds(100), .crash([1])), ScenarioEvent(at: .seconds(2), .start([5])),
        ]
        scenario.messages = [0, 1, 3].map { ScenarioMessage(at: .seconds($0) + .milliseconds(200), author: 0) }
        let result = scenario.run()
        #expect(result.crashedHosts == [1] && result.figures[.delivered] == 1 && result.figures[.pieces] == 1)
        let late = result.messages.map { $0.arrivals.contains { $0.host == 5 } }
        // The earlier messages come by the comparison of stores, and are not due.
        #expect(late[2] && result.messages.allSatisfy(\.isComplete))
        #expect(try #require(result.figures[.joinTime]) < 1)
    }

    @Test("A link of hosts on two segments joins them, and without it they stay two pieces")
    func connect() {
        var scenario = Scenario("two", Topology(hostCount: 4, segments: [[0, 1], [2, 3], [1, 2]]))
        scenario.linking = .whole
        scenario.messages = [ScenarioMessage(at: .seconds(40), author: 0)]
        scenario.events = [ScenarioEvent(at: .seconds(1), .disconnect(1, 2))]
        let apart = scenario.run()
        #expect(apart.figures[.pieces] == 2 && apart.messages[0].missedHosts == [2, 3])
        scenario.events.append(ScenarioEvent(at: .seconds(20), .connect(0, 3)))
        let joined = scenario.run()
        #expect(joined.figures[.pieces] == 1 && joined.messages[0].isComplete)
    }

    @Test("Airtime is that of the messages, and a channel that changes changes it")
    func air() throws {
        var scenario = Self.village()
        scenario.channel = SharedChannel()
        scenario.messages = ScenarioMessage.evenly(10, every: .milliseconds(200), among: Array(0..<5))
        let result = scenario.run()
        let share = try #require(result.figures[.airtime])
        #expect(share > 0 && share < 0.2 && result.airtime?[.post] ?? .zero > .zero)
        var slow = SharedChannel()
        slow.unicastRate = 2_000_000
        scenario.events = [ScenarioEvent(at: .zero, .air(slow))]
        #expect(scenario.run().figures[.airtime] ?? 0 > share * 2)
        scenario.messages = []
        #expect(scenario.run().figures[.airtime] ?? 1 < share)
    }

    @Test("A load rises until the channel is full, and the highest that it carried is the figure")
    func rising() throws {
        var scenario = Self.village(6)
        var channel = SharedChannel()
        channel.unicastRate = 1_000_000
        (scenario.channel, scenario.isRising) = (channel, true)
        scenario.patience = .seconds(6)
        scenario.talk(100, perMinute: 60, seed: 1)
        let highest = try #require(scenario.run().figures[.messagesPerMinute])
        #expect(highest >= 30 && highest < 8_000)
        scenario.channel?.unicastRate = 5_000_000
        #expect(try #require(scenario.run().figures[.messagesPerMinute]) > highest)
    }
}
