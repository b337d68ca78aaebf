/// The detection of changes that other programs make to the stored history.
///
/// Source: PROTOCOL §11.
extension RecordBook {
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
        ledger = nil
        lostSums = nil
        guard let head = try store.row(.sums, headKey.id) else { return false }
        guard let opened = try read(head) else {
            lostSums = HistoryFinding(.sumsChanged)
            return false
        }
        ledger = opened.ledger
        try compareAnchor(head, opened.head)
        try countMessages()
        return true
    }

    /// Whether sums over all rows are kept.
    package var isWatching: Bool { ledger != nil }

    /// Starts to watch a store without sums: all rows that exist now are accepted as they are.
    ///
    /// - Parameter isMissing: Whether there should have been sums, so that their absence becomes a finding. Sums that
    ///   exist and do not fit each other become a finding in any case.
    /// - Throws: What the store reports.
    public func takeOver(isMissing: Bool) throws(StoreError) {
        try takeOver(noting: lostSums ?? (isMissing ? HistoryFinding(.sumsMissing) : nil))
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
    package func groups() throws(StoreError) -> [SumGroup] {
        var conversations = Set(ledger.map { Array($0.conversationSums.keys) } ?? [])
        _ = try scan(.table(.keys)) { _ = conversations.insert($0.conversation) }
        var count = 0
        for conversation in conversations { count += try store.count(.messages, conversation: conversation) }
        if try store.count(.messages, conversation: nil) != count {
            try visit(.messages, conversation: nil) { _ = conversations.insert($0.conversation) }
        }
        let tables = RecordTable.allCases.filter { $0 != .messages && $0 != .sums }
        return tables.map { .table($0) } + conversations.sorted().map { .conversation($0) }
    }

    /// Compares the rows of a group with its sum and tries to open each of them.
    ///
    /// - Returns: The number of rows.
    package func check(_ group: SumGroup) throws(StoreError) -> Int {
        var isOpenable = true
        if group.table == .messages { isOpenable = try canOpen(group.conversation) }
        var unreadable: UInt64 = 0
        let sum = try scan(group) { row in
            if isOpenable, !opens(row) { unreadable += 1 }
        }
        compare(sum, with: group)
        if unreadable > 0 {
            let (table, conversation) = (group.table, group.conversation)
            note(HistoryFinding(.rowUnreadable, table: table, conversation: conversation, expected: unreadable))
        }
        return Int(clamping: sum.count)
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
    private func scan(_ group: SumGroup, _ body: (Row) -> Void) throws(StoreError) -> RowSum {
        var sum = RowSum()
        let conversation = group.table == .messages ? group.conversation : nil
        try visit(group.table, conversation: conversation) { row in
            sum.add(mark(of: row))
            body(row)
        }
        return sum
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

    /// Reads the ledger from a head and the rows of conversations; nil if they do not fit each other.
    private func read(_ row: Row) throws(StoreError) -> (ledger: SumLedger, head: [UInt8])? {
        guard let head = try? opened(row), head.id == headKey.id, var ledger = SumLedger(head: head.plaintext) else {
            return nil
        }
        ledger.headVersion = row.version
        var isWhole = true
        var root = SIMD4<UInt64>.zero
        try visit(.sums, conversation: nil) { row in
            guard row.id != headKey.id else { return }
            guard let record = try? opened(row), let sum = RowSum(bytes: record.plaintext[...]),
                row.id == rowID(.sums, name: row.conversation.bytes)
            else {
                isWhole = false
                return
            }
            let trace = RowTrace(row)
            let kept = SumLedger.Kept(sum: sum, trace: trace, mark: mark(trace, RowKey(row)))
            root ^= kept.mark
            ledger.conversations[row.conversation] = kept
        }
        return isWhole && root == ledger.root ? (ledger, head.plaintext) : nil
    }

    /// Compares the sums with the head that the anchor describes.
    private func compareAnchor(_ row: Row, _ head: [UInt8]) throws(StoreError) {
        guard let anchor, let generation = ledger?.generation else { return }
        guard let bytes = try anchor.read() else { return note(HistoryFinding(.anchorMissing, found: generation)) }
        guard let told = HistoryAnchor(bytes, keys) else {
            return note(HistoryFinding(.anchorDamaged, found: generation))
        }
        let isForeign =
            told.generation == generation
            ? told.root != (told.isOfContent ? keys.sumCode(head) : HistoryAnchor.end(of: row))
            : told.generation + HistoryLimits.anchorSlack + 1 < generation
        if told.generation > generation {
            note(HistoryFinding(.rolledBack, expected: told.generation, found: generation))
        } else if isForeign {
            note(HistoryFinding(.anchorForeign, expected: told.generation, found: generation))
        }
        ledger?.generation = max(told.generation, generation)
    }

    /// Compares the number of messages with the expected number, if the history is small enough.
    private func countMessages() throws(StoreError) {
        guard let sums = ledger?.conversationSums else { return }
        let total = sums.values.reduce(0) { $0 &+ $1.count }
        guard total <= HistoryLimits.openingCount else { return }
        for (conversation, sum) in sums {
            let found = UInt64(try store.count(.messages, conversation: conversation))
            guard found != sum.count else { continue }
            let expected = sum.count
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
        var next = SumLedger()
        if finding != nil { for known in findings { next.note(known) } }
        if let finding { next.note(finding) }
        let anchorBytes = try anchor?.read()
        let told = anchorBytes.flatMap { HistoryAnchor($0, keys) }
        next.generation = max(told?.generation ?? 0, ledger?.generation ?? 0)
        // Everything is read before anything is written: rows that cannot be read stay as they are, and so does their
        // anchor.
        let before = ledger.take()
        var pending = PendingChanges()
        do throws(StoreError) {
            try visit(.sums, conversation: nil) { pending.changes.append(.delete(.sums, $0.id)) }
            for group in try groups() {
                let sum = try scan(group) { _ in }
                if sum != RowSum() { pending.sums[group] = sum }
            }
            // The anchor is written first, so that sums never exist without one.
            try writeAnchor(
                HistoryAnchor(generation: next.generation, root: [UInt8](repeating: 0, count: 32)),
                isSynced: true
            )
        } catch {
            ledger = before
            throw error
        }
        ledger = next
        do {
            try write(pending)
        } catch {
            ledger = nil
            // Rows that cannot be written stay as they are, and so does their anchor.
            try? anchor?.putBack(anchorBytes)
            throw error
        }
    }
}
