package import ChatCrypto
import MeshCore

/// The join of the earlier messages with members, outbox, conversations and attachments.
extension ChatEngine: EarlierMessageSources {
    // MARK: - Requesting

    /// Begins to request the earlier messages of a group that this node has joined.
    mutating func beginHistory(of group: GroupID) throws {
        let conversation = conversationID(of: group)
        let isGiven = roster(of: group)?.joinEpoch(of: ownID).map { $0.history > .none } ?? false
        let stored = isGiven ? try step.highestPosition(of: conversation) : 0
        let highest = max(stored, conversations.newestPosition(conversation) ?? 0)
        withEarlier { $0.begin(in: group, above: highest, among: $1) }
        try settleEarlier()
    }

    /// Handles a page of earlier messages that a member sends.
    mutating func take(_ page: HistoryPage, of group: GroupID, from sender: PeerID) throws {
        guard var attested = withEarlier({ $0.receive(page, of: group, from: sender, among: $1) }) else { return }
        for record in attested.records {
            try withEarlier { try $0.take(record, of: &attested, among: $1, in: $1.step) }
            try settleEarlier()
        }
        earlier.finish(attested)
        try settleEarlier()
    }

    /// Notes that this node has opened a message that only others have attested so far.
    ///
    /// The attested changes are dropped too: all members who changed the message know its epoch, so their own changes
    /// arrive here.
    mutating func authenticate(_ id: MessageID, sealedIn epoch: UInt32, in group: GroupID) throws {
        guard let (position, stored) = try step.storedMessage(id), stored.isAttested else { return }
        var message = stored
        message.forgetAttesters()
        message.epoch = epoch
        put(message, in: group, at: position)
        try notify(id, isNew: false)
        guard let author = PeerID(bytes: message.sender), message.gone == 0 else { return }
        try expectFiles(of: message, from: author)
    }

    // MARK: - Giving

    /// Handles a request for earlier messages, which is answered in its turn.
    mutating func takeRequest(_ cursor: HistoryCursor, of group: GroupID, from sender: PeerID) {
        let newMember = HistoryAnswers.NewMember(group: group, member: sender)
        withEarlier { $0.keepRequest(cursor, from: newMember, among: $1) }
    }

    /// Forwards to new members a message or a change that arrived after they were given the messages of its time.
    mutating func forwardEarlier(_ id: MessageID, sealedIn epoch: UInt32, in group: GroupID) throws {
        guard earlier.answers.hasNewMembers(of: group, since: epoch) else { return }
        try withEarlier { try $0.forward(id, sealedIn: epoch, in: group, among: $1, in: $1.step) }
        try settleEarlier()
    }

    /// Returns the attachments with a root that are here and that a peer may request.
    ///
    /// They are those of its direct conversation and of groups that both are in. ``mayShare(_:to:)`` decides about each.
    package func heldBlobs(_ root: [UInt8], for peer: PeerID) -> [BlobTable.Entry] {
        attachments.blobs.held(root).filter { entry in
            guard let group = entry.group else { return isShared(entry, with: peer) }
            return groups.membership(group)?.log.member(peer) != nil
        }
    }

    /// Whether a peer may have an attachment that is here.
    package func mayShare(_ entry: BlobTable.Entry, to peer: PeerID) throws -> Bool {
        guard let group = entry.group else { return isShared(entry, with: peer) }
        let newMember = HistoryAnswers.NewMember(group: group, member: peer)
        return try earlier.mayShare(objectsOf: entry.id.message, to: newMember, among: self, in: step)
    }

    /// Whether an attachment went to a peer or came from it, under its present identity or a former one.
    private func isShared(_ entry: BlobTable.Entry, with peer: PeerID) -> Bool {
        entry.peer == peer || trust.isSuccessor(peer, of: entry.peer)
    }

    // MARK: - Time

    /// Restores the stored records.
    mutating func restoreHistory() throws {
        for record in try step.records(.pulls, as: ProtoPullRecord.self) {
            earlier.restore(record, at: step.time.monotonic)
        }
        for record in try step.records(.answers, as: ProtoAnswerRecord.self) { earlier.restore(record) }
    }

