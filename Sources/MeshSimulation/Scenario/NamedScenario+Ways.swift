import MeshCore

/// The scenarios of two hosts that exchange messages along ways through others.
extension NamedScenario {
    /// Hosts in a row, of which all relays are double, and one relay after the other fails.
    static let wayBreak = NamedScenario(
        "way-break",
        .calm,
        "Two hosts talk through pairs of relays, of which some die and some become black holes.",
        nodes: 4...200,
        usually: 12,
        messages: 440,
        bar: [.atLeast(.delivered, 1), .atMost(.latencyP99, 2.5), .atMost(.repeats, 0)]
    ) { order in
        let (row, last) = (DoubledRow(hostCount: order.nodeCount), order.nodeCount - 1)
        var scenario = Scenario("", row.topology)
        (scenario.linking, scenario.patience) = (.whole, .seconds(5))
        (scenario.carries, scenario.conversations) = (true, [[0, last]])
        let steps = row.incidents
        scenario.events = steps.enumerated().flatMap { number, changes in
            changes.map { ScenarioEvent(at: .seconds(10 * (number + 1)) + $0.after, $0.change) }
        }
        let interval = Duration.seconds(10 * (steps.count + 1)) / order.messageCount
        scenario.messages = (0..<order.messageCount).map { number in
            let ends = number % 2 == 0 ? [0, last] : [last, 0]
            return ScenarioMessage(at: interval * number, author: ends[0], recipients: [ends[1]])
        }
        return scenario
    }

    /// The attacks of a relay that stands between the two.
    static let wayAttacks = [
        between(
            "waysink",
            "A relay on the way of two hosts passes posts on, and nothing that goes along ways.",
            messages: 80,
            .init(.waysink, links: 2, for: .seconds(30)),
            bar: [.atLeast(.delivered, 1), .atMost(.latencyP99, 2.5), .atLeast(.intercepted, 1)]
        ),
        between(
            "trailsteal",
            "A relay on the way of two hosts claims their labels for ten seconds, and then passes nothing on.",
            messages: 100,
            .init(.trailsteal, links: 2, for: .seconds(10)),
            bar: [
                .atLeast(.delivered, 1), .atMost(.latencyP99, 2.5), .atMost(.wayGap, 2.5), .atLeast(.intercepted, 1),
            ]
        ),
    ]

    /// Creates a scenario of two hosts that talk, with honest relays in a row on one side of them and a hostile one on the
    /// other, where the way is shorter.
    private static func between(
        _ name: String,
        _ summary: String,
        messages messageCount: Int,
        _ adversary: SimAdversary,
        bar: [ScenarioLimit]
    ) -> NamedScenario {
        attack(name, summary, nodes: 6, messages: messageCount, adversary, bar: bar) { scenario in
            let count = scenario.topology.hostCount
            let row = [0] + Array(2..<count) + [1]
            let chain = [Place].chain(count)
            scenario.topology = Topology(
                hostCount: count,
                segments: zip(row, row.dropFirst()).map { [$0, $1] },
                places: [chain[0], chain[count - 1]] + chain[1..<(count - 1)]
            )
            (scenario.carries, scenario.conversations) = (true, [[0, 1]])
            for index in scenario.messages.indices {
                let author = index % 2
                (scenario.messages[index].author, scenario.messages[index].recipients) = (author, [1 - author])
            }
        }
    }
}

/// A row of hosts in which two relays stand side by side at each place between the ends.
private struct DoubledRow {
    private let hostCount: Int
    /// The hosts at each place, with the ends.
    private let places: [[Int]]

    init(hostCount: Int) {
        self.hostCount = hostCount
        let relays = stride(from: 1, to: hostCount - 1, by: 2).map { Array($0..<min($0 + 2, hostCount - 1)) }
        places = [[0]] + relays + [[hostCount - 1]]
    }

    /// The mesh in which each host hears those at the places beside its own, each on a segment of the two.
    var topology: Topology {
        let segments = zip(places, places.dropFirst()).flatMap { hosts, others in
            hosts.flatMap { host in others.map { [host, $0] } }
        }
        let points = places.enumerated().flatMap { column, hosts in
            hosts.indices.map { Place(x: Double(column), y: Double($0) - Double(hosts.count - 1) / 2) }
        }
        return Topology(hostCount: hostCount, segments: segments, places: points)
    }

    /// The incidents, one after the other.
    ///
    /// At every other place one relay dies and comes back, and then the one beside it. Later one of each such pair is a
    /// black hole, while the one beside it dies and comes back.
    var incidents: [[(after: Duration, change: ScenarioEvent.Change)]] {
        let pairs = stride(from: 1, to: places.count - 1, by: 2).map { places[$0] }.filter { $0.count == 2 }.prefix(3)
        let deaths = pairs.flatMap { $0.map(Self.death) }
        let holes = ScenarioEvent.Change.blackHole(pairs.map { $0[0] })
        return deaths + [[(.zero, holes)]] + pairs.map { Self.death($0[1]) }
    }

    private static func death(_ host: Int) -> [(after: Duration, change: ScenarioEvent.Change)] {
        [(.zero, .crash([host])), (.seconds(5), .start([host]))]
    }
}
