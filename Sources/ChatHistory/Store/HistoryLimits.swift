/// The limits that every store enforces, and those of `RecordStore`.
///
/// Source: PROTOCOL §12.
public enum HistoryLimits {
    /// The longest record before sealing.
    ///
    /// Units: bytes.
    public static let recordByteCount = 1_048_576
    /// The unit to which records are padded before sealing: their length becomes a multiple of it.
    ///
    /// Units: bytes.
    public static let paddingByteCount = 64
    /// The number of bytes that a cipher adds.
    ///
    /// Units: bytes (nonce 12, tag 16).
    public static let sealByteCount = 28
    /// The longest sealed record.
    ///
    /// Units: bytes.
    public static let sealedByteCount = recordByteCount + paddingByteCount + sealByteCount
    /// The most rows in one page.
    public static let pageRowCount = 1_000
    /// The most changes in one batch.
    public static let batchChangeCount = 4_096
    /// The least number of versions of rows written more than once that a `RecordStore` remembers; it forgets beyond
    /// twice this.
    public static let rememberedVersionCount = 65_536
    /// The number of rows read or written last whose versions a `RecordStore` knows without a query; it forgets beyond
    /// twice this.
    public static let recentVersionCount = 4_096
    /// The least number of opened conversation keys that a `RecordStore` keeps; it forgets beyond twice this.
    public static let openedKeyCount = 256
    /// The number of batches by which the anchor on the disk may be behind after a power failure; then a batch waits
    /// for it.
    public static let anchorSlack: UInt64 = 256
    /// The number of conversations whose sums are in the head, so that a batch for one of them writes no other row for
    /// its sum.
    public static let recentDigestCount = 32
    /// The number of findings that are remembered; the first are kept.
    public static let findingCount = 32
    /// The largest total of messages for which opening a history counts the messages of each conversation.
    public static let openingCount: UInt64 = 100_000

    /// Refuses a batch that exceeds a limit; a store calls this before it changes anything.
    ///
    /// - Throws: `batchTooLarge`, `recordTooLarge`.
    public static func check(_ changes: [StoreChange]) throws(StoreError) {
        guard changes.count <= batchChangeCount else { throw StoreError(.batchTooLarge) }
        for change in changes {
            switch change {
            case .put(let row), .insert(let row):
                guard row.sealed.count <= sealedByteCount else {
                    throw StoreError(.recordTooLarge, table: row.table, rowID: row.id)
                }
            case .delete, .deleteConversation: break
            }
        }
    }

    /// Refuses a page of no rows or of more than `pageRowCount`.
    ///
    /// - Throws: `pageLimit`.
    public static func check(pageLimit: Int) throws(StoreError) {
        guard (1...pageRowCount).contains(pageLimit) else { throw StoreError(.pageLimit) }
    }
}
