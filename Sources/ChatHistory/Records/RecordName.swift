/// What a record is called: its table, and its name there.
package struct RecordName: Hashable, Sendable {
    /// The kind of record.
    package let table: RecordTable
    /// Its name among its kind.
    package let bytes: [UInt8]

    /// Names a record.
    package init(_ table: RecordTable, _ bytes: [UInt8]) {
        self.table = table
        self.bytes = bytes
    }

    /// All bytes at once, since one after the other takes longer than all else that is done with a name.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(table)
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
