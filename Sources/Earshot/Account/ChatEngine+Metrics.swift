import ChatCore
import MeshTransport

extension ChatEngine {
    /// The number of ignored changes of messages, by reason.
    var ignoredChangesMetric: Metric {
        Metric(
            "chat_changes_ignored_total",
            .counter,
            "Edits, deletions, votes and reactions that were ignored.",
            by: "reason",
            ChangeRefusal.allCases.map { .init($0.rawValue, Double(ignoredChanges[$0] ?? 0)) }
        )
    }

    /// The number of ignored rotations and revocations of other peers, by reason.
    var ignoredStatementsMetric: Metric {
        Metric(
            "chat_statements_ignored_total",
            .counter,
            "Rotations and revocations of identities that were ignored.",
            by: "reason",
            StatementRefusal.allCases.map { .init($0.rawValue, Double(contacts.ignored[$0] ?? 0)) }
        )
    }

    /// The number of contents from peers that were malformed, and dropped.
    var refusedContentsMetric: Metric {
        Metric(
            "chat_contents_refused_total",
            .counter,
            "Contents of messages from peers that were malformed, and dropped.",
            Double(refusedContentCount)
        )
    }

    /// The number of records of earlier group messages that members sent and this node refused.
    var refusedHistoryMetric: Metric {
        Metric(
            "chat_history_refused_total",
            .counter,
            "Records of earlier group messages from members that this node refused.",
            Double(earlier.refusedCount)
        )
    }
}
