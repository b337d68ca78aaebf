import ChatCrypto
import MeshCore
import SwiftProtobuf

/// What this node, new in a group, is told of what was said before it came: shown on the word of who tells it.
///
/// Source: PROTOCOL §16.6.
extension ChatEngine {
    // MARK: - Asking

    /// Begins to ask, if the group lets newcomers have something.
    mutating func beginHistory(of group: GroupID) throws {
        dropHistory(of: group)
        guard let entrance = groups.membership(group)?.log.entrance(of: ownID), entrance.history > .none else { return }
        let conversation = conversationID(of: group)
        let highest = max(try step.highestPosition(of: conversation), conversations.newestPosition(conversation) ?? 0)
        var pull = HistoryPull(entrance: entrance.epoch, since: step.time.wall, above: highest)
        pull.schedule(at: step.time.monotonic.advanced(by: NewcomerLimits.askDelay))
        conversations.forgetPosition(conversation)
        save(pull, of: group)
    }

    /// Forgets what was asked for.
    mutating func dropHistory(of group: GroupID) {
        guard let pull = groups.history.pulls.removeValue(forKey: group) else { return }
        drop(pull.request)
        step.delete(.pulls, group.bytes)
    }

    /// Asks those whose turn it is.
    mutating func askForHistory() throws {
        let due = groups.history.pulls.filter { $0.value.askAt <= step.time.monotonic }
        for (group, before) in due.sorted(by: { $0.key < $1.key }) {
            var pull = before
            let session = groups.membership(group)
            let isAllowed = session?.log.entrance(of: ownID).map { $0.history > .none } ?? false
            let members = isAllowed ? session?.recipients.filter { trust.maySend(to: $0.identity.id) } ?? [] : []
            drop(pull.request)
            pull.request = nil
            if let (member, cursor) = pull.next(among: members.map(\.identity.id), at: step.time),
                let identity = session?.log.member(member)?.identity
            {
                pull.request = try send(.history(group, .request(cursor)), to: identity)
            } else {
                tellProgress(of: pull, in: group)
            }
            save(pull, of: group)
        }
    }

    /// Takes a request back that nobody needs to answer any more.
    private mutating func drop(_ request: MessageID?) {
        if let request { takeOut(request) }
    }

    private mutating func save(_ pull: HistoryPull, of group: GroupID) {
        groups.history.pulls[group] = pull
        step.put(.pulls, group.bytes, pull.record(of: group))
    }

    private mutating func tellProgress(of pull: HistoryPull, in group: GroupID) {
        guard let voucher = pull.voucher else { return }
        let progress = HistoryProgress(
            voucher: voucher,
            messageCount: pull.messageCount,
            isComplete: pull.isOver
        )
        step.perform(.tell(.group(group, .history(progress))))
    }

    // MARK: - Being told

    /// What became of a record that somebody tells.
    private enum Taken {
        /// It breaks a rule.
        case refused
        /// It says nothing new.
        case known
        /// A message that was not here.
        case new(MessageID)
        /// It says something of a message that is here.
        case changed(MessageID)
    }

    /// Takes what a member tells of what was said before.
    mutating func take(
        _ page: HistoryPage,
        of group: GroupID,
        from sender: PeerID
    ) throws {
        guard var pull = groups.history.pulls[group], let log = groups.membership(group)?.log,
            let entrance = log.entrance(of: ownID), entrance.history > .none
        else { return }
        let wasOver = pull.isOver
        let byteCount = page.records.reduce(0) { $0 + $1.byteCount }
        let isTaken = pull.take(page, byteCount: byteCount, from: sender, at: step.time.monotonic)
        var told: [(id: MessageID, isNew: Bool)] = []
        let everybody = log.everybody
        for record in isTaken ? page.records : [] {
            let outcome: Taken
            if let change = record.change {
                let isKnown = everybody.contains(record.author)
                outcome = isKnown ? try takeVouched(change, record, from: sender, in: group) : .refused
            } else if log.member(record.author) != nil {
                let place = page.from == nil ? nil : pull.takePlace()
                outcome = try takeVouched(record, at: place, from: sender, in: group)
            } else {
                outcome = .refused
            }
            switch outcome {
            case .refused: groups.history.refusedCount += 1
            case .known: break
            case .new(let id):
                pull.messageCount += 1
                told.append((id, true))
            case .changed(let id):
                if !told.contains(where: { $0.id == id }) { told.append((id, false)) }
            }
        }
        save(pull, of: group)
        for (id, isNew) in told.reversed() { try tell(id, isNew: isNew) }
        if page.from != nil || pull.isOver != wasOver { tellProgress(of: pull, in: group) }
    }

