/// One record as `RecordStore` returns it: opened, and known to be in its position.
public struct Record: Equatable, Sendable {
    /// The kind of record.
    public let table: RecordTable
    /// The name of the row within its table.
    public let id: RowID
    /// The conversation the record belongs to, or `RowID.zero`.
    public let conversation: RowID
    /// The record's position among the records of its conversation.
    public let sequence: UInt64
    /// The version, which rises at every write of the record, from 1.
    public let version: UInt32
    /// The plaintext as it was put, without padding.
    public let plaintext: [UInt8]

    /// The position of the record in the order of its table; the `before` of the next page.
    public var position: RowPosition { RowPosition(sequence: sequence, id: id) }
}
