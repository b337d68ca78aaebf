package import ChatCrypto

/// The stored messages of one conversation, read in pages.
///
/// Positions rise in the order in which messages arrived; some have no message. Lists are limited to
/// ``ChatLimits/pageCount`` messages.
package struct ConversationHistory<Store: Snapshot> {
    let conversation: ConversationID
    let snapshot: Store
    /// Makes a message from a record; nil for one that is not shown.
    let shown: (ProtoMessageRecord) throws -> Message?

    // MARK: - Pages

    /// Returns a page, oldest first.
    ///
    /// - Throws: `notFound` if no message of the conversation has the id.
    package func page(limit: Int, before: MessageID?) throws -> [Message] {
        let end = try before.map { try position(of: $0) }
        return try newest(bounded(limit), before: end).reversed()
    }

    /// Returns a page of a part, oldest first: the start of the part if it has a start, else its end.
    package func page(limit: Int, within span: HistorySpan) throws -> [Message] {
        let end = try span.before.map { try position(of: $0, isIncluded: false) }
        guard let after = span.after else { return try newest(bounded(limit), before: end).reversed() }
        return try oldest(bounded(limit), from: position(of: after, isIncluded: true), before: end)
    }

    /// Returns the messages around a place, and the numbers of messages before and after them.
    package func window(limit: Int, at place: HistoryWindow.Place) throws -> HistoryWindow {
        let count = bounded(limit)
        var messages: [Message] = []
        switch place {
        case .end: break
        case .index(let index):
            messages = try oldest(count, from: position(ofIndex: index))
        case .message(let id):
            let index = try snapshot.messageCount(of: conversation, before: position(of: id)) - count / 2
            messages = try oldest(count, from: position(ofIndex: index))
        }
        let isEnd = messages.isEmpty
        if isEnd { messages = try newest(count).reversed() }
        guard let first = messages.first, let last = messages.last else {
            return HistoryWindow(messages: [], countBefore: 0, countAfter: 0)
        }
        let after = try isEnd ? 0 : snapshot.messageCount(of: conversation) - messageCount(before: last) - 1
        return HistoryWindow(
            messages: messages,
            countBefore: try messageCount(before: first),
            countAfter: max(after, 0)
        )
    }

    /// A page for a search, newest first.
    package struct SearchPage {
        /// The shown messages, newest first.
        package var messages: [Message] = []
        /// The number of messages that were read.
        package var count = 0
        /// The position at which the next page ends; nil if there is none.
        package var before: UInt64?
    }

    /// Returns a page of at most `limit` stored messages before a position.
    package func searchPage(before position: UInt64?, limit: Int) throws -> SearchPage {
        let placed = try snapshot.positionedPage(of: conversation, before: position, limit: limit)
        let messages = try placed.compactMap { try shown($0.record) }
        return SearchPage(
            messages: messages,
            count: placed.count,
            before: placed.count == limit ? placed.last?.place : nil
        )
    }

    /// Returns the newest shown messages, up to a number, newest first.
    func newest(_ count: Int, before end: UInt64? = nil) throws -> [Message] {
        var messages: [Message] = []
        var end = end
        while messages.count < count {
            let page = try snapshot.positionedPage(of: conversation, before: end, limit: count)
            for (_, record) in page where messages.count < count {
                if let message = try shown(record) { messages.append(message) }
            }
            guard page.count == count, let last = page.last?.place else { break }
            end = last
        }
        return messages
    }

    /// Returns the shown messages from a position on, up to a number, oldest first.
    private func oldest(_ count: Int, from start: UInt64, before end: UInt64? = nil) throws -> [Message] {
        var messages: [Message] = []
        var start = start
        while messages.count < count {
            let page = try snapshot.positionedPage(of: conversation, from: start, limit: count)
            for (place, record) in page where messages.count < count && place < end ?? .max {
                if let message = try shown(record) { messages.append(message) }
            }
            guard page.count == count, let last = page.last?.place, last < end ?? .max else { break }
            start = last + 1
        }
        return messages
    }

    private func bounded(_ limit: Int) -> Int { min(max(limit, 0), ChatLimits.pageCount) }

    // MARK: - Counts

    private func messageCount(before message: Message) throws -> Int {
        let position = try snapshot.record(.messages, message.id.bytes)?.sequence
        return try snapshot.messageCount(of: conversation, before: position)
    }

    /// Counts the messages of others after a position; more than `limit` are not counted.
    func unreadCount(after position: UInt64, limit: UInt64) throws -> UInt64 {
        var (count, before): (UInt64, UInt64?) = (0, nil)
        while count < limit {
            let page = try snapshot.positionedPage(of: conversation, before: before, limit: ChatLimits.pageCount)
            for (place, record) in page {
                guard count < limit, place > position else { return count }
                let isWritten = MessageContent.decode([UInt8](record.content))?.body.isWritten ?? false
                if !record.outgoing, isWritten || record.gone != 0 { count += 1 }
            }
            guard page.count == ChatLimits.pageCount else { break }
            before = page.last?.place
        }
        return count
    }

    // MARK: - Positions

    /// Returns the position of a message.
    ///
    /// - Throws: `notFound` if no message of the conversation has the id.
    func position(of id: MessageID) throws -> UInt64 {
        guard let (position, plaintext) = try snapshot.record(.messages, id.bytes),
            try ChatStep.decode(plaintext, as: ProtoMessageRecord.self).conversationID == conversation
        else { throw ChatError.noSuchMessage }
        return position
    }

    /// Returns the first position after an edge, or the position of the edge itself if it is the excluded upper end.
    private func position(of edge: HistorySpan.Edge, isIncluded isBeginning: Bool) throws -> UInt64 {
        switch edge {
        case .message(let id): try position(of: id) + (isBeginning ? 1 : 0)
        case .moment(let moment): try position(at: moment)
        }
    }

    /// Finds the first position of messages that arrived at a moment or later, by a binary search, because messages are
    /// in the order of their arrival.
    private func position(at moment: Timestamp) throws -> UInt64 {
        var low: UInt64 = 0
        var high = try snapshot.highestPosition(of: conversation)
        guard high < .max else { throw ChatError.tamperedMessages }
        high += 1
        while low < high {
            let middle = low + (high - low) / 2
            guard let (place, record) = try snapshot.positionedPage(of: conversation, from: middle, limit: 1).first
            else {
                high = middle
                continue
            }
            if record.shownAt < moment.milliseconds { low = place + 1 } else { high = middle }
        }
        return low
    }

    /// Finds the position of the message with this index, or of the last one if there are fewer.
    ///
    /// The first guess is right if no position in between is free; otherwise a binary search finds it.
    private func position(ofIndex index: Int) throws -> UInt64 {
        let index = max(index, 0)
        var low = try snapshot.positionedPage(of: conversation, from: 0, limit: 1).first?.place ?? 0
        var high = max(try snapshot.highestPosition(of: conversation), low)
        var guess = low + min(UInt64(index), high - low)
        while low < high {
            let count = try snapshot.messageCount(of: conversation, before: guess)
            if count == index { return guess }
            if count < index { low = min(guess + 1, high) } else { high = guess }
            guess = low + (high - low) / 2
        }
        return low
    }
}

extension ChatError {
    package static var noSuchMessage: ChatError { ChatError(.notFound, "No message of this conversation has this id.") }
}

extension ProtoMessageRecord {
    /// The time that a message is shown with: of its arrival, or of its sending if it is from before this node joined.
    ///
    /// Units: milliseconds since 1970.
    fileprivate var shownAt: UInt64 {
        guard isAttested, let content = MessageContent.decode([UInt8](content)) else { return receivedAt }
        return content.sentAt
    }
}