    private mutating func tell(_ id: MessageID, isNew: Bool) throws {
        guard let message = try message(id) else { return }
        step.perform(.tell(isNew ? .message(message) : .changed(message)))
    }

    /// Takes a message that somebody vouches for.
    ///
    /// - Parameter place: Where it stands; nil for the end.
    private mutating func takeVouched(
        _ record: HistoryRecord,
        at place: UInt64?,
        from sender: PeerID,
        in group: GroupID
    ) throws -> Taken {
        guard record.author != ownID, trust.mayReceive(from: record.author),
            let content = MessageContent.decode(record.content), content.body.isWritten, content.context.seconds == 0
        else { return .refused }
        // Content and author give the id, so none of either can take another's place.
        let id = MessageContent.id(of: record.content, from: record.author, to: group)
        if let (sequence, plaintext) = try step.record(.messages, id.bytes) {
            guard case var known = try ChatStep.decode(plaintext, as: ProtoMessageRecord.self), known.isVouched,
                !known.vouchers.contains(sender)
            else { return .known }
            known.vouchers.append(sender)
            put(known, id, at: sequence, in: group)
            return .changed(id)
        }
        var stored = ProtoMessageRecord()
        stored.id = .bytes(id.bytes)
        stored.sender = .bytes(record.author.bytes)
        stored.conversation = .bytes(conversationID(of: group).bytes)
        stored.content = .bytes(record.content)
        stored.receivedAt = step.time.wall
        stored.status = UInt32(DeliveryStatus.delivered.rank)
        stored.vouchers = [sender]
        try absorbPending(into: &stored)
        let sequence = try place ?? takePosition(in: conversationID(of: group))
        put(stored, id, at: sequence, in: group)
        noteArrival(stored, at: sequence, in: conversationID(of: group))
        return .new(id)
    }

    /// Takes a change that somebody vouches for, of a message that the same one vouches for.
    private mutating func takeVouched(
        _ change: MessageID,
        _ record: HistoryRecord,
        from sender: PeerID,
        in group: GroupID
    ) throws -> Taken {
        guard record.author != ownID, let content = MessageContent.decode(record.content),
            case .change(let id, let body) = content.body,
            let (sequence, plaintext) = try step.record(.messages, id.bytes),
            case var known = try ChatStep.decode(plaintext, as: ProtoMessageRecord.self),
            known.conversationID == conversationID(of: group),
            known.vouchers.contains(sender), let target = ChangeTarget(known)
        else { return .refused }
        if body == .delete {
            guard record.author == target.author else { return .refused }
            known.vouchers.removeAll { $0 == sender }
            guard known.vouchers.isEmpty else {
                put(known, id, at: sequence, in: group)
                return .changed(id)
            }
            // Nobody says any more that it was sent.
            try end(&known, .deleted)
            step.delete(.messages, id.bytes)
            step.perform(.tell(.removed(conversationID(of: group), id)))
            return .known
        }
        let operation = ChangeOperation(
            id: change,
            author: record.author,
            target: id,
            sentAt: content.sentAt,
            body
        )
        var changes = known.vouchedChanges
        let refusal = changes.apply(operation, to: target)
        guard refusal == nil || refusal == .lateVote else { return .refused }
        guard changes != known.vouchedChanges else { return .known }
        known.vouchedChanges = changes
        put(known, id, at: sequence, in: group)
        return .changed(id)
    }

    private mutating func put(
        _ record: ProtoMessageRecord,
        _ id: MessageID,
        at sequence: UInt64,
        in group: GroupID
    ) {
        let conversation = conversationID(of: group)
        step.put(.messages, id.bytes, conversation: conversation, sequence: sequence, record)
    }

    /// Notes that a message has been opened here, which so far only others have vouched for.
    ///
    /// What they say became of it goes too: all that was done to it, whoever did that knows its epoch, and so comes here.
    mutating func authenticate(
        _ id: MessageID,
        sealedIn epoch: UInt32,
        in group: GroupID
    ) throws {
        guard let (sequence, plaintext) = try step.record(.messages, id.bytes),
            case var record = try ChatStep.decode(plaintext, as: ProtoMessageRecord.self), record.isVouched
        else { return }
        record.forgetVouchers()
        record.epoch = epoch
        put(record, id, at: sequence, in: group)
        try tell(id, isNew: false)
        guard let author = PeerID(bytes: record.sender), record.gone == 0 else { return }
        try expectFiles(of: record, from: author)
    }
}