    /// Answers the requests whose turn it is, and sends the requests of the groups whose turn it is.
    mutating func tickGroupHistory() throws {
        while !isStepFull, let (newMember, cursor) = earlier.takeDueRequest(at: step.time.monotonic) {
            try withEarlier { try $0.answer(newMember, from: cursor, among: $1, in: $1.step) }
            try settleEarlier()
        }
        withEarlier { $0.ask(among: $1) }
        try settleEarlier()
    }

    /// Forgets a member who has left a group or was removed.
    mutating func forgetNewMember(_ member: PeerID, of group: GroupID) {
        earlier.forget(member, of: group, at: step.time.monotonic)
    }

    /// Forgets the earlier messages of a group that this node is out of.
    mutating func endHistory(of group: GroupID) {
        if let request = earlier.end(group) { takeOut(request) }
    }

    /// Forgets new members once the keys of the messages before their join are gone.
    mutating func expireAnswers() { earlier.expire(at: step.time.wall) }

    // MARK: - Sources

    /// Returns the members of a group that this node is a member of.
    func roster(of group: GroupID) -> GroupRoster? {
        groups.membership(group).map { GroupRoster(log: $0.log, past: groups.states[group]?.past ?? GroupPast()) }
    }

    /// Returns the other members of a group without those who leave, in the order in which they joined.
    func recipients(of group: GroupID) -> [PublicIdentity] {
        guard let session = groups.membership(group) else { return [] }
        let recipients = Set(session.recipients.map(\.identity.id))
        return session.log.membersInOrder.map(\.identity).filter { recipients.contains($0.id) }
    }

    /// Whether messages may be sent to a peer.
    func maySend(to peer: PeerID) -> Bool { trust.maySend(to: peer) }

    /// Whether messages of a peer may be shown.
    func mayReceive(from peer: PeerID) -> Bool { trust.mayReceive(from: peer) }

    // MARK: - Effects

    /// Changes the earlier messages.
    ///
    /// - Parameter body: Takes the earlier messages, and the engine without them, which answers their questions.
    private mutating func withEarlier<Result>(
        _ body: (inout EarlierMessages, ChatEngine) throws -> Result
    ) rethrows -> Result {
        try lend(\.earlier, leaving: EarlierMessages(), body)
    }

    /// Carries out the effects of the earlier messages.
    private mutating func settleEarlier() throws {
        for effect in earlier.takeEffects() { try carryOut(effect) }
    }

    private mutating func carryOut(_ effect: EarlierMessageEffect) throws {
        switch effect {
        case .ask(let cursor, let group, let member):
            let request = try send(.history(group, .request(cursor)), to: member)
            earlier.noteRequest(request, of: group)
        case .withdraw(let request): takeOut(request)
        case .give(let page, let group, let member): try send(.history(group, .page(page)), to: member)
        case .reserve(let group): conversations.forgetPosition(conversationID(of: group))
        case .insert(let message, let group, let position): try insert(message, in: group, at: position)
        case .put(let message, let group, let position): put(message, in: group, at: position)
        case .remove(var message, let group):
            try end(&message, .deleted)
            step.delete(.messages, [UInt8](message.id))
            guard let id = MessageID(bytes: message.id) else { return }
            step.perform(.notify(.removed(conversationID(of: group), id)))
        case .notify(let id, let isNew): try notify(id, isNew: isNew)
        case .progress(let progress, let group): step.perform(.notify(.group(group, .history(progress))))
        }
    }

    private mutating func insert(_ attested: ProtoMessageRecord, in group: GroupID, at position: UInt64?) throws {
        var message = attested
        try absorbPending(into: &message)
        let conversation = conversationID(of: group)
        let position = try position ?? takePosition(in: conversation)
        put(message, in: group, at: position)
        noteArrival(message, at: position, in: conversation)
    }

    private mutating func put(_ message: ProtoMessageRecord, in group: GroupID, at position: UInt64) {
        let conversation = conversationID(of: group)
        step.put(.messages, [UInt8](message.id), conversation: conversation, sequence: position, message)
    }

    private mutating func notify(_ id: MessageID, isNew: Bool) throws {
        guard let message = try message(id) else { return }
        step.perform(.notify(isNew ? .message(message) : .changed(message)))
    }
}
