import MeshCore

/// The scenarios with an adversary that concern the shelves of stores.
extension NamedScenario {
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
