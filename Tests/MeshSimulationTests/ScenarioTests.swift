import MeshCore
import MeshSimulation
import Testing

/// Tests of scenarios so small that their statistics can be worked out by hand.
@Suite("Scenarios")
struct ScenarioTests {
    private func result(
        _ name: NamedScenario,
        nodes: Int,
        messages: Int = 3,
        seed: UInt64 = 1
    ) throws -> ScenarioResult {
        try BarsMesh.run(name, nodes: nodes, seed: seed, messages: messages)
    }

    @Test("Along a line a message takes two to three milliseconds a link, and each link carries it once")
    func line() throws {
        let result = try result(.line, nodes: 5)
        let first = try #require(result.messages.first)
        #expect(first.author == 0)
        #expect(first.arrivals.map(\.host) == [1, 2, 3, 4])
        #expect(first.arrivals.map(\.hops) == [1, 2, 3, 4])
        for arrival in first.arrivals {
            let hops = arrival.hops
            #expect((.milliseconds(2 * hops) ... .milliseconds(3 * hops)).contains(arrival.latency))
            #expect(arrival.latency == arrival.after)
        }
        #expect(first.completion == first.arrivals.last?.after)
        #expect(result.overlay.linkCount == 4)
        #expect(result.statistics.transmissionsPerArrival == 1)
        #expect(result.statistics.controlPerArrival == 0)
        #expect(
            [result.statistics.messageCount, result.statistics.arrivalCount, result.statistics.missedCount] == [
                3, 12, 0,
            ]
        )
        #expect(result.recovery == nil)
        #expect(result.timeToOneComponent == nil)
    }

    @Test("In a grid nobody gets a message over fewer links than rows and columns lie between")
    func grid() throws {
        let result = try result(.grid, nodes: 7)
        #expect(result.overlay.neighbours == [[1, 3], [0, 2, 4], [1, 5], [0, 4, 6], [1, 3, 5], [2, 4], [3]])
        let distances = [0, 1, 2, 1, 2, 3, 2]
        let arrivals = try #require(result.messages.first).arrivals
        #expect(arrivals.map(\.host).sorted() == Array(1...6))
        #expect(arrivals.allSatisfy { $0.hops >= distances[$0.host] && ($0.hops - distances[$0.host]) % 2 == 0 })
    }

    @Test("Strewn hosts and hosts of one segment all get everything", arguments: [NamedScenario.rgg, .clique])
    func everybody(name: NamedScenario) throws {
        let result = try result(name, nodes: 12)
        #expect(result.completeCount == 3)
        #expect(result.statistics.coverage == 1)
        #expect(result.overlay.neighbours.allSatisfy { (1...11).contains($0.count) })
        let spread = try #require(result.statistics.hops)
        #expect(spread.median <= spread.percentile99 && spread.percentile99 <= spread.maximum)
    }

    @Test("Whole nodes find the one pair between two segments")
    func barbell() throws {
        let result = try result(.barbell, nodes: 9)
        #expect(try #require(result.timeToOneComponent) <= .seconds(2))
        let bridges = result.overlay.neighbours.enumerated().flatMap { host, others in
            others.filter { host < 4 && $0 >= 4 }.map { [host, $0] }
        }
        #expect(bridges == [[3, 4]])
        #expect(result.completeCount == 3)
    }

    @Test("When every fifth host dies, recovery is what the message of that moment takes")
    func churn() throws {
        let result = try result(.churn, nodes: 40, messages: 2)
        let dead = Array(stride(from: 2, to: 40, by: 5))
        #expect(result.crashedHosts == dead)
        #expect(result.scenario.honestHosts == (0..<40).filter { $0 % 5 != 2 })
        let first = try #require(result.messages.first)
        #expect(result.recovery == first.completion)
        #expect(first.arrivals.allSatisfy { !dead.contains($0.host) })
        #expect(first.arrivals.count == 31)
    }

    @Test("What two halves write waits ten minutes for the link between them, and then takes no time")
    func partition() throws {
        let result = try result(.partition, nodes: 13, messages: 4)
        #expect(result.messages.map { $0.author < 6 } == [true, false, true, false])
        #expect(result.completeCount == 4)
        for message in result.messages {
            let (near, far) = (
                message.arrivals.filter { ($0.host < 6) == (message.author < 6) },
                message.arrivals.filter { ($0.host < 6) != (message.author < 6) }
            )
            #expect(near.allSatisfy { $0.latency == $0.after && $0.after < .seconds(1) })
            #expect(far.allSatisfy { $0.after == .seconds(600) - message.at + $0.latency })
        }
        let latencies = result.messages.flatMap { $0.arrivals.map(\.latency) }
        #expect(result.recovery == latencies.max())
        #expect(try #require(result.recovery) < .seconds(5))
    }

    @Test("Of a burst of spam a relay takes what its limits say, and the others' messages all come")
    func spam() throws {
        var scenario = Scenario("flood", .star(5))
        scenario.events = [ScenarioEvent(at: .zero, .spam(Spam(from: 4, perSecond: 10_000, for: .milliseconds(500))))]
        scenario.messages = ScenarioMessage.evenly(
            3,
            from: .milliseconds(300),
            every: .milliseconds(10),
            among: [1, 2]
        )
        let result = scenario.run()
        // Two thousand of the five thousand envelopes pass at once, and five hundred a second after that.
        #expect((2_700...3_000).contains(result.statistics.drops[.limited] ?? 0))
        #expect(result.completeCount == 3)
        #expect(result.statisticsWithoutSpam?.drops == [:])
        #expect(result.statisticsWithoutSpam?.arrivalCount == 12)
        #expect(result.scenario.withoutSpam.end == scenario.end)
        #expect(scenario.honestHosts == [0, 1, 2, 3])
    }

    @Test("A message is missed where links lead and it did not come, not where none lead")
    func missed() {
        var apart = Scenario("apart", Topology.line(3).beside(.line(2)))
        apart.write(2)
        let result = apart.run()
        #expect(result.statistics.coverage == 1)
        #expect(result.messages.map(\.author) == [0, 2])
        #expect(result.messages.map { $0.arrivals.map(\.host).sorted() } == [[1, 2], [0, 1]])

        var long = Scenario("long", .line(260))
        long.messages = [ScenarioMessage(at: .zero, author: 0)]
        let message = long.run().messages[0]
        #expect(message.arrivals.map(\.hops) == Array(1..<260))
        #expect(message.missedHosts.isEmpty)
    }

    @Test("A host that is off writes nothing, and a link that is cut carries nothing")
    func events() {
        var scenario = Scenario("own", .line(4))
        scenario.events = [
            ScenarioEvent(at: .seconds(1), .crash([0])), ScenarioEvent(at: .seconds(2), .disconnect(2, 3)),
        ]
        scenario.messages = [0, 1, 2].map { ScenarioMessage(at: .seconds($0 * 2), author: $0) }
        let result = scenario.run()
        #expect(result.messages.map(\.author) == [0, 1, 2])
        #expect(result.messages.map { $0.arrivals.map(\.host).sorted() } == [[1, 2, 3], [2], [1]])
        scenario.messages[1].author = 0
        #expect(scenario.run().messages.map(\.author) == [0, 2])
    }

    @Test("Equal scenarios have equal results, and another seed has another", arguments: NamedScenario.overLinks)
    func seeds(name: NamedScenario) throws {
        guard name != .spammer else { return }
        let first = try result(name, nodes: 10)
        #expect(try result(name, nodes: 10) == first)
        #expect(try result(name, nodes: 10, seed: 2).traceHash != first.traceHash)
    }

    @Test("Authors are many, whatever the number of hosts", arguments: [617, 1_234, 619, 2, 1])
    func authors(hostCount: Int) {
        let messages = ScenarioMessage.evenly(10, every: .seconds(1), among: Array(0..<hostCount))
        #expect(Set(messages.map(\.author)).count == min(10, hostCount))
        #expect(messages.map(\.at) == (0..<10).map { .seconds($0) })
    }

    @Test("Progress only grows, and whoever is told of it may end the run")
    func progress() throws {
        struct Enough: Error {}
        let scenario = try NamedScenario.barbell.scenario(ScenarioSettings())
        var told: [ScenarioProgress] = []
        #expect(throws: Enough.self) {
            try scenario.run { progress throws(Enough) in
                told.append(progress)
                if progress.stage == .running, progress.fraction > 0.2 { throw Enough() }
            }
        }
        #expect(told.first?.stage == .linking && told.first?.fraction == 0)
        let running = told.filter { $0.stage == .running }.map(\.fraction)
        #expect(running == running.sorted())
        #expect(running.count > 5 && running.dropLast().allSatisfy { $0 <= 0.2 })
    }
}

