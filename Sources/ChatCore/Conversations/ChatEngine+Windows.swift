import ChatCrypto

/// Parts of a conversation by how many messages stand before them.
extension ChatEngine {
    /// The part of a conversation at a place, of `limit` messages at most.
    package func historyWindow(
        _ conversation: ConversationID,
        limit: Int,
        at place: HistoryWindow.Place
    ) throws -> HistoryWindow {
        let count = min(max(limit, 0), ChatLimits.pageCount)
        let row = conversation
        var messages: [Message] = []
        switch place {
        case .end: break
        case .index(let index):
            let start = try self.place(ofIndex: index, in: row)
            messages = try oldest(count, in: conversation, from: start, before: nil)
        case .message(let id):
            let middle = try self.place(of: .message(id), isIncluded: false, in: conversation)
            let index = try step.messageCount(of: row, before: middle) - count / 2
            let start = try self.place(ofIndex: index, in: row)
            messages = try oldest(count, in: conversation, from: start, before: nil)
        }
        let isEnd = messages.isEmpty
        if isEnd { messages = try newest(count, in: conversation, before: nil).reversed() }
        guard let first = messages.first, let last = messages.last else {
            return HistoryWindow(messages: [], countBefore: 0, countAfter: 0)
        }
        let countBefore = try messageCount(before: first, in: row)
        var countAfter = 0
        if !isEnd {
            let all = try step.messageCount(of: row)
            countAfter = max(all - (try messageCount(before: last, in: row)) - 1, 0)
        }
        return HistoryWindow(messages: messages, countBefore: countBefore, countAfter: countAfter)
    }

    private func messageCount(
        before message: Message,
        in row: ConversationID
    ) throws -> Int {
        let place = try step.record(.messages, message.id.bytes)?.sequence
        return try step.messageCount(of: row, before: place)
    }

    /// The place of the message before which so many stand, of the last one where fewer do: where no place is free in
    /// between the first guess is right, else it is found by halving.
    private func place(ofIndex index: Int, in row: ConversationID) throws -> UInt64 {
        let index = max(index, 0)
        var low = try step.placedPage(of: row, from: 0, limit: 1).first?.place ?? 0
        var high = max(try step.highestSequence(row), low)
        var guess = low + min(UInt64(index), high - low)
        while low < high {
            let count = try step.messageCount(of: row, before: guess)
            if count == index { return guess }
            if count < index { low = min(guess + 1, high) } else { high = guess }
            guess = low + (high - low) / 2
        }
        return low
    }
}
