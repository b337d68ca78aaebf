/// The limits every store keeps to, and those of `RecordBook`.
///
/// Source: PROTOCOL §12.
public enum HistoryLimits {
    /// The longest record before sealing.
    ///
    /// Units: bytes.
    public static let recordByteCount = 1_048_576
    /// Records are padded to a multiple of this before sealing.
    ///
    /// Units: bytes.
    public static let paddingByteCount = 64
    /// What a cipher adds.
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
    /// The versions of rows written more than once that a `RecordBook` remembers at least; it forgets beyond twice this.
    public static let rememberedVersionCount = 65_536
    /// The rows read or written last whose versions a `RecordBook` knows without asking; it forgets beyond twice this.
    public static let recentVersionCount = 4_096
    /// The opened conversation keys that a `RecordBook` keeps at least; it forgets beyond twice this.
    public static let openedKeyCount = 256
    /// Batches by which the anchor on the disk may be behind after a power failure; then a batch waits for it.
    public static let anchorSlack: UInt64 = 256
    /// Sums of conversations that stand in the head, so that a batch into one of them writes no other row for it.
    public static let recentSumCount = 32
    /// Signs of tampering that are remembered; the first are kept.
    public static let findingCount = 32
    /// Messages in all up to which those of each conversation are counted when a history is opened.
    public static let openingCount: UInt64 = 100_000

    /// Refuses a batch that is over a limit; a store calls this before it changes anything.
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
