/// What something other than Earshot has changed of what a node keeps.
public struct HistoryReport: Hashable, Sendable {
    /// What was noticed; the text is what programs read.
    public enum Kind: String, Hashable, Sendable {
        /// The whole history was put back to an earlier state.
        case rolledBack
        /// The file `anchor` beside it is gone.
        case anchorMissing
        /// The file `anchor` beside it was changed.
        case anchorDamaged
        /// The file `anchor` is that of another state of the history.
        case anchorForeign
        /// The sums over all records are gone.
        case sumsMissing
        /// The sums over all records were changed.
        case sumsChanged
        /// Records were removed, added, moved, swapped or put back.
        case recordsChanged
        /// Records were changed, so that they do not open.
        case recordsUnreadable
    }

    /// One sign of tampering.
    public struct Sign: Hashable, Sendable {
        /// What was noticed.
        public let kind: Kind
        /// The conversation it is about, if its messages were changed and it is still known.
        public let conversation: ConversationID?
        /// The kind of records it is about, as PROTOCOL §11 calls it.
        public let table: String?
        /// How many there should be: records, or for the history and its anchor steps that were written.
        public let expected: UInt64
        /// How many there are.
        public let found: UInt64

        /// Makes one of its parts.
        package init(kind: Kind, conversation: ConversationID?, table: String?, expected: UInt64, found: UInt64) {
            self.kind = kind
            self.conversation = conversation
            self.table = table
            self.expected = expected
            self.found = found
        }
    }

    /// What was noticed and nobody has accepted, at most 32 signs.
    public package(set) var signs: [Sign]
    /// The records that were looked at; nil where none were looked for.
    public package(set) var recordCount: Int?
    /// The messages that did not open and were deleted, because the user accepted that.
    public package(set) var deletedCount = 0

    /// Makes one of its parts.
    package init(signs: [Sign], recordCount: Int? = nil, deletedCount: Int = 0) {
        self.signs = signs
        self.recordCount = recordCount
        self.deletedCount = deletedCount
    }
}
