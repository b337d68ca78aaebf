import ChatHistory

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
    }

    /// What was noticed and nobody has accepted, at most 32 signs.
    public internal(set) var signs: [Sign]
    /// The records that were looked at; nil where none were looked for.
    public internal(set) var recordCount: Int?
    /// The messages that did not open and were deleted, because the user accepted that.
    public internal(set) var deletedCount = 0
}

extension HistoryReport.Kind {
    init(_ kind: HistoryFinding.Kind) {
        self =
            switch kind {
            case .rolledBack: .rolledBack
            case .anchorMissing: .anchorMissing
            case .anchorDamaged: .anchorDamaged
            case .anchorForeign: .anchorForeign
            case .sumsMissing: .sumsMissing
            case .sumsChanged: .sumsChanged
            case .rowsChanged: .recordsChanged
            case .rowUnreadable: .recordsUnreadable
            }
    }
}
