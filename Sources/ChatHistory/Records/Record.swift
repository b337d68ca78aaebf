/// One record as `RecordBook` gives it out: opened, and known to be in its place.
public struct Record: Equatable, Sendable {
    /// The kind of record.
    public let table: RecordTable
    /// Names the row within its table.
    public let id: RowID
    /// The conversation the record belongs to, or `RowID.zero`.
    public let conversation: RowID
    /// The record's place among those of its conversation.
    public let sequence: UInt64
    /// Counts up at every write of the record, from 1.
    public let version: UInt32
    /// What was put, without padding.
    public let plaintext: [UInt8]

    /// Where the record stands in the order of its table; the `before` of the next page.
    public var position: RowPosition { RowPosition(sequence: sequence, id: id) }
}
