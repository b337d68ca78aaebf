import ChatCore
import ChatHistory

/// Detection of changes that something other than Earshot has made to the stored records.
extension Account {
    /// The signs noticed so far.
    var historyReport: HistoryReport { report(steps.recordStore.findings) }

    /// Checks all stored records: whether they are unchanged and complete, and whether they open.
    func checkHistory() async throws(ChatError) -> HistoryReport {
        var recordCount = 0
        do {
            for group in try steps.recordStore.groups() {
                try checkOpen()
                recordCount += try steps.recordStore.check(group)
                await Task.yield()
            }
        } catch {
            throw ChatError(error)
        }
        notifyTampering()
        var report = historyReport
        report.recordCount = recordCount
        return report
    }

    /// Accepts the stored records as they are, and forgets the noticed signs.
    func acceptHistory() throws(ChatError) -> HistoryReport {
        try checkOpen()
        if let error = commit() { throw error }
        do {
            let deletedCount = try steps.recordStore.accept()
            notifiedSignCount = 0
            return HistoryReport(signs: [], recordCount: nil, deletedCount: deletedCount)
        } catch {
            throw ChatError(error)
        }
    }

    /// Notifies the subscribers of the signs that were noticed since the last notification.
    func notifyTampering() {
        let findings = steps.recordStore.findings
        guard findings.count > notifiedSignCount else { return }
        notifiedSignCount = findings.count
        notify(.historyTampered(report(findings)))
    }

    private func report(_ findings: [HistoryFinding]) -> HistoryReport {
        HistoryReport(
            signs: findings.map { finding in
                HistoryReport.Sign(
                    kind: HistoryReport.Kind(finding.kind),
                    conversation: conversation(at: finding.conversation),
                    table: finding.table.map { "\($0)" },
                    expected: finding.expected,
                    found: finding.found
                )
            }
        )
    }

    /// Returns the conversation whose messages are stored under a row id; nil for an unknown one.
    private func conversation(at row: RowID) -> ConversationID? {
        guard row != .zero else { return nil }
        return engine.conversations.all.map(\.id).first { steps.recordStore.rowID(of: $0) == row }
    }
}
