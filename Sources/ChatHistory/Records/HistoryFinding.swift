import Bytes

/// A sign that something other than Earshot has changed what is kept.
public struct HistoryFinding: Hashable, Sendable {
    /// What was found.
    public enum Kind: UInt8, Hashable, Sendable {
        /// The database is older than its anchor says: it was put back to an earlier state.
        case rolledBack = 1
        /// The anchor is gone.
        case anchorMissing
        /// The anchor does not authenticate.
        case anchorDamaged
        /// The anchor is that of another state of the database, or an older one was put back.
        case anchorForeign
        /// The sums over all rows are gone.
        case sumsMissing
        /// The sums over all rows do not authenticate or do not fit each other.
        case sumsChanged
        /// Rows of a group are not those that were written: some were removed, added, moved, swapped or put back.
        case rowsChanged
        /// A row does not authenticate in its place.
        case rowUnreadable
    }

    /// What was found.
    public let kind: Kind
    /// The table of the rows concerned, if it is about rows.
    public let table: RecordTable?
    /// The conversation of the rows concerned, or `RowID.zero`.
    public let conversation: RowID
    /// Rows there should be, or the generation there should be.
    public let expected: UInt64
    /// Rows there are, or the generation there is.
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

    /// Whether two are about the same.
    func isSame(as other: HistoryFinding) -> Bool {
        (kind, table) == (other.kind, other.table) && conversation == other.conversation
    }

    // MARK: - In the sums

    /// Shape: kind 1, table 1 or 0, conversation 16, expected 8, found 8; integers big-endian.
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
