import MeshCore

/// The scenarios over simulated links, and those of whole nodes without channel and adversary.
extension NamedScenario {
    /// Hosts in a row.
    public static let line = spread(
        "line",
        "Hosts in a row: each hears the one before and the one after.",
        usually: 50
    ) { .line($0.nodeCount) }

    /// Hosts in rows and columns.
    public static let grid = spread(
        "grid",
        "Rows and columns: each host hears those above, below and beside.",
        usually: 100
    ) { .grid($0.nodeCount) }

    /// Hosts at random positions in a square: a random geometric graph.
    public static let rgg = spread(
        "rgg",
        "Hosts at random places in a square: each hears those within reach.",
        usually: 100,
        hasDegree: true
    ) { $0.settings.strewn($0.nodeCount, seed: $0.settings.seed) }

    /// Hosts that are all in range of each other.
    public static let clique = spread(
        "clique",
        "Hosts on one segment: all hear each other.",
        usually: 50
    ) { .clique($0.nodeCount) }

    /// Two cliques joined by one pair of hosts, which the nodes must discover.
    public static let barbell = NamedScenario(
        "barbell",
        .calm,
        "Two segments that one pair of hosts joins, found by whole nodes.",
        // Whole nodes take a hundred times as long, and keep everything that they receive.
        nodes: 4...1_000,
        usually: 100,
        bar: [.atLeast(.delivered, 1), .atMost(.linkTime, 900)]
    ) { order in
        var scenario = Scenario("", .barbell(order.nodeCount / 2, order.nodeCount - order.nodeCount / 2))
        scenario.linking = .discovered
        scenario.write(order.messageCount)
        return scenario
    }

    /// Every fifth host crashes at once.
    public static let churn = NamedScenario(
        "churn",
        .calm,
        "Every fifth host fails without notice, and a message is written at once.",
        nodes: 5...10_000,
        usually: 100,
        hasDegree: true,
        bar: [.atLeast(.delivered, 1), .atMost(.recovery, 5)]
    ) { order in
        var scenario = Scenario("", order.settings.strewn(order.nodeCount, seed: order.settings.seed))
        scenario.addChurn(order.messageCount)
        return scenario
    }

    /// Two halves are disconnected for ten minutes.
    public static let partition = NamedScenario(
        "partition",
        .calm,
        "Two halves are apart for ten minutes, and then one link joins them.",
        nodes: 4...10_000,
        usually: 100,
        hasDegree: true,
        bar: [.atLeast(.delivered, 1), .atMost(.recovery, 5)]
    ) { order in
        var scenario = Scenario("", order.settings.halves(order.nodeCount))
        scenario.addPartition(order.messageCount, left: order.nodeCount / 2)
        return scenario
    }

    /// One neighbour of a relay floods it with spam.
    public static let spammer = NamedScenario(
        "spammer",
        .attack,
        "A neighbour sends a relay a hundred times its limit.",
        // All hosts keep the spam that passes the limits.
        nodes: 4...1_000,
        usually: 11,
        // The effect of spam on others shows in one of many messages.
        messages: 180,
        hasDegree: true,
        bar: [.atLeast(.delivered, 1), .atMost(.latencyRatio, 1.2)]
    ) { order in
        let (count, settings) = (order.nodeCount, order.settings)
        let isStar = settings.degree == nil
        var scenario = Scenario("", isStar ? .star(count) : settings.strewn(count, seed: settings.seed))
        // A relay in the middle writes no messages.
        scenario.addSpam(from: count - 1, order.messageCount, by: Array((isStar ? 1 : 0)..<(count - 1)))
        return scenario
    }

    /// More messages than all stores hold.
    public static let storm = NamedScenario(
        "storm",
        .calm,
        "Hosts write more than their stores hold, and then should be silent.",
        nodes: 4...500,
        usually: 12,
        messages: 1_000,
        bar: [.atMost(.restDatagrams, 5)]
    ) { order in
        var scenario = Scenario("", .clique(order.nodeCount))
        (scenario.linking, scenario.store) = (.whole, stores(50))
        scenario.write(order.messageCount, every: .milliseconds(50))
        scenario.patience = .seconds(70)
        return scenario
    }

    /// A closed mesh with a clock that is wrong.
    static let clock = NamedScenario(
        "clock",
        .calm,
        "A host whose clock is 400 days off joins a mesh with a passphrase.",
        nodes: 3...500,
        usually: 12,
        bar: [.atLeast(.delivered, 1), .atMost(.joinTime, 1)]
    ) { order in
        var scenario = Scenario("", .clique(order.nodeCount))
        scenario.linking = .whole
        scenario.wrongClocks = [order.nodeCount - 1]
        scenario.events = [ScenarioEvent(at: .zero, .start([order.nodeCount - 1]))]
        scenario.write(order.messageCount, every: .milliseconds(200))
        for index in scenario.messages.indices { scenario.messages[index].at += .seconds(1) }
        return scenario
    }

    static let spreads = [line, grid, rgg, clique, barbell, churn, partition, storm, clock]

    /// Creates a scenario of a shape whose hosts write one message after the other.
    private static func spread(
        _ name: String,
        _ summary: String,
        usually count: Int,
        hasDegree: Bool = false,
        shape: @escaping @Sendable (Order) -> Topology
    ) -> NamedScenario {
        NamedScenario(
            name,
            .calm,
            summary,
            nodes: 2...10_000,
            usually: count,
            hasDegree: hasDegree,
            bar: [.atLeast(.delivered, 1)]
        ) { order in
            var scenario = Scenario("", shape(order))
            scenario.write(order.messageCount)
            return scenario
        }
    }
}
