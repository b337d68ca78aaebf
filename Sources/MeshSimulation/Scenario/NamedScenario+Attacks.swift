import MeshCore

/// The scenarios with an adversary among whole nodes.
///
/// Source of the bars: the figures that a mesh should keep under each attack.
extension NamedScenario {
    static let attacks =
        [spammer] + storeAttacks + linkAttacks + discoveryAttacks + routerAttacks + wayAttacks + shelfAttacks
        + [seekliar]

    // MARK: - Stores

    // The junk is five times what one store holds. So among few hosts some messages have no keeper left, whatever they do.

    private static let storeAttacks = [
        attack(
            "share",
            "A neighbour fills one store with small envelopes.",
            nodes: 48,
            messages: 100,
            .init(.share, rate: 250, for: .seconds(4)),
            bar: heldBar
        ) { $0.fillStores(200) },
        attack(
            "sybil",
            "A neighbour fills one store under one node id after another.",
            nodes: 48,
            messages: 100,
            .init(.sybil, rate: 100, for: .seconds(10)),
            bar: heldBar
        ) { $0.fillStores(200) },
        attack(
            "lifefirst",
            "A neighbour fills all stores with small envelopes of the longest life.",
            nodes: 48,
            messages: 100,
            .init(.lifefirst, rate: 300, for: .seconds(4)),
            bar: heldBar
        ) { $0.fillStores(300) },
        attack(
            "poison",
            "A host passes each message on at once, with nearly no life left.",
            nodes: 40,
            messages: 40,
            .init(.poison, links: 24, for: .seconds(10)),
            bar: [.atLeast(.delivered, 1), .atLeast(.heldCopies, 0.99)]
        ) { $0.patience = .seconds(30) },
    ]

    private static let heldBar: [ScenarioLimit] = [.atLeast(.heldMessages, 0.95)]

    // MARK: - Links

    private static let linkAttacks = [
        attack(
            "linkkill",
            "A host dials another under the node ids of its neighbours.",
            nodes: 7,
            .init(.linkkill, rate: 2, ids: 6, for: .seconds(20)),
            bar: [.atLeast(.delivered, 1), .atMost(.linksLost, 0)]
        ) { _ in },
        attack(
            "ban",
            "A host that hears everything misbehaves under the address of another.",
            nodes: 7,
            .init(.ban, rate: 100),
            bar: [.atLeast(.delivered, 1), .atMost(.linksLost, 0)]
        ) { _ in },
        attack(
            "reflect",
            "A neighbour sends path challenges under the address of a victim.",
            nodes: 4,
            .init(.reflect, rate: 10),
            bar: [.atMost(.amplification, 1)]
        ) { _ in },
        attack(
            "offlink",
            "A host dials from an address that is not on the segment.",
            nodes: 4,
            .init(.offlink, links: 4),
            bar: [.atMost(.reflected, 0)]
        ) { _ in },
        attack(
            "outsider",
            "A host without the key of the mesh dials all the time while others join.",
            nodes: 12,
            .init(.outsider, links: 12, rate: 8_000, ids: 300, for: .seconds(20)),
            bar: [.atMost(.joinTime, 1)]
        ) { $0.startLast(4, from: .seconds(5)) },
    ]

    // MARK: - Discovery

    private static let discoveryAttacks = [
        attack(
            "statusflood",
            "A neighbour shows the state of another store a hundred times a second.",
            nodes: 30,
            .init(.statusflood, rate: 100),
            bar: [.atMost(.trafficElsewhere, 1.01)]
        ) { _ in },
        attack(
            "eclipse",
            "Twelve hostile ids link with all hosts, and then others join.",
            nodes: 50,
            .init(.eclipse, links: 50, ids: 12, for: .seconds(90)),
            bar: [.atMost(.pieces, 1), .atMost(.joinTime, 60)]
        ) { scenario in
            scenario.startLast(scenario.topology.hostCount / 5, from: .seconds(20))
        },
        attack(
            "dialamp",
            "A host sends a beacon a second that claims to come from a victim.",
            nodes: 50,
            .init(.dialamp, rate: 1, for: .seconds(60)),
            bar: [.atMost(.amplification, 10)]
        ) { _ in },
        attack(
            "fakes",
            "A host sends two beacons a second of nodes that do not exist.",
            nodes: 10,
            .init(.fakes, rate: 2, for: .seconds(600)),
            bar: [.atLeast(.beaconRatio, 0.9)]
        ) { _ in },
        attack(
            "pushforge",
            "A host pushes 2,000 envelopes that nobody can open each second, under invented node ids.",
            nodes: 30,
            .init(.pushforge, rate: 2_000, for: .seconds(5)),
            bar: [.atLeast(.delivered, 1), .atMost(.latencyP99, 1), .atMost(.pieces, 1)]
        ) { _ in },
        attack(
            "holes",
            "A quarter of all nodes takes envelopes and passes none on.",
            nodes: 30,
            .init(.holes, links: 0, ids: 10),
            bar: [.atLeast(.delivered, 0.99), .atMost(.latencyP99, 2)]
        ) { _ in },
    ]

