import ChatCrypto

/// A page of earlier messages that a member, their attester, has sent.
///
/// No signature proves the author of a record. A record may be about the message before it, so it is checked once the
/// history has the outcomes of all records before it.
struct AttestedPage {
    /// The result of a record.
    enum Outcome {
        /// The record breaks a rule.
        case refused
        /// The record says nothing new.
        case known
        /// A message that is not in the history yet.
        case new(MessageID, ProtoMessageRecord)
        /// A message of the history about which the record says something new.
        case changed(MessageID, ProtoMessageRecord, at: UInt64)
        /// A message of the history that nobody attests any more.
        case removed(ProtoMessageRecord)
    }

    let group: GroupID
    let attester: PeerID
    /// Whether the page answers a request; any other page brings messages that arrived late.
    let isAnswer: Bool
    /// The records to process.
    let records: [HistoryRecord]
    /// Whether the progress of the requests is reported to the user.
    let reportsProgress: Bool
    /// The messages to report, in the order of their records.
    private(set) var notices: [(id: MessageID, isNew: Bool)] = []
    private var noticed: Set<MessageID> = []
    private let roster: GroupRoster
    /// All members that the group has or had.
    private let everybody: Set<PeerID>

    /// Makes a page that was counted.
    ///
    /// - Parameter isTaken: Whether the rules for requests let its records count.
    init(
        _ page: HistoryPage,
        of group: GroupID,
        with roster: GroupRoster,
        from attester: PeerID,
        isTaken: Bool,
        reportsProgress: Bool
    ) {
        self.group = group
        self.attester = attester
        self.roster = roster
        self.reportsProgress = reportsProgress
        isAnswer = page.from != nil
        records = isTaken ? page.records : []
        everybody = roster.everybody
    }

    /// Whether a record takes one of the positions that are reserved for earlier messages.
    func needsPosition(for record: HistoryRecord) -> Bool {
        isAnswer && record.change == nil && roster.isMember(record.author)
    }

    /// Notes the message of an outcome, to report it once.
    mutating func note(_ outcome: Outcome) {
        switch outcome {
        case .new(let id, _):
            noticed.insert(id)
            notices.append((id, true))
        case .changed(let id, _, _): if noticed.insert(id).inserted { notices.append((id, false)) }
        case .refused, .known, .removed: break
        }
    }

    /// Checks a record against the rules and the history.
    func outcome(
        of record: HistoryRecord,
        among sources: some EarlierMessageSources,
        in snapshot: some Snapshot
    ) throws -> Outcome {
        guard record.author != sources.ownID, let content = MessageContent.decode(record.content) else {
            return .refused
        }
        if let change = record.change {
            return try outcome(of: change, by: record.author, content, among: sources, in: snapshot)
        }
        guard roster.isMember(record.author), sources.mayReceive(from: record.author), content.body.isWritten,
            content.context.seconds == 0
        else { return .refused }
        // Content and author give the id, so no other message can take its place.
        let id = MessageContent.id(of: record.content, from: record.author, to: group)
        guard let (position, stored) = try snapshot.storedMessage(id) else {
            return .new(id, message(id, of: record, among: sources))
        }
        guard stored.isAttested, !stored.attesters.contains(attester) else { return .known }
        var message = stored
        message.attesters.append(attester)
        return .changed(id, message, at: position)
    }

    /// Makes the record of a message that only the attester attests.
    private func message(
        _ id: MessageID,
        of record: HistoryRecord,
        among sources: some EarlierMessageSources
    ) -> ProtoMessageRecord {
        var message = ProtoMessageRecord()
        message.id = .bytes(id.bytes)
        message.sender = .bytes(record.author.bytes)
        message.conversation = .bytes(sources.conversationID(of: group).bytes)
        message.content = .bytes(record.content)
        message.receivedAt = sources.time.wall
        message.status = UInt32(DeliveryStatus.delivered.rank)
        message.attesters = [attester]
        return message
    }

    /// Returns the outcome of a change: the attester may report those of messages that it attests itself.
    private func outcome(
        of change: MessageID,
        by author: PeerID,
        _ content: MessageContent.Decoded,
        among sources: some EarlierMessageSources,
        in snapshot: some Snapshot
    ) throws -> Outcome {
        guard everybody.contains(author), case .change(let id, let body) = content.body,
            let (position, stored) = try snapshot.storedMessage(id),
            stored.conversationID == sources.conversationID(of: group),
            stored.attesters.contains(attester), let target = ChangeTarget(stored)
        else { return .refused }
        var message = stored
        if body == .delete {
            guard author == target.author else { return .refused }
            // The attester withdraws its attestation.
            message.attesters.removeAll { $0 == attester }
            return message.attesters.isEmpty ? .removed(message) : .changed(id, message, at: position)
        }
        let operation = ChangeOperation(id: change, author: author, target: id, sentAt: content.sentAt, body)
        var changes = stored.attestedChanges
        let refusal = changes.apply(operation, to: target)
        guard refusal == nil || refusal == .lateVote else { return .refused }
        guard changes != stored.attestedChanges else { return .known }
        message.attestedChanges = changes
        return .changed(id, message, at: position)
    }
}
