import ChatCrypto
import MeshCore

/// Letting go what is beyond the limits that the user has set, the oldest first.
///
/// Of a message that goes, that it was there stays for ``ChatLimits/remainsAge``, so that a copy that comes late is known.
extension ChatEngine {
    /// The conversations there are.
    private var allConversations: [ConversationID] {
        conversations.keys.map { .direct($0) } + groups.states.keys.map { conversationID(of: $0) }
    }

    /// Has all conversations looked at that have limits.
    mutating func lookAtLimits(at now: MeshInstant) {
        wishes.due.formUnion(allConversations.filter { wishes.retention(of: $0) != .everything })
        if !wishes.due.isEmpty { wishes.nextLook = now }
    }

    /// Has a conversation looked at to which a message is added.
    mutating func noteArrival(
        _ record: ProtoMessageRecord,
        at place: UInt64,
        in conversation: ConversationID
    ) {
        guard wishes.retention(of: conversation) != .everything else { return }
        if var figures = wishes.figures[conversation], place >= figures.first {
            if let size = size(of: record) {
                figures.messageCount += 1
                figures.byteCount += size
                if figures.oldest == 0 { figures.oldest = record.receivedAt }
            }
            wishes.figures[conversation] = figures
        } else {
            wishes.figures[conversation] = nil
        }
        wishes.due.insert(conversation)
        wishes.nextLook = step.time.monotonic
    }

    /// Counts a message no longer that is taken out of sight.
    mutating func noteRemoval(
        _ record: ProtoMessageRecord,
        at place: UInt64,
        in conversation: ConversationID
    ) {
        guard var figures = wishes.figures[conversation], place >= figures.first, let size = size(of: record) else {
            return
        }
        figures.messageCount -= 1
        figures.byteCount = max(0, figures.byteCount - size)
        wishes.figures[conversation] = figures
    }

    /// Counts an object of a message from the moment in which all of it is here.
    mutating func noteArrival(of entry: BlobTable.Entry) throws {
        let conversation = conversationID(of: entry)
        guard !entry.isOutgoing, wishes.retention(of: conversation) != .everything,
            let place = try step.record(.messages, entry.id.message.bytes)?.sequence,
            place >= wishes.figures[conversation]?.first ?? .max
        else { return }
        wishes.figures[conversation]?.byteCount += Int(clamping: entry.reference.byteCount)
        wishes.due.insert(conversation)
        wishes.nextLook = step.time.monotonic
    }

