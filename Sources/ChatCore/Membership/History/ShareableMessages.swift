import ChatCrypto

/// The messages of a group that one new member may be given, as this node has them.
///
/// They are the messages that this node has opened itself, so that no attestation is passed on as another's. Messages
/// of authors who are out or blocked, deleted messages and disappearing ones are not among them. Source: PROTOCOL
/// §16.6.
struct ShareableMessages<Sources: EarlierMessageSources, Store: Snapshot> {
    let newMember: HistoryAnswers.NewMember
    let sources: Sources
    let store: Store

    // MARK: - Rules

    /// Whether the new member may be given a message.
    func isShareable(_ message: ProtoMessageRecord, before joinEpoch: UInt32) -> Bool {
        !message.isAttested && message.epoch < joinEpoch && mayBeShown(message)
    }

    /// Whether the new member may see a message, whichever member attests it.
    func mayBeShown(_ message: ProtoMessageRecord) -> Bool {
        guard message.gone == 0, let author = PeerID(bytes: message.sender), author != newMember.member,
            sources.roster(of: newMember.group)?.isMember(author) == true,
            author == sources.ownID || sources.mayReceive(from: author),
            let content = MessageContent.decode([UInt8](message.content))
        else { return false }
        return content.body.isWritten && content.context.seconds == 0
    }

    /// Whether a message is among the last that the new member may be given, together with those that it was given
    /// already.
    ///
    /// - Parameter answer: The account of these.
    func isAmongLast(
        _ limit: Int,
        _ position: UInt64,
        after answer: HistoryAnswers.Answer?,
        before joinEpoch: UInt32
    ) throws -> Bool {
        if let answer, position >= answer.floor { return true }
        var count = Int(answer?.count ?? 0)
        var before = answer?.floor
        let conversation = sources.conversationID(of: newMember.group)
        for _ in 0..<EarlierMessageLimits.shareScanCount {
            let page = try store.positionedPage(of: conversation, before: before, limit: EarlierMessageLimits.scanCount)
            for (next, message) in page where isShareable(message, before: joinEpoch) {
                guard count < limit else { return false }
                count += 1
                if next == position { return true }
            }
            guard page.count == EarlierMessageLimits.scanCount, let last = page.last else { return false }
            before = last.place
        }
        return false
    }

    // MARK: - Pages

    /// Returns the next messages for the new member, as many as fit into one page.
    ///
    /// - Parameters:
    ///   - asked: The cursor of the request, which the page repeats.
    ///   - limit: The number of messages that the new member may be given in all; nil for any number.
    ///   - answer: The account of the messages given so far.
    func page(
        from asked: HistoryCursor,
        limit: Int?,
        counting answer: inout HistoryAnswers.Answer
    ) throws -> HistoryPage {
        let cursor = asked == .empty ? .newest : asked
        var records: [HistoryRecord] = []
        var byteCount = 0
        func page(next: HistoryCursor?) -> HistoryPage { HistoryPage(from: asked, next: next, records: records) }
        // With a limit the cursor goes down step by step: a jump would count the messages in between as given.
        if limit != nil, cursor.place < answer.floor - min(answer.floor, 1) { return page(next: nil) }
        let before = cursor.place == .max ? nil : cursor.place + 1
        let conversation = sources.conversationID(of: newMember.group)
        let stored = try store.positionedPage(of: conversation, before: before, limit: EarlierMessageLimits.scanCount)
        for (position, message) in stored {
            let parts = isShareable(message, before: answer.joinEpoch) ? Self.records(of: message) : []
            if position < answer.floor {
                // The member may request again what it was given; below that the policy limits it.
                if !parts.isEmpty, let limit, Int(answer.count) >= limit { return page(next: nil) }
                if !parts.isEmpty { answer.count += 1 }
                answer.floor = position
            }
            let first = position == cursor.place ? Int(cursor.part) : 0
            for (part, record) in parts.enumerated().dropFirst(first) where record.author != newMember.member {
                byteCount += record.byteCount
                guard records.count < EarlierMessageLimits.recordCount,
                    byteCount <= EarlierMessageLimits.recordsByteCount
                else {
                    return page(next: HistoryCursor(place: position, part: UInt32(part)))
                }
                records.append(record)
            }
        }
        if stored.count == EarlierMessageLimits.scanCount, let last = stored.last, last.place > 1 {
            return page(next: HistoryCursor(place: last.place - 1, part: 0))
        }
        answer.floor = 0
        return page(next: nil)
    }

    /// Makes the records of a message that arrived late or was changed late; its deletion is a record too.
    func lateRecords(of message: ProtoMessageRecord, before joinEpoch: UInt32) -> [HistoryRecord] {
        if message.gone == DeletionReason.deleted.rawValue, let id = MessageID(bytes: message.id),
            let author = PeerID(bytes: message.sender)
        {
            let operation = ChangeOperation(id: id, author: author, target: id, sentAt: 0, .delete)
            return [HistoryRecord(author: author, content: MessageContent.change(operation), change: id)]
        }
        guard isShareable(message, before: joinEpoch) else { return [] }
        return Self.records(of: message).filter { $0.author != newMember.member }
    }

    /// Makes the records of a message and its changes, each small enough for a page; none if the message itself is too
    /// large.
    private static func records(of message: ProtoMessageRecord) -> [HistoryRecord] {
        guard let id = MessageID(bytes: message.id), let author = PeerID(bytes: message.sender) else { return [] }
        let record = HistoryRecord(author: author, content: [UInt8](message.content))
        guard record.byteCount <= EarlierMessageLimits.recordsByteCount else { return [] }
        let changes = MessageChanges(message.changes).operations(on: id, by: author).map { operation in
            HistoryRecord(
                author: operation.author,
                content: MessageContent.change(operation),
                change: operation.id
            )
        }
        return [record] + changes.filter { $0.byteCount <= EarlierMessageLimits.recordsByteCount }
    }
}
