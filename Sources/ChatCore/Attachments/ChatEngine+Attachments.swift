package import ChatCrypto

/// The join of the attachments with outbox, receipts, history and members.
extension ChatEngine: AttachmentSources {
    // MARK: - Sending

    /// Spreads the small attachments of an own message.
    mutating func spreadFiles(of message: MessageID) {
        guard let sources = attachments.blobs.sources(of: message) else { return }
        let isForMany = attachments.blobs.entries(of: message).first?.group.map(spreadsToAll) ?? false
        for source in sources { step.perform(.spread(source, isForMany: isForMany)) }
        outbox.markFilesSpread(message, at: step.time.wall)
    }

    /// Whether a group has so many members that its small attachments go to all nodes.
    func spreadsToAll(_ group: GroupID) -> Bool { groupMembers(in: group).count > ChatLimits.handedMemberCount }

    /// Spreads the small attachments of unconfirmed messages again after the mesh has dropped them.
    mutating func spreadForgotten() {
        for entry in outbox.inOrder where entry.envelope != nil && entry.filesSpreadAt > 0 {
            if entry.filesSpreadAt + ChatLimits.spreadAge <= step.time.wall { spreadFiles(of: entry.id) }
        }
    }

    /// Forgets the file of a long text that its message holds.
    mutating func forgetLongText(of message: MessageID) {
        if let entry = attachments.takeLongText(of: message) { drop(entry) }
    }

    /// Forgets the files of a conversation.
    mutating func forgetFiles(in conversation: ConversationID) {
        for entry in attachments.takeAll(of: conversation) { drop(entry) }
    }

    // MARK: - Receiving

    /// Expects the attachments of a message that is in the history.
    mutating func expectFiles(of record: ProtoMessageRecord, from peer: PeerID) throws {
        try withAttachments { $0.expect(record, from: peer, among: $1) }
    }

    /// Expects the files of the messages that a peer sent before the user accepted it.
    mutating func expectEarlierFiles(of peer: PeerID) throws {
        guard isAccepted(peer), conversations[.direct(peer)] != nil else { return }
        let page = try step.page(of: .direct(peer), before: nil, limit: ChatLimits.requestMessageCount)
        for record in page where !record.outgoing { try expectFiles(of: record, from: peer) }
    }

    /// Accepts a piece of an attachment.
    mutating func receiveFragment(_ body: [UInt8]) throws {
        try withAttachments { $0.receive(body, isFar: false, among: $1, in: $1.step) }
    }

    /// Fetches a file of a message that is neither here nor on its way.
    package mutating func fetchFile(_ index: Int, of message: MessageID) throws {
        guard let request = try attachments.blobs.request(index, of: message, in: step) else { return }
        if let group = request.entry.group, groups.membership(group) == nil { throw groups.notMember(group) }
        guard wantsFiles(of: request.entry.peer, in: request.entry.group) else {
            let reason = "Attachments of this peer are not fetched. Accept or unblock the peer first."
            var error = ChatError(.refusedByTrust, reason)
            error.trust = trust.state(of: request.entry.peer)
            throw error
        }
        try withAttachments { try $0.fetch(request.entry, named: request.name, among: $1) }
    }

    /// Fetches the attachments that have waited for room, in the order in which they were expected.
    mutating func fetchParked() throws {
        for entry in attachments.takeParked() where !isStepFull {
            try withAttachments { $0.unpark(entry, among: $1) }
        }
    }

    /// Gives up a file of a message that is not complete yet.
    package mutating func cancelFile(_ index: Int, of message: MessageID) throws {
        let files = try self.message(message)?.files ?? []
        try attachments.cancel(index, of: message, with: files)
        try settleAttachments()
    }

    /// Gives up the attachments that have been incomplete for ``ChatLimits/fileAge``.
    mutating func expireFiles() throws {
        for entry in attachments.expired(at: step.time.wall) where !isStepFull {
            attachments.expire(entry)
            try settleAttachments()
        }
    }

    /// Gives up an attachment that the user requested and no peer has.
    package mutating func missFile(_ id: BlobID) throws {
        attachments.miss(id)
        try settleAttachments()
    }

    /// Notes durably which chunks of an attachment are in its file.
    package mutating func noteChunks(_ chunks: ChunkSet, of id: BlobID) throws {
        attachments.note(chunks, of: id)
        try settleAttachments()
    }

    /// Fetches a whole attachment again after its bytes turned out to be wrong.
    package mutating func fetchAnew(_ id: BlobID) throws { try withAttachments { $0.fetchAnew(id, among: $1) } }

    /// Notes that an attachment is complete.
    package mutating func completeFile(_ id: BlobID) throws {
        attachments.complete(id, in: step)
        try settleAttachments()
    }

    // MARK: - Sources

    /// The time of the present step.
    var time: ChatTime { step.time }

    /// Whether a peer was seen within ``ChatLimits/reachableAge``.
    func isReachable(_ peer: PeerID) -> Bool { peers.isReachable(peer, at: step.time.wall) }

