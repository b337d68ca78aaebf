import MeshCore

/// The scenarios of whole nodes that share one radio channel.
///
/// Messages go from one host to another, with a receipt, along the way between them where one is known; else they are
/// posted, and delivery proofs end them. Where there are many hosts, one starts each 100 ms: all at once they would fill
/// the channel with handshakes.
extension NamedScenario {
    /// A hall of 50 hosts, full of messages.
    public static let air50 = NamedScenario(
        "air-50",
        .air,
        "50 hosts on one channel write 10,000 messages a minute, a tenth of them to absent hosts.",
        nodes: 5...1_000,
        usually: 50,
        messages: 1_000,
        bar: [.atLeast(.delivered, 1), .atMost(.latencyP99, 1), .atMost(.airtime, 0.4)]
    ) { order in
        var scenario = hall(order)
        let absent = stride(from: 4, to: order.nodeCount, by: 10).map(\.self)
        scenario.events = [ScenarioEvent(at: .zero, .crash(absent))]
        scenario.converse(order.messageCount, perMinute: 10_000, seed: order.settings.seed)
        return scenario
    }

    /// A hall of 500 hosts.
    public static let air500 = crowd("air-500", "500 hosts on one channel write 1,360 messages a minute.")

    /// The highest load of 500 hosts.
    public static let air500Max = crowd(
        "air-500-max",
        "500 hosts on one channel write more and more, until messages take more than five seconds.",
        on: .demand,
        bar: [.atLeast(.messagesPerMinute, 1_360)]
    ) { $0.isRising = true }

    /// Two groups in a hall of 500 hosts, in each of which one member after the other speaks for ten seconds.
    public static let airGroup = NamedScenario(
        "air-group",
        .air,
        "Groups of 32 and 128 among 500 hosts on one channel, with one message a second in each.",
        nodes: 5...1_000,
        usually: 500,
        messages: 60,
        bar: [
            .atLeast(.acknowledged, 1), .atMost(.latencyP99, 2), .atMost(.envelopesPerMessage, 9.4),
            .atMost(.postsPerMessage, 1.4),
        ]
    ) { order in
        var scenario = hall(order)
        let groups = [32, 128].map { size in
            (0..<min(size, order.nodeCount - 1)).map { $0 * order.nodeCount / min(size, order.nodeCount) }
        }
        scenario.messages = (0..<order.messageCount).map { number in
            let group = groups[number % 2]
            let author = group[number / 20 * 7 % group.count]
            let others = group.filter { $0 != author }
            return ScenarioMessage(at: .seconds(number / 2), author: author, recipients: others)
        }
        // A receipt that waits in vain for a way, or for its proof, is posted after a minute.
        (scenario.carries, scenario.patience) = (true, .seconds(80))
        return scenario
    }

    /// A hall of 500 hosts that are silent.
    public static let airIdle = NamedScenario(
        "air-idle",
        .air,
        "500 hosts on one channel that write nothing.",
        nodes: 2...1_000,
        usually: 500,
        messages: 0,
        bar: [.atLeast(.connected, 1), .atMost(.airtime, 0.02)]
    ) { order in
        var scenario = hall(order)
        scenario.talk(order.messageCount, perMinute: 60, seed: order.settings.seed)
        // Until then neighbours tell each other of what went before. In 150 s each of them asks for the other once.
        (scenario.restTime, scenario.patience) = (.seconds(60), .seconds(150))
        return scenario
    }

    /// A large object for a host that is absent, whose author has gone when it comes.
    public static let large = NamedScenario(
        "large",
        .air,
        "A host among 100 on one channel sends 1 MiB to an absent host and leaves before it comes.",
        nodes: 5...1_000,
        usually: 100,
        messages: 4,
        bar: [.atMost(.copiesPerPiece, 10), .atMost(.objectTime, 10)]
    ) { order in
        var scenario = hall(order)
        let recipient = order.nodeCount - 1
        scenario.messages = (0..<order.messageCount).map { number in
            var message = ScenarioMessage(at: .seconds(number), author: 0, recipients: [recipient])
            message.pieceCount = 16
            return message
        }
        scenario.events = [
            ScenarioEvent(at: .seconds(40), .crash([0])), ScenarioEvent(at: .seconds(45), .start([recipient])),
        ]
        scenario.patience = .seconds(20)
        return scenario
    }

