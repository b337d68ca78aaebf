import ChatCrypto

/// The texts with which the author of a message replaced it.
///
/// The newest edits are kept; the last one applies. Any order and repetition of the same edits gives the same history.
package struct EditHistory: Hashable, Sendable {
    /// One version of the text.
    package struct Edit: Hashable, Sendable {
        package let text: String
        package let mentions: [Mention]
        /// The time of the edit by the author's clock.
        ///
        /// Units: milliseconds since 1970.
        package let sentAt: UInt64
        package let revision: Revision

        package init(_ text: String, mentions: [Mention] = [], sentAt: UInt64, _ revision: Revision) {
            self.text = text
            self.mentions = mentions
            self.sentAt = sentAt
            self.revision = revision
        }
    }

    /// The edits, the oldest first.
    package private(set) var edits: [Edit] = []

    package init() {}

    /// Adds an edit.
    package mutating func insert(_ edit: Edit) {
        guard !edits.contains(where: { $0.revision == edit.revision }) else { return }
        let place = edits.firstIndex { edit.revision < $0.revision } ?? edits.endIndex
        edits.insert(edit, at: place)
        if edits.count > ContentLimits.editCount { edits.removeFirst() }
    }

    /// Adds everything of another history.
    package mutating func merge(_ other: EditHistory) {
        for edit in other.edits { insert(edit) }
    }

    /// The number of the next edit; nil if all numbers are used up.
    package var nextNumber: UInt32? {
        let newest = edits.last?.revision.number ?? 0
        return newest < .max ? newest + 1 : nil
    }
}
