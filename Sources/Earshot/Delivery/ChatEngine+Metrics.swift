import MeshTransport

extension ChatEngine {
    /// How many changes of messages were ignored, by why.
    var ignoredChangesMetric: Metric {
        Metric(
            "chat_changes_ignored_total",
            .counter,
            "Edits, deletions, votes and reactions that were ignored.",
            by: "reason",
            ChangeRefusal.allCases.map { .init($0.rawValue, Double(ignoredChanges[$0] ?? 0)) }
        )
    }
}
