/// The changes that a program other than Earshot has made to the stored data of a node.
public struct HistoryReport: Hashable, Codable, Sendable {
    /// The kind of a change; programs read the text.
    public enum Kind: String, Hashable, Codable, Sendable {
        /// The whole history was put back to an earlier state.
        case rolledBack
        /// The file `anchor` beside the history is missing.
        case anchorMissing
        /// The file `anchor` beside the history was changed.
        case anchorDamaged
        /// The file `anchor` belongs to another state of the history.
        case anchorForeign
        /// The integrity digests over all records are missing.
        case digestsMissing = "sumsMissing"
        /// The integrity digests over all records were changed.
        case digestsChanged = "sumsChanged"
        /// Records were removed, added, moved, swapped or put back.
        case recordsChanged
        /// Records were changed, so that they do not open.
        case recordsUnreadable
    }

    /// One sign of tampering.
    public struct Sign: Hashable, Codable, Sendable {
        /// The kind of the change.
        public let kind: Kind
        /// The conversation, if its messages were changed and it is still known.
        public let conversation: ConversationID?
        /// The kind of the records concerned, as PROTOCOL §11 calls it.
        public let table: String?
        /// The expected number: of records, or for the history and its anchor of the batches written.
        public let expected: UInt64
        /// The number found.
        public let found: UInt64

        /// Makes a sign from its parts.
        public init(
            kind: Kind,
            conversation: ConversationID? = nil,
            table: String? = nil,
            expected: UInt64,
            found: UInt64
        ) {
            self.kind = kind
            self.conversation = conversation
            self.table = table
            self.expected = expected
            self.found = found
        }
    }

    /// The signs that were detected and not yet accepted, at most 32.
    public package(set) var signs: [Sign]
    /// The number of checked records; nil if no check was made.
    public package(set) var recordCount: Int?
    /// The number of messages that did not open and were deleted, because the user accepted that.
    public package(set) var deletedCount = 0

    /// Makes a report from its parts.
    public init(signs: [Sign] = [], recordCount: Int? = nil, deletedCount: Int = 0) {
        self.signs = signs
        self.recordCount = recordCount
        self.deletedCount = deletedCount
    }
}
