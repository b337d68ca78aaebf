import MeshCore

/// The scenarios of stores that cannot hold all mail, so that each keeps a shelf of it.
extension NamedScenario {
    static let shelves = [
        shelves(
            "shelf-load",
            "Hosts write sixteen times as much as one store holds, and each keeps its part.",
            nodes: 256,
            messages: 640,
            bar: [
                .atLeast(.heldMessages, 0.99), .atLeast(.heldCopies, 1 / 16 / 2.5), .atMost(.heldCopies, 1 / 16 * 2.5),
                .atMost(.restDatagrams, 5),
            ]
        ) { scenario, messageCount in
            scenario.fillStores(by: messageCount)
            scenario.write(messageCount, every: .milliseconds(50))
            scenario.patience = .seconds(70)
        },
        shelves(
            "shelf-return",
            "A tenth of all hosts comes back to full stores, and its mail lies on the shelves of others.",
            nodes: 500,
            messages: 100,
            bar: [.atLeast(.returned, 0.999)]
        ) { scenario, messageCount in
            scenario.fillStores(by: messageCount * 10)
            scenario.earlierMessageCount = messageCount * 9
            scenario.sendAway(messageCount)
        },
        shelves(
            "shelf-churn",
            "Half of all hosts are replaced in an hour by others whose stores are empty.",
            nodes: 256,
            messages: 640,
            bar: [.atLeast(.heldMessages, 0.99)]
        ) { scenario, messageCount in
            scenario.fillStores(by: messageCount)
            scenario.write(messageCount, every: .milliseconds(50))
            scenario.replaceHalf(in: .seconds(3_600))
        },
    ]

    /// Creates a scenario of hosts on one segment, whose messages are more than one store holds: sixteen times as much, or
    /// less among fewer than 256 hosts.
    private static func shelves(
        _ name: String,
        _ summary: String,
        nodes count: Int,
        messages messageCount: Int,
        bar: [ScenarioLimit],
        change: @escaping @Sendable (inout Scenario, Int) -> Void
    ) -> NamedScenario {
        NamedScenario(
            name,
            .calm,
            summary,
            on: .demand,
            nodes: 4...500,
            usually: count,
            messages: messageCount,
            bar: bar
        ) { order in
            var scenario = Scenario("", .clique(order.nodeCount))
            scenario.linking = .whole
            change(&scenario, order.messageCount)
            return scenario
        }
    }

    /// The attacks of a neighbour.
    static let shelfAttacks = [
        attack(
            "depthliar",
            "A neighbour shows shelves and sums of no store, each second others.",
            nodes: 4,
            .init(.depthliar, rate: 1, for: .seconds(640)),
            bar: [.atLeast(.delivered, 1), .atMost(.comparisons, 1)]
        ) { $0.patience = .seconds(1) },
        attack(
            "shelfgrind",
            "A neighbour floods full stores with envelopes that all belong on one shelf.",
            nodes: 12,
            messages: 50,
            .init(.shelfgrind, rate: 250, for: .seconds(2)),
            bar: [.atLeast(.delivered, 0.9), .atLeast(.keptShelves, 1), .atLeast(.keptMail, 1)]
        ) { scenario in
            (scenario.store, scenario.earlierMessageCount) = (stores(30), 250)
            for index in scenario.messages.indices { scenario.messages[index].at = .milliseconds(40 * index) }
        },
    ]
}

extension Scenario {
    /// Makes stores so small that a number of messages fills them up to sixteen times, and each has about sixteen keepers.
    fileprivate mutating func fillStores(by messageCount: Int) {
        let load = min(16, max(2, topology.hostCount / 16))
        store = NamedScenario.stores(max(1, messageCount / load))
    }

    /// Switches every tenth host off, has others write to them, and switches them on again.
    fileprivate mutating func sendAway(_ messageCount: Int) {
        let away = (0..<topology.hostCount).filter { $0 % 10 == 3 }
        events = [ScenarioEvent(at: .zero, .crash(away))]
        messages = ScenarioMessage.evenly(messageCount, from: .seconds(5), every: .milliseconds(50), among: honestHosts)
        for index in messages.indices { messages[index].recipients = [away[index % away.count]] }
        events.append(ScenarioEvent(at: (messages.last?.at ?? .zero) + .seconds(10), .start(away)))
        patience = .seconds(75)
    }

    /// Switches every other host off, one after the other, each for a second, after which its store is empty.
    fileprivate mutating func replaceHalf(in time: Duration) {
        let hosts = (0..<topology.hostCount).filter { $0 % 2 == 1 }
        let start = (messages.last?.at ?? .zero) + .seconds(30)
        for (number, host) in hosts.enumerated() {
            let at = start + time * number / hosts.count
            events.append(ScenarioEvent(at: at, .crash([host])))
            events.append(ScenarioEvent(at: at + .seconds(1), .start([host])))
        }
        patience = .seconds(60)
    }
}
