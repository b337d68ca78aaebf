/// The maintenance of the sums over rows (the integrity digests) at each batch.
///
/// Source: PROTOCOL §11.
extension RecordBook {
    /// Computes the mark that a row adds to its sum.
    func mark(_ trace: RowTrace, _ key: RowKey) -> SIMD4<UInt64> {
        SIMD4(bigEndian: keys.sumCode(trace.bytes(at: key)))
    }

    func mark(of row: Row) -> SIMD4<UInt64> { mark(RowTrace(row), RowKey(row)) }

    func change(_ group: SumGroup, _ pending: inout PendingChanges, _ body: (inout RowSum) -> Void) {
        var sum = pending.sums[group] ?? ledger?.sum(of: group) ?? RowSum()
        body(&sum)
        pending.sums[group] = sum
    }

    /// Adds the sums that a batch changes to the batch; returns the change of the ledger, or nil if nothing is watched.
    func nextLedger(_ pending: inout PendingChanges) throws(StoreError) -> LedgerChange? {
        guard let ledger else { return nil }
        // The anchor may be behind by a limited number of batches; beyond that no batch continues without it.
        if unsyncedCount > HistoryLimits.anchorSlack { try tellAnchor(isSynced: true) }
        var change = LedgerChange(ledger)
        var head = ledger
        // The rows of conversations are written one by one, so the head needs no copy of them here.
        head.conversations = [:]
        for (group, sum) in pending.sums {
            switch group {
            case .table(let table): change.tables[table] = sum
            case .conversation(let conversation):
                change.recent.set(sum, of: conversation)
                if sum == RowSum(), let kept = ledger.conversations[conversation] {
                    change.root ^= kept.mark
                    change.conversations[conversation] = .some(nil)
                    pending.changes.append(.delete(.sums, sumKey(conversation).id))
                }
            }
        }
        while let (conversation, sum) = change.recent.takeSurplus() {
            let kept = ledger.conversations[conversation]
            let key = sumKey(conversation)
            let version = (kept?.trace.version ?? 0) + 1
            let row = sealed(sum.bytes, key, conversation, 0, version, keys.cipher(for: .sums))
            let trace = RowTrace(row)
            let added = SumLedger.Kept(sum: sum, trace: trace, mark: mark(trace, key))
            change.root ^= (kept?.mark ?? .zero) ^ added.mark
            change.conversations[conversation] = .some(added)
            pending.changes.append(.put(row))
        }
        change.apply(to: &head)
        let row = sealed(head.head, headKey, .zero, 0, ledger.headVersion + 1, keys.cipher(for: .sums))
        change.headEnd = HistoryAnchor.end(of: row)
        pending.changes.append(.put(row))
        return change
    }

    private func sumKey(_ conversation: RowID) -> RowKey {
        RowKey(table: .sums, id: rowID(.sums, name: conversation.bytes))
    }

    /// Updates the ledger after the store accepted the batch, and writes the anchor.
    func adopt(_ change: LedgerChange) {
        guard var next = ledger.take() else { return }
        change.apply(to: &next)
        next.headVersion += 1
        ledger = next
        unsyncedCount += 1
        told = HistoryAnchor(generation: next.generation, root: change.headEnd)
        // The batch is durable, so a failure here is not a failure of the batch; the next batch tries again.
        try? tellAnchor(isSynced: unsyncedCount > HistoryLimits.anchorSlack)
    }

    private func tellAnchor(isSynced: Bool) throws(StoreError) {
        guard let told else { return }
        try writeAnchor(told, isSynced: isSynced)
    }

    func writeAnchor(_ told: HistoryAnchor, isSynced: Bool) throws(StoreError) {
        guard let anchor else { return }
        try anchor.write(told.bytes(keys, of: store.databaseID), isSynced: isSynced)
        if isSynced { unsyncedCount = 0 }
    }

    var headKey: RowKey { RowKey(table: .sums, id: rowID(.sums, name: [])) }

    // MARK: - Findings

    /// The changes by other programs that were detected and not yet accepted.
    public var findings: [HistoryFinding] { ledger?.findings ?? [] }

    /// Whether sums over all rows are kept and no change by another program was detected.
    package var isUntouched: Bool { ledger?.findings.isEmpty == true }

    func note(_ finding: HistoryFinding) {
        ledger?.note(finding)
    }

    func noteUnreadable(_ row: Row) {
        note(HistoryFinding(.rowUnreadable, table: row.table, conversation: row.conversation, expected: 1))
    }

    /// Compares all rows of a group with their sum.
    func compare(_ rows: [Row], with group: SumGroup) {
        guard ledger != nil else { return }
        var sum = RowSum()
        for row in rows { sum.add(mark(of: row)) }
        compare(sum, with: group)
    }

    func compare(_ found: RowSum, with group: SumGroup) {
        guard let expected = ledger?.sum(of: group), expected != found else { return }
        note(
            HistoryFinding(
                .rowsChanged,
                table: group.table,
                conversation: group.conversation,
                expected: expected.count,
                found: found.count
            )
        )
    }
}

/// The changes of a batch to the ledger.
struct LedgerChange {
    let generation: UInt64
    var root: SIMD4<UInt64>
    var tables: [RecordTable: RowSum] = [:]
    /// The rows of conversations' sums; nil for a conversation that has no messages any more.
    var conversations: [RowID: SumLedger.Kept?] = [:]
    var recent: RecentSums
    /// The last bytes of the head's row.
    var headEnd: [UInt8] = []

    /// Makes a change that alters nothing but the generation.
    init(_ ledger: SumLedger) {
        generation = ledger.generation + 1
        root = ledger.root
        recent = ledger.recent
    }

    func apply(to ledger: inout SumLedger) {
        ledger.generation = generation
        ledger.root = root
        ledger.recent = recent
        for (table, sum) in tables { ledger.tables[table] = sum }
        for (conversation, kept) in conversations { ledger.conversations[conversation] = kept }
    }
}
