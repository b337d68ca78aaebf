/// The sums over all rows of a store (the integrity digests), as they are in the store and in memory.
///
/// The messages of each conversation have a sum. The head, one row, holds the sums of the conversations that changed
/// last and of the other tables; the remaining sums have rows of their own. The head also has the exclusive or of the
/// marks of those rows, the findings, and the number of batches written. Source: PROTOCOL §11.
struct IntegrityDigests {
    /// A sum with a row of its own.
    struct Kept {
        var digest: RowDigest
        var trace: RowTrace
        var mark: SIMD4<UInt64>
    }

    /// The number of batches written.
    var generation: UInt64 = 0
    /// The sums of the tables other than the table of messages.
    var tables: [RecordTable: RowDigest] = [:]
    /// The sums of conversations as their rows have them.
    var conversations: [RowID: Kept] = [:]
    /// The sums in the head; they take precedence over those rows.
    var recent = RecentDigests()
    /// The exclusive or of the marks of all conversations' rows.
    var root = SIMD4<UInt64>.zero
    /// The findings that the user has not accepted.
    private(set) var findings: [HistoryFinding] = []
    /// The version of the head's row; 0 for none.
    var headVersion: UInt32 = 0

    /// The current format; format 1, of earlier versions, has no recent sums.
    private static let format: UInt8 = 2
    /// The length that a head with all recent sums seldom exceeds.
    ///
    /// Units: bytes.
    private static let usualByteCount = 2_800

    init() {}

    /// Keeps a finding unless it is known; beyond the limit the first ones are kept.
    mutating func note(_ finding: HistoryFinding) {
        guard findings.count < HistoryLimits.findingCount, !findings.contains(where: { $0.isSame(as: finding) }) else {
            return
        }
        findings.append(finding)
    }

    func digest(of group: DigestGroup) -> RowDigest {
        switch group {
        case .table(let table): tables[table] ?? RowDigest()
        case .conversation(let conversation):
            recent[conversation] ?? conversations[conversation]?.digest ?? RowDigest()
        }
    }

    /// The sums of all conversations.
    var conversationDigests: [RowID: RowDigest] {
        conversations.mapValues(\.digest).merging(recent.digests) { _, recent in recent }
    }

    // MARK: - The head

    /// The encoded head.
    ///
    /// Shape: format 2, generation 8, root 32, tables u8, each number u8 and sum 40, findings u8, each 34, recent sums.
    var head: [UInt8] {
        var bytes = [Self.format]
        bytes.reserveCapacity(Self.usualByteCount)
        bytes.append(bigEndian: generation)
        bytes.append(bigEndian: root)
        let kept = tables.filter { $0.value != RowDigest() }.sorted { $0.key.rawValue < $1.key.rawValue }
        bytes.append(UInt8(kept.count))
        for (table, digest) in kept {
            bytes.append(table.rawValue)
            digest.append(to: &bytes)
        }
        bytes.append(UInt8(findings.count))
        for finding in findings { bytes += finding.bytes }
        recent.encode(into: &bytes)
        return bytes
    }

    init?(head bytes: [UInt8]) {
        var rest = bytes[...]
        func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        guard let format = take(1)?.first, (1...Self.format).contains(format),
            let number = take(8), let root = take(32), let tableCount = take(1)?.first
        else { return nil }
        generation = UInt64(bigEndian: number)
        self.root = SIMD4(bigEndian: root)
        for _ in 0..<tableCount {
            guard let table = take(1)?.first.flatMap(RecordTable.init),
                let digest = take(RowDigest.byteCount).flatMap(RowDigest.init)
            else { return nil }
            tables[table] = digest
        }
        guard let findingCount = take(1)?.first else { return nil }
        for _ in 0..<findingCount {
            guard let finding = take(HistoryFinding.byteCount).flatMap(HistoryFinding.init) else { return nil }
            note(finding)
        }
        if format > 1 {
            guard let recent = RecentDigests(decoding: &rest) else { return nil }
            self.recent = recent
        }
        guard rest.isEmpty else { return nil }
    }
}
