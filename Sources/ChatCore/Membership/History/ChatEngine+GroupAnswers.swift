import ChatCrypto
import MeshCore
import SwiftProtobuf

/// What this node tells newcomers to its groups of what was said before they came.
///
/// Only what it has opened itself, so that nobody's word becomes another's; nothing of who is out or blocked, nothing
/// that was deleted or is to go. Source: PROTOCOL §16.6.
extension ChatEngine {
    /// Takes a request, if its sender is a member that may be told something; it is answered in its turn.
    mutating func takeRequest(_ cursor: HistoryCursor, of group: GroupID, from sender: PeerID) {
        guard mayTell(sender, in: group) else { return }
        groups.history.answers.wait(HistoryAnswers.Newcomer(group: group, member: sender), for: cursor)
    }

    /// Whether a member may be told of what was said before, and more can go to it now.
    private func mayTell(_ member: PeerID, in group: GroupID) -> Bool {
        guard let session = groups.membership(group), session.recipients.contains(where: { $0.identity.id == member }),
            let entrance = session.log.entrance(of: member), entrance.history > .none
        else { return false }
        let answer = groups.history.answers[HistoryAnswers.Newcomer(group: group, member: member)]
        guard (answer?.pageCount ?? 0) < NewcomerLimits.answerPageCount else { return false }
        return trust.maySend(to: member) && outbox.inFlightCount(to: member) < ChatLimits.notesInFlightCount
    }

    /// Answers those whose turn it is, and asks those whose turn it is.
    mutating func tickGroupHistory() throws {
        while !isStepFull,
            let (newcomer, cursor) = groups.history.answers.takeDue(at: step.time.monotonic)
        {
            try answer(newcomer, from: cursor)
        }
        try askForHistory()
    }

    private mutating func answer(
        _ newcomer: HistoryAnswers.Newcomer,
        from cursor: HistoryCursor
    ) throws {
        guard mayTell(newcomer.member, in: newcomer.group), let log = groups.membership(newcomer.group)?.log,
            let member = log.member(newcomer.member), let entrance = log.entrance(of: newcomer.member)
        else { return }
        let now = step.time.wall
        let known = groups.history.answers[newcomer].flatMap { $0.entrance == entrance.epoch ? $0 : nil }
        var answer = known ?? HistoryAnswers.Answer(entrance: entrance.epoch, answeredAt: now)
        answer.answeredAt = now
        answer.pageCount += 1
        let limit = entrance.history.limit
        let page = try page(from: cursor, for: newcomer, limit: limit, counting: &answer)
        save(answer, for: newcomer)
        try send(.history(newcomer.group, .page(page)), to: member.identity)
    }

    private mutating func save(
        _ answer: HistoryAnswers.Answer,
        for newcomer: HistoryAnswers.Newcomer
    ) {
        step.put(.answers, newcomer.name, answer.record(of: newcomer))
        guard let crowdedOut = groups.history.answers.set(answer, for: newcomer) else { return }
        step.delete(.answers, crowdedOut.name)
    }

    // MARK: - Pages

    /// What comes next for a newcomer, as much as one page holds.
    ///
    /// - Parameters:
    ///   - asked: The cursor of the request, which the page repeats.
    ///   - limit: How many messages the newcomer may be told in all; nil for any number.
    ///   - answer: What it was told so far.
    private func page(
        from asked: HistoryCursor,
        for newcomer: HistoryAnswers.Newcomer,
        limit: Int?,
        counting answer: inout HistoryAnswers.Answer
    ) throws -> HistoryPage {
        let cursor = asked == .empty ? .newest : asked
        var records: [HistoryRecord] = []
        var byteCount = 0
        func page(next: HistoryCursor?) -> HistoryPage { HistoryPage(from: asked, next: next, records: records) }
        // Whoever may not be told everything goes down step by step: a leap would make what it leaps over look told.
        if limit != nil, cursor.place < answer.floor - min(answer.floor, 1) { return page(next: nil) }
        let before = cursor.place == .max ? nil : cursor.place + 1
        let row = conversationID(of: newcomer.group)
        let stored = try step.placedPage(of: row, before: before, limit: NewcomerLimits.scanCount)
        for (place, record) in stored {
            let told = tellable(record, for: newcomer, cameIn: answer.entrance) ? vouchedRecords(of: record) : []
            if place < answer.floor {
                // What was told already may be asked for again; what is further down only as far as the policy goes.
                if !told.isEmpty, let limit, Int(answer.count) >= limit { return page(next: nil) }
                if !told.isEmpty { answer.count += 1 }
                answer.floor = place
            }
            let first = place == cursor.place ? Int(cursor.part) : 0
            for (part, record) in told.enumerated().dropFirst(first) where record.author != newcomer.member {
                byteCount += record.byteCount
                guard records.count < NewcomerLimits.recordCount, byteCount <= NewcomerLimits.recordsByteCount else {
                    return page(next: HistoryCursor(place: place, part: UInt32(part)))
                }
                records.append(record)
            }
        }
        if stored.count == NewcomerLimits.scanCount, let last = stored.last, last.place > 1 {
            return page(next: HistoryCursor(place: last.place - 1, part: 0))
        }
        answer.floor = 0
        return page(next: nil)
    }

    /// Whether a newcomer may be told of a message.
    func tellable(
        _ record: ProtoMessageRecord,
        for newcomer: HistoryAnswers.Newcomer,
        cameIn entrance: UInt32
    ) -> Bool {
        !record.isVouched && record.epoch < entrance && mayBeTold(record, to: newcomer)
    }

