/// The detection of changes that other programs make to the stored history.
///
/// Source: PROTOCOL §11.
extension RecordStore {
    /// Reads the sums over all rows, compares them with each other and with the anchor, and maintains them from now on.
    ///
    /// Reads the sums only, and counts messages if there are few. `check` finds changes to rows that are not read as a
    /// whole later. Writes nothing.
    ///
    /// - Parameter anchor: The file beside the store that holds the present generation; nil for none.
    /// - Returns: Whether there are sums that fit each other; if not, nothing is watched until `takeOver`.
    /// - Throws: What the store reports.
    public func startWatching(anchor: AnchorFile? = nil) throws(StoreError) -> Bool {
        self.anchor = anchor
        digests = nil
        lostDigests = nil
        guard let head = try store.row(.digests, headKey.id) else { return false }
        guard let opened = try read(head) else {
            lostDigests = HistoryFinding(.digestsChanged)
            return false
        }
        digests = opened.digests
        try compareAnchor(head, opened.head)
        try countMessages()
        return true
    }

    /// Whether sums over all rows are kept.
    package var isWatching: Bool { digests != nil }

    /// Starts to watch a store without sums: all rows that exist now are accepted as they are.
    ///
    /// - Parameter isMissing: Whether there should have been sums, so that their absence becomes a finding. Sums that
    ///   exist and do not fit each other become a finding in any case.
    /// - Throws: What the store reports.
    public func takeOver(isMissing: Bool) throws(StoreError) {
        try takeOver(noting: lostDigests ?? (isMissing ? HistoryFinding(.digestsMissing) : nil))
    }

    /// Accepts the present rows as the expected ones and forgets all findings.
    ///
    /// Deletes messages that do not open; they never will.
    ///
    /// - Returns: The number of messages deleted.
    /// - Throws: What the store reports.
    @discardableResult
    public func accept() throws(StoreError) -> Int {
        var deleted: [StoreChange] = []
        for case .conversation(let conversation) in try groups() where try canOpen(conversation) {
            _ = try scan(.conversation(conversation)) { row in
                if !opens(row) { deleted.append(.delete(.messages, row.id)) }
            }
        }
        for start in stride(from: 0, to: deleted.count, by: HistoryLimits.batchChangeCount) {
            try store.apply(Array(deleted[start...].prefix(HistoryLimits.batchChangeCount)))
        }
        forgetVersions()
        try takeOver(noting: nil)
        return deleted.count
    }

    /// Compares every row with the sums and tries to open it; the results are in `findings`.
    ///
    /// - Returns: The number of rows.
    /// - Throws: What the store reports.
    @discardableResult
    public func check() throws(StoreError) -> Int {
        var count = 0
        for group in try groups() { count += try check(group) }
        return count
    }

    /// Lists the groups of rows that have sums, or should have them.
    package func groups() throws(StoreError) -> [DigestGroup] {
        var conversations = Set(digests.map { Array($0.conversationDigests.keys) } ?? [])
        _ = try scan(.table(.keys)) { _ = conversations.insert($0.conversation) }
        var count = 0
        for conversation in conversations { count += try store.count(.messages, conversation: conversation) }
        if try store.count(.messages, conversation: nil) != count {
            try visit(.messages, conversation: nil) { _ = conversations.insert($0.conversation) }
        }
        let tables = RecordTable.allCases.filter { $0 != .messages && $0 != .digests }
        return tables.map { .table($0) } + conversations.sorted().map { .conversation($0) }
    }

    /// Compares the rows of a group with its sum and tries to open each of them.
    ///
    /// - Returns: The number of rows.
    package func check(_ group: DigestGroup) throws(StoreError) -> Int {
        var isOpenable = true
        if group.table == .messages { isOpenable = try canOpen(group.conversation) }
        var unreadable: UInt64 = 0
        let digest = try scan(group) { row in
            if isOpenable, !opens(row) { unreadable += 1 }
        }
        compare(digest, with: group)
        if unreadable > 0 {
            let (table, conversation) = (group.table, group.conversation)
            note(HistoryFinding(.rowUnreadable, table: table, conversation: conversation, expected: unreadable))
        }
        return Int(clamping: digest.count)
    }

    // MARK: - Rows

    private func opens(_ row: Row) -> Bool {
        (try? opened(row)) != nil
    }

    /// Whether a conversation has a key; it has none once its deletion has begun.
    private func canOpen(_ conversation: RowID) throws(StoreError) -> Bool {
        do {
            return try storedCipher(of: conversation) != nil
        } catch {
            guard error.code == .tampered else { throw error }
            return false
        }
    }

    /// Visits all rows of a group and adds them up.
    private func scan(_ group: DigestGroup, _ body: (Row) -> Void) throws(StoreError) -> RowDigest {
        var digest = RowDigest()
        let conversation = group.table == .messages ? group.conversation : nil
        try visit(group.table, conversation: conversation) { row in
            digest.add(mark(of: row))
            body(row)
        }
        return digest
    }

