package import ChatCrypto

/// A message or a change of a message, as one member attests it.
package struct HistoryRecord: Hashable, Sendable {
    package let author: PeerID
    /// The content: of a message exactly as it was sealed; of a change without salt.
    package let content: [UInt8]
    /// The id of the message that carried a change; nil for a message, whose author and content give its id.
    package let change: MessageID?

    package init(author: PeerID, content: [UInt8], change: MessageID? = nil) {
        self.author = author
        self.content = content
        self.change = change
    }

    /// The length in a page, with the tags and lengths of its fields.
    ///
    /// Units: bytes.
    package var byteCount: Int { 4 + 34 + 4 + content.count + (change == nil ? 0 : 18) }
}

/// A page of earlier messages of a group that a member sends at once.
package struct HistoryPage: Hashable, Sendable {
    /// The cursor of the request; nil for late messages, which were not requested.
    package let from: HistoryCursor?
    /// The cursor of the next request; nil at the end.
    package let next: HistoryCursor?
    /// The records: the newest message first, each followed by its changes.
    package let records: [HistoryRecord]

    package init(from: HistoryCursor?, next: HistoryCursor?, records: [HistoryRecord]) {
        self.from = from
        self.next = next
        self.records = records
    }

    /// Packs records that were not requested into as few pages as possible.
    static func unasked(_ records: [HistoryRecord]) -> [HistoryPage] {
        var pages: [[HistoryRecord]] = []
        var byteCount = 0
        for record in records {
            byteCount += record.byteCount
            let isFull = (pages.last?.count ?? 0) >= EarlierMessageLimits.recordCount
            if pages.isEmpty || isFull || byteCount > EarlierMessageLimits.recordsByteCount {
                pages.append([])
                byteCount = record.byteCount
            }
            pages[pages.count - 1].append(record)
        }
        return pages.map { HistoryPage(from: nil, next: nil, records: $0) }
    }
}