@Suite("Scenarios with names")
struct NamedScenarioTests {
    @Test("Settings that a scenario cannot have are refused with the reason")
    func settings() {
        func refusal(_ name: NamedScenario, _ change: (inout ScenarioSettings) -> Void) -> ScenarioError.Code? {
            var settings = ScenarioSettings()
            change(&settings)
            do throws(ScenarioError) {
                try name.check(settings)
                return nil
            } catch {
                return error.code
            }
        }
        for name in NamedScenario.allCases {
            let counts = name.nodeCounts
            #expect(refusal(name) { _ in } == nil)
            #expect(refusal(name) { $0.nodeCount = counts.lowerBound } == nil)
            #expect(refusal(name) { $0.nodeCount = counts.lowerBound - 1 } == .nodeCount)
            #expect(refusal(name) { $0.nodeCount = counts.upperBound + 1 } == .nodeCount)
            #expect(refusal(name) { $0.loss = 0.9 } == nil)
            for loss in [-0.1, 0.91, .nan, .infinity] { #expect(refusal(name) { $0.loss = loss } == .loss) }
            for count in [0, -1, 1_001, .max] { #expect(refusal(name) { $0.messageCount = count } == .messageCount) }
            for degree in [2.9, 51, .nan] { #expect(refusal(name) { $0.degree = degree } == .degree) }
            #expect(refusal(name) { $0.degree = 8 } == (name.hasDegree ? nil : .degree))
        }
        #expect(refusal(.rgg) { ($0.nodeCount, $0.messageCount) = (10_000, 100) } == nil)
        #expect(refusal(.rgg) { ($0.nodeCount, $0.messageCount) = (10_000, 101) } == .messageCount)
        #expect(refusal(.spammer) { $0.nodeCount = 25 } == nil)
        #expect(refusal(.spammer) { $0.nodeCount = 26 } == .nodeCount)
        #expect(refusal(.spammer) { ($0.nodeCount, $0.degree) = (26, 8) } == nil)
    }

    @Test("A scenario has the hosts asked for, each with a place", arguments: NamedScenario.allCases)
    func hosts(name: NamedScenario) throws {
        for count in [5, 11, 24] {
            var settings = ScenarioSettings()
            settings.nodeCount = count
            let scenario = try name.scenario(settings)
            #expect(scenario.topology.hostCount == count)
            #expect(scenario.topology.places?.count == count)
            #expect(scenario.topology.isConnected == !["partition", "islands"].contains(name.name))
            #expect(scenario.messages.count == name.usualMessageCount)
            let hosts = 0..<count
            #expect(scenario.messages.allSatisfy { hosts.contains($0.author) })
        }
    }
}
