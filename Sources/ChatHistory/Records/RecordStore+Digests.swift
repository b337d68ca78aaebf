/// The maintenance of the sums over rows (the integrity digests) at each batch.
///
/// Source: PROTOCOL §11.
extension RecordStore {
    /// Computes the mark that a row adds to its sum.
    func mark(_ trace: RowTrace, _ key: RowKey) -> SIMD4<UInt64> {
        SIMD4(bigEndian: keys.digestCode(trace.bytes(at: key))[...])
    }

    func mark(of row: Row) -> SIMD4<UInt64> { mark(RowTrace(row), RowKey(row)) }

    func change(_ group: DigestGroup, _ pending: inout PendingChanges, _ body: (inout RowDigest) -> Void) {
        var digest = pending.digests[group] ?? digests?.digest(of: group) ?? RowDigest()
        body(&digest)
        pending.digests[group] = digest
    }

    /// Adds the sums that a batch changes to the batch; returns the change of the digests, or nil if nothing is watched.
    func nextDigests(_ pending: inout PendingChanges) throws(StoreError) -> DigestChange? {
        guard let digests else { return nil }
        // The anchor may be behind by a limited number of batches; beyond that no batch continues without it.
        if unsyncedCount > HistoryLimits.anchorSlack { try writeAnchorIfDue(isSynced: true) }
        var change = DigestChange(digests)
        var head = digests
        // The rows of conversations are written one by one, so the head needs no copy of them here.
        head.conversations = [:]
        for (group, digest) in pending.digests {
            switch group {
            case .table(let table): change.tables[table] = digest
            case .conversation(let conversation):
                change.recent.set(digest, of: conversation)
                if digest == RowDigest(), let kept = digests.conversations[conversation] {
                    change.root ^= kept.mark
                    change.conversations[conversation] = .some(nil)
                    pending.changes.append(.delete(.digests, digestKey(conversation).id))
                }
            }
        }
        while let (conversation, digest) = change.recent.takeSurplus() {
            let kept = digests.conversations[conversation]
            let key = digestKey(conversation)
            let version = (kept?.trace.version ?? 0) + 1
            let row = sealed(digest.bytes, key, conversation, 0, version, keys.cipher(for: .digests))
            let trace = RowTrace(row)
            let added = IntegrityDigests.Kept(digest: digest, trace: trace, mark: mark(trace, key))
            change.root ^= (kept?.mark ?? .zero) ^ added.mark
            change.conversations[conversation] = .some(added)
            pending.changes.append(.put(row))
        }
        change.apply(to: &head)
        let row = sealed(head.head, headKey, .zero, 0, digests.headVersion + 1, keys.cipher(for: .digests))
        change.headEnd = HistoryAnchor.end(of: row)
        pending.changes.append(.put(row))
        return change
    }

    private func digestKey(_ conversation: RowID) -> RowKey {
        RowKey(table: .digests, id: rowID(.digests, name: conversation.bytes))
    }

    /// Updates the digests after the store accepted the batch, and writes the anchor.
    func adopt(_ change: DigestChange) {
        guard var next = digests.take() else { return }
        change.apply(to: &next)
        next.headVersion += 1
        digests = next
        unsyncedCount += 1
        storedAnchor = HistoryAnchor(generation: next.generation, root: change.headEnd)
        // The batch is durable, so a failure here is not a failure of the batch; the next batch tries again.
        try? writeAnchorIfDue(isSynced: unsyncedCount > HistoryLimits.anchorSlack)
    }

    private func writeAnchorIfDue(isSynced: Bool) throws(StoreError) {
        guard let storedAnchor else { return }
        try writeAnchor(storedAnchor, isSynced: isSynced)
    }

    func writeAnchor(_ storedAnchor: HistoryAnchor, isSynced: Bool) throws(StoreError) {
        guard let anchor else { return }
        try anchor.write(storedAnchor.bytes(keys, of: store.databaseID), isSynced: isSynced)
        if isSynced { unsyncedCount = 0 }
    }

    var headKey: RowKey { RowKey(table: .digests, id: rowID(.digests, name: [])) }

    // MARK: - Findings

    /// The changes by other programs that were detected and not yet accepted.
    public var findings: [HistoryFinding] { digests?.findings ?? [] }

    /// Whether sums over all rows are kept and no change by another program was detected.
    package var isUntouched: Bool { digests?.findings.isEmpty == true }

    func note(_ finding: HistoryFinding) {
        digests?.note(finding)
    }

    func noteUnreadable(_ row: Row) {
        note(HistoryFinding(.rowUnreadable, table: row.table, conversation: row.conversation, expected: 1))
    }

    /// Compares all rows of a group with their sum.
    func compare(_ rows: [Row], with group: DigestGroup) {
        guard digests != nil else { return }
        var digest = RowDigest()
        for row in rows { digest.add(mark(of: row)) }
        compare(digest, with: group)
    }

    func compare(_ found: RowDigest, with group: DigestGroup) {
        guard let expected = digests?.digest(of: group), expected != found else { return }
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

/// The changes of a batch to the digests.
struct DigestChange {
    let generation: UInt64
    var root: SIMD4<UInt64>
    var tables: [RecordTable: RowDigest] = [:]
    /// The rows of conversations' sums; nil for a conversation that has no messages any more.
    var conversations: [RowID: IntegrityDigests.Kept?] = [:]
    var recent: RecentDigests
    /// The last bytes of the head's row.
    var headEnd: [UInt8] = []

    /// Makes a change that alters nothing but the generation.
    init(_ digests: IntegrityDigests) {
        generation = digests.generation + 1
        root = digests.root
        recent = digests.recent
    }

    func apply(to digests: inout IntegrityDigests) {
        digests.generation = generation
        digests.root = root
        digests.recent = recent
        for (table, digest) in tables { digests.tables[table] = digest }
        for (conversation, kept) in conversations { digests.conversations[conversation] = kept }
    }
}
