/// The limits of exports and imports of the history; PROTOCOL §12 lists them with their reasons.
package enum ArchiveLimits {
    /// Units: bytes of one line, without its line feed: a record in base64 beside a text in which each byte is escaped.
    package static let lineByteCount = 4 << 20
    /// Units: bytes of a message's record, as the store takes it.
    package static let recordByteCount = 1 << 20
    /// Members of a conversation, and contacts that an import adds.
    package static let memberCount = 4_096
    /// Units: bytes of UTF-8 of a name or title.
    package static let nameByteCount = 128
    /// Messages that one step of an import writes.
    package static let stepCount = 256
    /// Units: bytes of records that one step of an import writes, beside the last.
    package static let stepByteCount = 512 << 10
    /// Broken lines of an import that are reported one by one; the others are counted.
    package static let reportedCount = 100
    /// Messages of an export that are read at once.
    package static let pageCount = 128
    /// Units: bytes that are read from an import at once.
    static let readByteCount = 64 << 10
}