    private func visit(
        _ table: RecordTable,
        conversation: RowID?,
        _ body: (Row) -> Void
    ) throws(StoreError) {
        var last: RowPosition?
        repeat {
            let limit = HistoryLimits.pageRowCount
            let rows = try store.rows(table, conversation: conversation, after: last, limit: limit)
            for row in rows { body(row) }
            last = rows.count == limit ? rows.last?.position : nil
        } while last != nil
    }

    // MARK: - Sums

    /// Reads the digests from a head and the rows of conversations; nil if they do not fit each other.
    private func read(_ row: Row) throws(StoreError) -> (digests: IntegrityDigests, head: [UInt8])? {
        guard let head = try? opened(row), head.id == headKey.id, var digests = IntegrityDigests(head: head.plaintext)
        else {
            return nil
        }
        digests.headVersion = row.version
        var isWhole = true
        var root = SIMD4<UInt64>.zero
        try visit(.digests, conversation: nil) { row in
            guard row.id != headKey.id else { return }
            guard let record = try? opened(row), let digest = RowDigest(bytes: record.plaintext[...]),
                row.id == rowID(.digests, name: row.conversation.bytes)
            else {
                isWhole = false
                return
            }
            let trace = RowTrace(row)
            let kept = IntegrityDigests.Kept(digest: digest, trace: trace, mark: mark(trace, RowKey(row)))
            root ^= kept.mark
            digests.conversations[row.conversation] = kept
        }
        return isWhole && root == digests.root ? (digests, head.plaintext) : nil
    }

    /// Compares the sums with the head that the anchor describes.
    private func compareAnchor(_ row: Row, _ head: [UInt8]) throws(StoreError) {
        guard let anchor, let generation = digests?.generation else { return }
        guard let bytes = try anchor.read() else { return note(HistoryFinding(.anchorMissing, found: generation)) }
        guard let storedAnchor = HistoryAnchor(bytes, keys) else {
            return note(HistoryFinding(.anchorDamaged, found: generation))
        }
        let isForeign =
            storedAnchor.generation == generation
            ? storedAnchor.root != (storedAnchor.isOfContent ? keys.digestCode(head) : HistoryAnchor.end(of: row))
            : storedAnchor.generation + HistoryLimits.anchorSlack + 1 < generation
        if storedAnchor.generation > generation {
            note(HistoryFinding(.rolledBack, expected: storedAnchor.generation, found: generation))
        } else if isForeign {
            note(HistoryFinding(.anchorForeign, expected: storedAnchor.generation, found: generation))
        }
        digests?.generation = max(storedAnchor.generation, generation)
    }

    /// Compares the number of messages with the expected number, if the history is small enough.
    private func countMessages() throws(StoreError) {
        guard let digests = digests?.conversationDigests else { return }
        let total = digests.values.reduce(0) { $0 &+ $1.count }
        guard total <= HistoryLimits.openingCount else { return }
        for (conversation, digest) in digests {
            let found = UInt64(try store.count(.messages, conversation: conversation))
            guard found != digest.count else { continue }
            let expected = digest.count
            note(
                HistoryFinding(
                    .rowsChanged,
                    table: .messages,
                    conversation: conversation,
                    expected: expected,
                    found: found
                )
            )
        }
    }

    /// Computes all sums again from the present rows.
    private func takeOver(noting finding: HistoryFinding?) throws(StoreError) {
        var next = IntegrityDigests()
        if finding != nil { for known in findings { next.note(known) } }
        if let finding { next.note(finding) }
        let anchorBytes = try anchor?.read()
        let storedAnchor = anchorBytes.flatMap { HistoryAnchor($0, keys) }
        next.generation = max(storedAnchor?.generation ?? 0, digests?.generation ?? 0)
        // Everything is read before anything is written: rows that cannot be read stay as they are, and so does their
        // anchor.
        let before = digests.take()
        var pending = PendingChanges()
        do throws(StoreError) {
            try visit(.digests, conversation: nil) { pending.changes.append(.delete(.digests, $0.id)) }
            for group in try groups() {
                let digest = try scan(group) { _ in }
                if digest != RowDigest() { pending.digests[group] = digest }
            }
            // The anchor is written first, so that sums never exist without one.
            try writeAnchor(
                HistoryAnchor(generation: next.generation, root: [UInt8](repeating: 0, count: 32)),
                isSynced: true
            )
        } catch {
            digests = before
            throw error
        }
        digests = next
        do {
            try write(pending)
        } catch {
            digests = nil
            // Rows that cannot be written stay as they are, and so does their anchor.
            try? anchor?.putBack(anchorBytes)
            throw error
        }
    }
}
