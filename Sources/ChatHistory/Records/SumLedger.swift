/// The sums over all rows of a store, as they are in it and in memory.
///
/// The messages of each conversation have a sum in a row of their own. The head, one more row, holds the sums of the other
/// tables, the exclusive or of the marks of those rows, what was found to be wrong, and how many batches were written.
/// Source: PROTOCOL §11.
struct SumLedger {
    /// A sum as it stands in a row of its own.
    struct Kept {
        var sum: RowSum
        var trace: RowTrace
        var mark: SIMD4<UInt64>
    }

    /// Counts the batches.
    var generation: UInt64 = 0
    /// The sums of the tables other than that of messages.
    var tables: [RecordTable: RowSum] = [:]
    /// The sums of conversations.
    var conversations: [RowID: Kept] = [:]
    /// The exclusive or of the marks of all conversations' rows.
    var root = SIMD4<UInt64>.zero
    /// What was found and nobody has accepted.
    private(set) var findings: [HistoryFinding] = []
    /// The version of the row that the head stands in; 0 for none.
    var headVersion: UInt32 = 0

    private static let format: UInt8 = 1

    init() {}

    /// Keeps what was found, unless it is known; beyond the limit the first are kept.
    mutating func note(_ finding: HistoryFinding) {
        guard findings.count < HistoryLimits.findingCount, !findings.contains(where: { $0.isSame(as: finding) }) else {
            return
        }
        findings.append(finding)
    }

    func sum(of group: SumGroup) -> RowSum {
        switch group {
        case .table(let table): tables[table] ?? RowSum()
        case .conversation(let conversation): conversations[conversation]?.sum ?? RowSum()
        }
    }

    // MARK: - The head

    /// Shape: format 1, generation 8, root 32, tables u8, each number u8 and sum 40, findings u8, each 34.
    var head: [UInt8] {
        var bytes = [Self.format] + generation.bigEndianBytes + root.bigEndianBytes
        let kept = tables.filter { $0.value != RowSum() }.sorted { $0.key.rawValue < $1.key.rawValue }
        bytes.append(UInt8(kept.count))
        for (table, sum) in kept { bytes += [table.rawValue] + sum.bytes }
        bytes.append(UInt8(findings.count))
        for finding in findings { bytes += finding.bytes }
        return bytes
    }

    init?(head bytes: [UInt8]) {
        var rest = bytes[...]
        func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        guard take(1)?.first == Self.format, let number = take(8), let root = take(32), let tableCount = take(1)?.first
        else { return nil }
        generation = UInt64(bigEndian: number)
        self.root = SIMD4(bigEndian: root)
        for _ in 0..<tableCount {
            guard let table = take(1)?.first.flatMap(RecordTable.init),
                let sum = take(RowSum.byteCount).flatMap(RowSum.init)
            else { return nil }
            tables[table] = sum
        }
        guard let findingCount = take(1)?.first else { return nil }
        for _ in 0..<findingCount {
            guard let finding = take(HistoryFinding.byteCount).flatMap(HistoryFinding.init) else { return nil }
            note(finding)
        }
        guard rest.isEmpty else { return nil }
    }
}
