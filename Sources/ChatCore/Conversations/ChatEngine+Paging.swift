import ChatCrypto

/// Pages of a conversation in both directions.
extension ChatEngine {
    /// A page of a part of a conversation, oldest first: its beginning where the part has one, else its end.
    package func history(
        _ conversation: ConversationID,
        limit: Int,
        within span: HistorySpan
    ) throws -> [Message] {
        let count = min(max(limit, 0), ChatLimits.pageCount)
        let end = try span.before.map { try place(of: $0, isIncluded: false, in: conversation) }
        guard let after = span.after else {
            return try newest(count, in: conversation, before: end).reversed()
        }
        let start = try place(of: after, isIncluded: true, in: conversation)
        return try oldest(count, in: conversation, from: start, before: end)
    }

    /// The first place after an edge, or the place of the edge where that one is to be left out above.
    func place(
        of edge: HistorySpan.Edge,
        isIncluded isBeginning: Bool,
        in conversation: ConversationID
    ) throws -> UInt64 {
        switch edge {
        case .message(let id): try place(of: id, in: conversation) + (isBeginning ? 1 : 0)
        case .moment(let moment): try place(at: moment, in: conversation)
        }
    }

    /// The messages from a place on that are shown, so many if there are, oldest first.
    func oldest(
        _ count: Int,
        in conversation: ConversationID,
        from start: UInt64,
        before end: UInt64?
    ) throws -> [Message] {
        var messages: [Message] = []
        var start = start
        while messages.count < count {
            let page = try step.placedPage(of: conversation, from: start, limit: count)
            for (place, record) in page where messages.count < count && place < end ?? .max {
                if let message = try message(from: record) { messages.append(message) }
            }
            guard page.count == count, let last = page.last?.place, last < (end ?? .max) - 1 else { break }
            start = last + 1
        }
        return messages
    }

    /// The first place of what came at a moment or later: a search by halves, for messages stand in the order in which
    /// they came.
    private func place(
        at moment: Timestamp,
        in conversation: ConversationID
    ) throws -> UInt64 {
        let row = conversation
        let moment = moment.milliseconds
        var low: UInt64 = 0
        var high = try step.highestSequence(row)
        guard high < .max else { throw ChatError.tamperedMessages }
        high += 1
        while low < high {
            let middle = low + (high - low) / 2
            guard let (place, record) = try step.placedPage(of: row, from: middle, limit: 1).first else {
                high = middle
                continue
            }
            if record.shownAt < moment { low = place + 1 } else { high = middle }
        }
        return low
    }
}

extension ProtoMessageRecord {
    /// The time that a message is shown with: when it came, or of what was said before this node came when it was sent.
    ///
    /// Units: milliseconds since 1970.
    var shownAt: UInt64 {
        guard isVouched, let content = MessageContent.decode([UInt8](content)) else { return receivedAt }
        return content.sentAt
    }
}
