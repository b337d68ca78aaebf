package import ChatCrypto

/// What one member says that somebody wrote: a message, or what was done to it since.
package struct HistoryRecord: Hashable, Sendable {
    /// Who wrote it.
    package let author: PeerID
    /// Of a message the content exactly as it was sealed; of a change one without salt.
    package let content: [UInt8]
    /// The message that brought a change; nil for a message, whose author and content give its id.
    package let change: MessageID?

    package init(author: PeerID, content: [UInt8], change: MessageID? = nil) {
        self.author = author
        self.content = content
        self.change = change
    }

    /// Units: bytes in a page, with the tags and lengths of its fields.
    package var byteCount: Int { 4 + 34 + 4 + content.count + (change == nil ? 0 : 18) }
}

/// What a member tells of a group's history at once.
package struct HistoryPage: Hashable, Sendable {
    /// What was asked for; nil for what is told because it came late.
    package let from: HistoryCursor?
    /// What to ask for next; nil at the end.
    package let next: HistoryCursor?
    /// The newest message first, each followed by its changes.
    package let records: [HistoryRecord]

    package init(from: HistoryCursor?, next: HistoryCursor?, records: [HistoryRecord]) {
        self.from = from
        self.next = next
        self.records = records
    }
}