    /// Whether this node fetches the files of a sender: a contact, or a member in their group.
    func wantsFiles(of peer: PeerID, in group: GroupID?) -> Bool {
        guard let group else { return isAccepted(peer) }
        return trust.mayReceive(from: peer) && groups.membership(group) != nil
    }

    /// Returns the other members of a group, the most recently seen first.
    func groupMembers(in group: GroupID) -> [PeerID] {
        let members = groups.membership(group)?.recipients.map(\.identity.id) ?? []
        let byTime = members.map { (lastSeen: peers[$0]?.lastSeen ?? 0, id: $0) }
        return byTime.sorted { ($1.lastSeen, $0.id) < ($0.lastSeen, $1.id) }.map(\.id)
    }

    /// Returns the members of a group who attest a message.
    func attesters(of message: MessageID) -> [PeerID] {
        (try? step.message(.messages, message.bytes, as: ProtoMessageRecord.self))?.attesters ?? []
    }

    /// Whether a peer may have a large attachment that is yet to be fetched.
    func isFetching(from peer: PeerID) -> Bool {
        attachments.blobs.isFetching(from: peer)
            || attachments.blobs.fetchingGroups.contains { groups.membership($0)?.log.member(peer) != nil }
    }

    // MARK: - Effects

    /// Changes the attachments and carries out their effects.
    ///
    /// - Parameter body: Takes the attachments, and the engine without them, which answers their questions.
    mutating func withAttachments(_ body: (inout Attachments, ChatEngine) throws -> Void) throws {
        try lend(\.attachments, leaving: Attachments(), body)
        try settleAttachments()
    }

    /// Carries out the effects of the attachments.
    package mutating func settleAttachments() throws {
        for effect in attachments.takeEffects() { try carryOut(effect) }
    }

    private mutating func carryOut(_ effect: AttachmentEffect) throws {
        switch effect {
        case .put(let entry): step.put(.blobs, entry.id.name, entry.record)
        case .drop(let entry): drop(entry)
        case .write(let bytes, let offset, let file): step.write(bytes, at: offset, ofBlob: file)
        case .transfer(let event): step.perform(.transfer(event))
        case .recall(let tags): step.perform(.recall(tags: tags))
        case .fetchPieces(let tags): step.perform(.fetchPieces(tags: tags))
        case .endFetch(let tag): step.perform(.endFetch(tag: tag))
        case .progress(let entry, let byteCount): try notifyProgress(of: entry, byteCount: byteCount)
        case .failed(let id, let conversation, let reason): notifyFailure(of: id, in: conversation, reason)
        case .missed(let entry, let reason): notifyFailure(of: entry.id, in: conversationID(of: entry), reason)
        case .arrived(let entry): try noteArrival(of: entry)
        case .longText(let sealed, let message): try keepLongText(in: sealed, of: message)
        case .waits(let message): receipts.suspend(message)
        case .completed(let message): confirmComplete(message)
        case .releaseReceipts(let peer, let isMember):
            let recipient = PendingReceipts.Recipient(peer: peer, isMember: isMember)
            receipts.release(recipient, at: step.time.monotonic)
        case .expired(let message): receipts.remove(message)
        }
    }

    /// Reports the bytes of a file that are here, and its message once the file is complete.
    private mutating func notifyProgress(of entry: BlobTable.Entry, byteCount: UInt64) throws {
        let (id, total) = (entry.id, entry.reference.byteCount)
        let event = ChatEvent.progress(
            conversationID(of: entry),
            id.message,
            file: id.index,
            byteCount: byteCount,
            total: total
        )
        step.perform(.notify(event))
        guard entry.isComplete, let message = try message(id.message) else { return }
        step.perform(.notify(.changed(message)))
    }

    private mutating func notifyFailure(of id: BlobID, in conversation: ConversationID, _ reason: FileFailure) {
        step.perform(.notify(.fileFailed(conversation, id.message, file: id.index, reason)))
    }

    private mutating func drop(_ entry: BlobTable.Entry) {
        step.delete(.blobs, entry.id.name)
        step.deleteBlob(entry.file)
        step.perform(.transfer(.drop(entry.id, file: entry.file)))
    }

    /// Puts a long text into its message and reports the message.
    private mutating func keepLongText(in sealed: [UInt8], of message: MessageID) throws {
        guard let (sequence, plaintext) = try step.record(.messages, message.bytes),
            case var record = try ChatStep.decode(plaintext, as: ProtoMessageRecord.self),
            let conversation = record.conversationID,
            case .text(let content) = MessageContent.decode([UInt8](record.content))?.body,
            let text = content.longText?.text(in: sealed)
        else { return }
        record.longText = text
        step.put(.messages, message.bytes, conversation: conversation, sequence: sequence, record)
        if let message = try self.message(from: record) { step.perform(.notify(.message(message))) }
    }
}
