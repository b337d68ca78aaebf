/// A failure to read or write history; two errors are equal when their codes are.
public struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The machine-readable code of the error.
    public let code: Code
    /// A description of the problem and of the remedy, for the user.
    public let reason: String
    /// The table of the row concerned, if the error is about a row.
    public let table: RecordTable?
    /// The row concerned, if the error is about a row.
    public let rowID: RowID?
    /// The underlying error, if there was one.
    public let cause: (any Error)?

    /// Makes an error; without a reason it has the reason of its code.
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

    /// The reason, and the row if the error is about a row.
    public var description: String {
        guard let table, let rowID else { return reason }
        return "\(reason) (table \(table), row \(rowID))"
    }

    /// Compares codes alone.
    public static func == (left: StoreError, right: StoreError) -> Bool {
        left.code == right.code
    }
}
