/// A position in the order of a table: by sequence, then by id.
///
/// The id is part of the order because rows of different conversations, or of tables without numbering, share a
/// sequence. With the sequence alone, a page that ends among equals would lose the rest of them.
public struct RowPosition: Hashable, Sendable, Comparable {
    /// The row's sequence.
    public let sequence: UInt64
    /// The row's id.
    public let id: RowID

    /// Makes a position; without an id it is before every row of that sequence.
    public init(sequence: UInt64, id: RowID = .zero) {
        self.sequence = sequence
        self.id = id
    }

    /// Compares by sequence, then by id.
    public static func < (left: RowPosition, right: RowPosition) -> Bool {
        (left.sequence, left.id) < (right.sequence, right.id)
    }
}
