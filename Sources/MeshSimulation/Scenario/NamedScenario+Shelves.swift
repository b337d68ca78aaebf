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
        ) { $0.patience = .seconds(1) }
    ]
}
