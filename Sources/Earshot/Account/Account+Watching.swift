import ChatCore
import ChatHistory

/// Watching what is kept for changes by something other than Earshot.
extension Account {
    /// The signs noticed so far.
    var historyReport: HistoryReport { report(steps.book.findings) }

    /// Looks through everything that is kept: whether it is what was written, all of it, and opens.
    func checkHistory() async throws(ChatError) -> HistoryReport {
        var recordCount = 0
        do {
            for group in try steps.book.groups() {
                try checkOpen()
                recordCount += try steps.book.check(group)
                await Task.yield()
            }
        } catch {
            throw ChatError(error)
        }
        tellTampering()
        var report = historyReport
        report.recordCount = recordCount
        return report
    }

    /// Takes what is kept as it is for what is to be there, and forgets what was noticed.
    func acceptHistory() throws(ChatError) -> HistoryReport {
        try checkOpen()
        if let error = commit() { throw error }
        do {
            let deletedCount = try steps.book.accept()
            toldSignCount = 0
            return HistoryReport(signs: [], recordCount: nil, deletedCount: deletedCount)
        } catch {
            throw ChatError(error)
        }
    }

    /// Tells of what was noticed since this was last done.
    func tellTampering() {
        let findings = steps.book.findings
        guard findings.count > toldSignCount else { return }
        toldSignCount = findings.count
        tell(.historyTampered(report(findings)))
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

    /// The conversation whose messages stand under a row's id; nil for one that is not known.
    private func conversation(at row: RowID) -> ConversationID? {
        guard row != .zero else { return nil }
        return engine.conversations.all.map(\.id).first { steps.book.rowID(of: $0) == row }
    }
}