    /// Whether nothing forbids to tell somebody of a message, whoever else says that it was sent.
    func mayBeTold(_ record: ProtoMessageRecord, to newcomer: HistoryAnswers.Newcomer) -> Bool {
        guard record.gone == 0, let author = PeerID(bytes: record.sender), author != newcomer.member,
            groups.membership(newcomer.group)?.log.member(author) != nil,
            author == ownID || trust.mayReceive(from: author),
            let content = MessageContent.decode([UInt8](record.content))
        else { return false }
        return content.body.isWritten && content.context.seconds == 0
    }

    /// A message and all that became of it, each part small enough for a page; nothing if the message itself is not.
    private func vouchedRecords(of record: ProtoMessageRecord) -> [HistoryRecord] {
        guard let id = MessageID(bytes: record.id), let author = PeerID(bytes: record.sender) else { return [] }
        let message = HistoryRecord(author: author, content: [UInt8](record.content))
        guard message.byteCount <= NewcomerLimits.recordsByteCount else { return [] }
        let changes = MessageChanges(record.changes).operations(on: id, by: author).map { operation in
            HistoryRecord(
                author: operation.author,
                content: MessageContent.change(operation),
                change: operation.id
            )
        }
        return [message] + changes.filter { $0.byteCount <= NewcomerLimits.recordsByteCount }
    }

    // MARK: - What comes late

    /// Tells newcomers of a message, or of what was done to one, that came after they were told of that time.
    ///
    /// It was sealed before they came, so that they cannot open it themselves.
    mutating func handOn(
        _ id: MessageID,
        sealedIn epoch: UInt32,
        in group: GroupID
    ) throws {
        let newcomers = groups.history.answers.newcomers(to: group, after: epoch)
        guard !newcomers.isEmpty, let (place, plaintext) = try step.record(.messages, id.bytes),
            case let record = try ChatStep.decode(plaintext, as: ProtoMessageRecord.self),
            record.conversationID == conversationID(of: group)
        else { return }
        for newcomer in newcomers {
            guard var answer = groups.history.answers[newcomer], place >= answer.floor,
                mayTell(newcomer.member, in: group),
                let member = groups.membership(group)?.log.member(newcomer.member)
            else { continue }
            var records: [HistoryRecord] = []
            if record.gone == MessageEnd.deleted.rawValue, let author = PeerID(bytes: record.sender) {
                let operation = ChangeOperation(id: id, author: author, target: id, sentAt: 0, .delete)
                records = [HistoryRecord(author: author, content: MessageContent.change(operation), change: id)]
            } else if tellable(record, for: newcomer, cameIn: answer.entrance) {
                records = vouchedRecords(of: record).filter { $0.author != newcomer.member }
            }
            for page in Self.pages(of: records) {
                try send(.history(group, .page(page)), to: member.identity)
                answer.pageCount += 1
            }
            save(answer, for: newcomer)
        }
    }

    private static func pages(of records: [HistoryRecord]) -> [HistoryPage] {
        var pages: [[HistoryRecord]] = []
        var byteCount = 0
        for record in records {
            byteCount += record.byteCount
            let isFull = (pages.last?.count ?? 0) >= NewcomerLimits.recordCount
            if pages.isEmpty || isFull || byteCount > NewcomerLimits.recordsByteCount {
                pages.append([])
                byteCount = record.byteCount
            }
            pages[pages.count - 1].append(record)
        }
        return pages.map { HistoryPage(from: nil, next: nil, records: $0) }
    }

    // MARK: - Keeping

    /// Forgets who is out of a group, as one that is told and as one that tells.
    mutating func forgetNewcomer(_ member: PeerID, of group: GroupID) {
        groups.history.answers.cancel(group, member)
        forgetAnswers() { newcomer, _ in newcomer.group == group && newcomer.member == member }
        groups.history.pulls[group]?.forget(member, at: step.time.monotonic)
        guard let pull = groups.history.pulls[group] else { return }
        step.put(.pulls, group.bytes, pull.record(of: group))
    }

    /// Forgets all of a group that this node is out of.
    mutating func endHistory(of group: GroupID) {
        dropHistory(of: group)
        groups.history.answers.cancel(group)
        forgetAnswers() { newcomer, _ in newcomer.group == group }
    }

    /// Forgets those for whom nothing can come late any more.
    mutating func expireAnswers() {
        let now = step.time.wall
        guard now >= NewcomerLimits.age else { return }
        forgetAnswers() { _, answer in answer.answeredAt <= now - NewcomerLimits.age }
    }

    private mutating func forgetAnswers(
        where isGone: (HistoryAnswers.Newcomer, HistoryAnswers.Answer) -> Bool
    ) {
        for newcomer in groups.history.answers.forget(where: isGone) { step.delete(.answers, newcomer.name) }
    }

    /// Restores the stored records.
    mutating func restoreHistory() throws {
        for record in try step.records(.pulls, as: ProtoPullRecord.self) {
            guard let group = GroupID(bytes: record.group)
            else { continue }
            var pull = HistoryPull(record)
            pull.schedule(at: step.time.monotonic.advanced(by: NewcomerLimits.askDelay))
            groups.history.pulls[group] = pull
        }
        for record in try step.records(.answers, as: ProtoAnswerRecord.self) {
            guard let group = GroupID(bytes: record.group),
                let member = PeerID(bytes: record.member)
            else { continue }
            let newcomer = HistoryAnswers.Newcomer(group: group, member: member)
            _ = groups.history.answers.set(HistoryAnswers.Answer(record), for: newcomer)
        }
    }
}