    // MARK: - Routers

    private static let routerAttacks = [
        attack(
            "probes",
            "A neighbour searches for paths without end, while others search for four a second.",
            nodes: 200,
            messages: 40,
            .init(.probes, rate: 200),
            bar: [.atLeast(.delivered, 0.95)]
        ) { scenario in
            for index in scenario.messages.indices {
                scenario.messages[index].at = .milliseconds(250 * index)
                scenario.messages[index].kind = .probe
            }
        },
        attack(
            "sync",
            "A neighbour offers 6,000 envelopes a second to the first of four hosts in a row.",
            nodes: 4,
            .init(.sync, rate: 6_000, for: .seconds(5)),
            bar: [.atMost(.peakAccepted, 2_500), .atMost(.accepted, 2_200)]
        ) { scenario in
            // The hostile host hears the first one alone.
            scenario.topology = Topology(
                hostCount: scenario.topology.hostCount,
                segments: [[0]] + (1..<scenario.topology.hostCount).map { [$0 - 1, $0] },
                places: Topology.line(scenario.topology.hostCount).places
            )
        },
        attack(
            "reconnect",
            "A neighbour sends all that a new link may send, and dials again twice a second.",
            nodes: 4,
            .init(.reconnect, rate: 2, for: .seconds(5)),
            bar: [.atMost(.peakAccepted, 1_000), .atMost(.accepted, 600)]
        ) { _ in },
        attack(
            "offercpu",
            "A neighbour offers 1,000 envelopes that do not exist, another the same 20 times.",
            on: .demand,
            nodes: 6,
            .init(.offercpu, rate: 15, ids: 2),
            bar: processorBar
        ) { _ in },
        attack(
            "ihavecpu",
            "Six neighbours announce envelopes that do not exist.",
            on: .demand,
            nodes: 6,
            .init(.ihavecpu, rate: 200, ids: 6),
            bar: processorBar
        ) { _ in },
        attack(
            "pathcpu",
            "A neighbour sends payloads for labels without a path.",
            on: .demand,
            nodes: 6,
            .init(.pathcpu, rate: 1_000),
            bar: processorBar
        ) { _ in },
    ]

    private static let processorBar: [ScenarioLimit] = [.atMost(.processorTime, 20), .atMost(.linksLost, 0)]

    /// Creates a scenario of hosts on one segment and an adversary.
    static func attack(
        _ name: String,
        _ summary: String,
        on tier: Tier = .gate,
        nodes count: Int,
        messages messageCount: Int = 20,
        _ adversary: SimAdversary,
        bar: [ScenarioLimit],
        change: @escaping @Sendable (inout Scenario) -> Void
    ) -> NamedScenario {
        NamedScenario(
            name,
            .attack,
            summary,
            on: tier,
            nodes: 4...500,
            usually: count,
            messages: messageCount,
            bar: bar
        ) { order in
            var scenario = Scenario("", .clique(order.nodeCount))
            (scenario.linking, scenario.adversary) = (.whole, adversary)
            scenario.patience = .seconds(5)
            scenario.write(order.messageCount, every: .milliseconds(200))
            change(&scenario)
            return scenario
        }
    }

    /// Creates the limits of small stores.
    static func stores(_ count: Int) -> StoreLimits {
        var limits = StoreLimits()
        limits.envelopeCount = count
        limits.byteCount = count * 3_355
        return limits
    }
}

extension Scenario {
    /// Makes stores small, and lets all messages be there before the attack has filled them.
    fileprivate mutating func fillStores(_ count: Int) {
        store = NamedScenario.stores(count)
        for index in messages.indices { messages[index].at = .milliseconds(10 * index) }
        patience = .seconds(10)
    }

    /// Lets the last hosts start late, one after the other, and write nothing.
    fileprivate mutating func startLast(_ count: Int, from time: Duration) {
        let first = topology.hostCount - min(count, topology.hostCount / 2)
        for host in first..<topology.hostCount {
            events.append(ScenarioEvent(at: time + .milliseconds(100 * (host - first)), .start([host])))
        }
        let messageCount = messages.count
        messages.removeAll()
        messages = ScenarioMessage.evenly(messageCount, every: .milliseconds(200), among: Array(0..<first))
    }
}
