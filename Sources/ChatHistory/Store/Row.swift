/// One sealed record, as a store keeps it.
///
/// Everything beside `sealed` is unencrypted on the disk and is bound into the seal as associated data.
public struct Row: Equatable, Sendable {
    /// The kind of record.
    public let table: RecordTable
    /// The name of the row within its table.
    public let id: RowID
    /// The conversation the row belongs to, or `RowID.zero`.
    public let conversation: RowID
    /// The row's position among the rows of its conversation.
    public let sequence: UInt64
    /// The version, which rises at every write of the row.
    public let version: UInt32
    /// The sealed record.
    ///
    /// Shape: nonce 12, ciphertext, tag 16. Units: at most `HistoryLimits.sealedByteCount` bytes.
    public let sealed: [UInt8]

    /// Makes a row from its parts.
    public init(
        table: RecordTable,
        id: RowID,
        conversation: RowID,
        sequence: UInt64,
        version: UInt32,
        sealed: [UInt8]
    ) {
        self.table = table
        self.id = id
        self.conversation = conversation
        self.sequence = sequence
        self.version = version
        self.sealed = sealed
    }

    /// The position of the row in the order of its table.
    public var position: RowPosition { RowPosition(sequence: sequence, id: id) }
}
