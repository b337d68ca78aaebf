/// The name of a record: its table, and its name in that table.
package struct RecordName: Hashable, Sendable {
    /// The kind of record.
    package let table: RecordTable
    /// The name within the table.
    package let bytes: [UInt8]

    /// Names a record.
    package init(_ table: RecordTable, _ bytes: [UInt8]) {
        self.table = table
        self.bytes = bytes
    }

    /// Hashes all bytes at once; byte by byte takes longer than all other work with a name.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(table)
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