    /// Lets go what is beyond limits; the next step goes on where this one is full.
    package mutating func keepWithinLimits() throws {
        guard wishes.nextLook <= step.time.monotonic else { return }
        for conversation in wishes.due.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            guard !step.isFull else { return }
            let retention = wishes.retention(of: conversation)
            if try trim(conversation, to: retention, .expired) { wishes.due.remove(conversation) }
        }
        if wishes.due.isEmpty { wishes.nextLook = .distantFuture }
    }

    /// Lets go of a conversation's messages on this node, from one place up to another; answers where the next step has to
    /// go on, or nil where all is done.
    package mutating func clear(
        _ conversation: ConversationID,
        from start: UInt64,
        upTo end: UInt64
    ) throws -> UInt64? {
        wishes.figures[conversation] = WishBook.Figures(first: start)
        let isDone = try trim(conversation, to: .everything, .hidden, upTo: end)
        let next = wishes.figures[conversation]?.first ?? start
        wishes.figures[conversation] = nil
        guard isDone else { return next }
        clearUnread(of: conversation)
        return nil
    }

    /// Lets go the oldest messages while they are beyond limits, or stand up to a place; false where it is not done.
    private mutating func trim(
        _ conversation: ConversationID,
        to retention: Retention,
        _ end: MessageEnd,
        upTo last: UInt64 = 0
    ) throws -> Bool {
        let wall = step.time.wall
        let start = retention.start(at: wall)
        var figures = try wishes.figures[conversation] ?? count(conversation)
        defer { wishes.figures[conversation] = figures }
        if last == 0, figures.isWithin(retention, from: start) { return true }
        let row = conversation
        let newest = try step.highestSequence(row)
        while true {
            let page = try step.placedPage(of: row, from: figures.first, limit: ChatLimits.trimCount)
            for (place, record) in page {
                guard !step.isFull else { return false }
                let size = size(of: record)
                if size != nil {
                    figures.oldest = record.receivedAt
                    guard place <= last || !figures.isWithin(retention, from: start) else { return true }
                } else if last > 0, place > last {
                    return true
                }
                figures.first = place + 1
                try letGo(record, at: place, end, isNewest: place >= newest)
                guard let size else { continue }
                figures.messageCount -= 1
                figures.byteCount = max(0, figures.byteCount - size)
            }
            guard page.count == ChatLimits.trimCount else { break }
        }
        figures.oldest = 0
        return true
    }

    /// Takes a message's content away, and later its row; what shows nothing is left until it is old.
    private mutating func letGo(
        _ record: ProtoMessageRecord,
        at place: UInt64,
        _ end: MessageEnd,
        isNewest: Bool
    ) throws {
        guard let id = MessageID(bytes: record.id), let conversation = record.conversationID else { return }
        let isOld = record.receivedAt.bounded + ChatLimits.remainsAge <= step.time.wall
        let isUnderWay = outbox[id] != nil || groups.posts[id] != nil
        // A line of a group's log would be told again if nothing of it were left.
        let isLine = GroupLine.isHeld(by: record) || record.content.isEmpty
        // The newest row tells the place of the next message.
        if isOld, !isNewest, !isUnderWay, !isLine {
            var record = record
            let isShown = size(of: record) != nil
            try self.end(&record, end)
            step.delete(.messages, id.bytes)
            if isShown { step.perform(.tell(.removed(conversation, id))) }
        } else if size(of: record) != nil {
            try remove(id, end)
        }
    }

    /// How much there is of a conversation.
    private func count(
        _ conversation: ConversationID
    ) throws -> WishBook.Figures {
        var figures = WishBook.Figures()
        let row = conversation
        var next: UInt64 = 0
        while true {
            let page = try step.placedPage(of: row, from: next, limit: ChatLimits.pageCount)
            for (_, record) in page {
                guard let size = size(of: record) else { continue }
                if figures.messageCount == 0 { figures.oldest = record.receivedAt }
                figures.messageCount += 1
                figures.byteCount += size
            }
            guard page.count == ChatLimits.pageCount, let last = page.last?.place else { return figures }
            next = last + 1
        }
    }

    /// The bytes that a message takes here: its text, and its files that are here, whatever else it claims; nil for a
    /// message that is not shown.
    ///
    /// Units: bytes.
    private func size(of record: ProtoMessageRecord) -> Int? {
        guard record.gone <= MessageEnd.deleted.rawValue else { return nil }
        if GroupLine.isHeld(by: record) { return record.content.count }
        guard let content = MessageContent.decode([UInt8](record.content)), content.body.isMessage else { return nil }
        guard case .text(let text) = content.body else { return record.content.count }
        let files = text.files.indices.map { index in
            let reference = text.files[index].reference
            return MessageID(bytes: record.id).flatMap { blobs[BlobID(message: $0, index: index)] }
                .map { $0.isComplete ? Int(clamping: reference.byteCount) : 0 } ?? 0
        }
        return record.content.count + record.longText.utf8.count + files.reduce(0, +)
    }

    /// Whether a message is older than what is kept, though nobody may have let it go yet.
    func isBeyondAge(_ record: ProtoMessageRecord, in conversation: ConversationID, at wall: UInt64) -> Bool {
        record.receivedAt < wishes.retention(of: conversation).start(at: wall)
    }
}

extension WishBook.Figures {
    /// A message that is larger than all that is to be kept stays while it is the only one.
    fileprivate func isWithin(_ retention: Retention, from start: UInt64) -> Bool {
        guard messageCount > 0 else { return true }
        let isSmall = messageCount == 1 || byteCount <= retention.byteCount ?? .max
        return isSmall && messageCount <= retention.messageCount ?? .max && oldest >= start
    }
}