    /// A large object as in ``large``, of whose keepers some forget what they have confirmed.
    static let seekliar = NamedScenario(
        "seekliar",
        .attack,
        "Three of ten hosts take the pieces of an object for an absent host, confirm them and forget them.",
        nodes: 5...1_000,
        usually: 100,
        messages: 4,
        bar: [.atLeast(.fewestCopies, 3), .atMost(.objectTime, 10)]
    ) { order in
        var scenario = large.make(order)
        scenario.channel = nil
        let liars = (1..<(order.nodeCount - 1)).filter { $0 % 10 < 3 }
        // Their stores are empty when they are on again, and their nodes have other ids.
        scenario.events.append(ScenarioEvent(at: .seconds(30), .crash(liars)))
        scenario.events.append(ScenarioEvent(at: .seconds(31), .start(liars)))
        return scenario
    }

    /// A hall with a slow basic rate.
    public static let air1Mbit = crowd(
        "air-1mbit",
        "As air-500, with multicasts at 1 Mbit/s.",
        on: .demand,
        bar: lossyBar
    ) { $0.channel?.basicRate = 1_000_000 }

    /// A hall with much loss.
    public static let airLoss30 = crowd(
        "air-loss30",
        "As air-500, and the air loses 30 % of all transmissions.",
        on: .demand,
        bar: lossyBar
    ) { scenario in
        scenario.channel?.multicastLoss = 0.3
        scenario.channel?.unicastLoss = 0.3
    }

    /// A hall whose multicasts stop once the mesh is linked.
    public static let airNoMulticast = crowd(
        "air-nomulticast",
        "As air-500, and no multicast arrives once the mesh is linked.",
        on: .demand,
        bar: lossyBar
    ) { scenario in
        var channel = SharedChannel()
        channel.multicastLoss = 1
        scenario.events.append(ScenarioEvent(at: .zero, .air(channel)))
    }

    /// A hall whose access point isolates its clients.
    public static let airIsolation = crowd(
        "air-isolation",
        "As air-500, and the access point passes nothing from host to host.",
        on: .demand,
        bar: [.atMost(.airtimeWithoutBeacons, 0)]
    ) { $0.channel?.passesUnicasts = false }

    /// Halls of 100 hosts each, joined by a wire between one host of each.
    static let air5000 = NamedScenario(
        "air-5000",
        .air,
        "5,000 hosts on 50 channels, joined by a wire, write half a message a minute each.",
        on: .demand,
        nodes: 2...5_000,
        usually: 5_000,
        messages: 200,
        bar: [.atLeast(.delivered, 1), .atMost(.latencyP99, 5), .atMost(.airtime, 0.15)]
    ) { order in
        var scenario = hall(order)
        (scenario.topology, scenario.endsInWire) = (.joined(order.nodeCount, size: 100), true)
        // Hosts with consecutive numbers start on different channels.
        scenario.startInterval /= max(1, order.nodeCount / 100)
        scenario.converse(order.messageCount, perMinute: max(1, order.nodeCount / 2), seed: order.settings.seed)
        scenario.patience = .seconds(10)
        return scenario
    }

    static let airs = [
        air50, air500, airGroup, airIdle, large, air500Max, air1Mbit, airLoss30, airNoMulticast, airIsolation,
        air5000,
    ]

    private static let lossyBar: [ScenarioLimit] = [.atLeast(.delivered, 1)]

    /// Creates a scenario of 500 hosts that write 1,360 messages a minute for half a minute.
    ///
    /// A post goes to all of them by one multicast, sent twice.
    private static func crowd(
        _ name: String,
        _ summary: String,
        on tier: Tier = .gate,
        bar: [ScenarioLimit] = [
            .atLeast(.delivered, 1), .atMost(.latencyP99, 2), .atMost(.airtime, 0.15),
            .atMost(.envelopesPerMessage, 2.3), .atMost(.postsPerMessage, 0.35),
        ],
        change: @escaping @Sendable (inout Scenario) -> Void = { _ in }
    ) -> NamedScenario {
        NamedScenario(
            name,
            .air,
            summary,
            on: tier,
            nodes: 2...1_000,
            usually: 500,
            messages: 680,
            bar: bar
        ) { order in
            var scenario = hall(order)
            scenario.converse(order.messageCount, perMinute: 1_360, seed: order.settings.seed)
            change(&scenario)
            return scenario
        }
    }

    private static func hall(_ order: Order) -> Scenario {
        var scenario = Scenario("", .clique(order.nodeCount))
        (scenario.linking, scenario.channel) = (.whole, SharedChannel())
        scenario.patience = .seconds(5)
        if order.nodeCount > 100 { scenario.startInterval = .milliseconds(100) }
        return scenario
    }
}
