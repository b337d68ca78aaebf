/// Why history could not be read or written; two errors are equal when their codes are.
public struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong, for a program to act on.
    public let code: Code
    /// What went wrong and what can be done, for a person.
    public let reason: String
    /// The table of the row concerned, if it is about one.
    public let table: RecordTable?
    /// The row concerned, if it is about one.
    public let rowID: RowID?
    /// The error beneath, if there was one.
    public let cause: (any Error)?

    /// Makes an error; without a reason it says what its code says.
    public init(
        _ code: Code,
        reason: String? = nil,
        table: RecordTable? = nil,
        rowID: RowID? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.reason = reason ?? code.reason
        self.table = table
        self.rowID = rowID
        self.cause = cause
    }

    /// The reason, and the row if it is about one.
    public var description: String {
        guard let table, let rowID else { return reason }
        return "\(reason) (table \(table), row \(rowID))"
    }

    /// Compares codes alone.
    public static func == (left: StoreError, right: StoreError) -> Bool {
        left.code == right.code
    }
}
