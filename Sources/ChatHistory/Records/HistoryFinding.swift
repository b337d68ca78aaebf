import Bytes

/// A sign that a program other than Earshot has changed the stored history.
public struct HistoryFinding: Hashable, Sendable {
    /// The kinds of findings.
    public enum Kind: UInt8, Hashable, Sendable {
        /// The database is older than its anchor: it was put back to an earlier state.
        case rolledBack = 1
        /// The anchor is missing.
        case anchorMissing
        /// The anchor does not authenticate.
        case anchorDamaged
        /// The anchor belongs to another state of the database, or an older anchor was put back.
        case anchorForeign
        /// The integrity digests of all rows are missing.
        case digestsMissing
        /// The integrity digests do not authenticate or do not fit each other.
        case digestsChanged
        /// The rows of a group are not those that were written: some were removed, added, moved, swapped or put back.
        case rowsChanged
        /// A row does not authenticate in its position.
        case rowUnreadable
    }

    /// The kind of the finding.
    public let kind: Kind
    /// The table of the rows concerned, if the finding is about rows.
    public let table: RecordTable?
    /// The conversation of the rows concerned, or `RowID.zero`.
    public let conversation: RowID
    /// The expected number of rows, or the expected generation.
    public let expected: UInt64
    /// The number of rows found, or the generation found.
    public let found: UInt64

    init(
        _ kind: Kind,
        table: RecordTable? = nil,
        conversation: RowID = .zero,
        expected: UInt64 = 0,
        found: UInt64 = 0
    ) {
        self.kind = kind
        self.table = table
        self.conversation = conversation
        self.expected = expected
        self.found = found
    }

    /// Whether two findings have the same kind, table and conversation.
    func isSame(as other: HistoryFinding) -> Bool {
        (kind, table) == (other.kind, other.table) && conversation == other.conversation
    }

    // MARK: - Encoding in the head

    /// The length of an encoded finding.
    ///
    /// Shape: kind 1, table 1 or 0, conversation 16, expected 8, found 8; integers big-endian. Units: bytes.
    static let byteCount = 34

    init?(bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount, let kind = Kind(rawValue: bytes[0]),
            let conversation = RowID(bytes: bytes[2..<18])
        else { return nil }
        self.init(
            kind,
            table: RecordTable(rawValue: bytes[1]),
            conversation: conversation,
            expected: UInt64(bigEndian: bytes[18..<26]),
            found: UInt64(bigEndian: bytes[26..<34])
        )
    }

    var bytes: [UInt8] {
        [kind.rawValue, table?.rawValue ?? 0] + conversation.bytes + expected.bigEndianBytes + found.bigEndianBytes
    }
}
