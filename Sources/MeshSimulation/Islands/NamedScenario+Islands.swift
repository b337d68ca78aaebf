import MeshCore

/// The scenario of two meshes that a hub joins.
extension NamedScenario {
    /// Two meshes without a link, whose gateways exchange mail at a hub.
    static let islands = NamedScenario(
        "islands",
        .calm,
        "Two meshes without a link write to each other through a hub, which is gone for a while.",
        nodes: 5...1_000,
        usually: 500,
        messages: 400,
        bar: [
            .atLeast(.delivered, 1), .atLeast(.farDelivered, 1), .atMost(.strayEnvelopes, 0),
            .atMost(.publishesPerEnvelope, 1.05),
        ]
    ) { order in
        var plan = IslandPlan(hostCount: order.nodeCount)
        let topologies = [0, 1].map { Topology.joined(plan.hosts(of: $0).count, size: 50) }
        var scenario = Scenario("", topologies[0].beside(topologies[1]))
        scenario.linking = .whole
        scenario.writeAcross(order.messageCount, plan, seed: order.settings.seed)
        let begin = max(.seconds(1), (scenario.messages.last?.at ?? .zero) * 2 / 5)
        plan.outage = IslandPlan.Outage(begin: begin, end: begin + .seconds(20))
        scenario.islands = plan
        // The last readers confirm after 45 s.
        scenario.patience = .seconds(60)
        return scenario
    }
}

extension Scenario {
    /// Adds messages within islands, of which one in twenty goes to the other island instead.
    ///
    /// As many are written as mail for a mailbox although their readers are near. These confirm in time, so that no
    /// gateway publishes the mail.
    fileprivate mutating func writeAcross(_ count: Int, _ plan: IslandPlan, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let step = min(20, max(1, count / 2))
        func host(of island: Int, except other: Int? = nil) -> Int {
            let hosts = plan.hosts(of: island).filter { $0 != other }
            return hosts[Int(random.next() % UInt64(hosts.count))]
        }
        // Few hosts have contacts in the other island. They write to them again and again, but not within seconds:
        // gateways of later ranks look at the last mail of a mailbox only, and publish again what came just before it.
        let crossingCount = count / step
        let contacts = (0..<max(min(crossingCount, 4), crossingCount / 4)).map { number in
            [host(of: number % 2), host(of: 1 - number % 2)]
        }
        for number in 0..<count {
            let isAcross = number % step == step / 2
            let author = host(of: number % 2)
            var message = ScenarioMessage(at: Self.farInterval * number, author: author)
            if isAcross {
                let pair = contacts[number / step % contacts.count]
                (message.author, message.recipients) = (pair[0], [pair[1]])
            } else {
                message.recipients = [host(of: plan.island(of: author), except: author)]
            }
            if isAcross || step > 2 && number % step == 1 { message.kind = .far }
            messages.append(message)
        }
    }

    private static let farInterval = Duration.milliseconds(500)
}
