import ChatCrypto
import MeshCore

/// Sealing at the end of a batch: all contents of a conversation that wait by then travel in one message.
///
/// Nothing waits for more to come, so a lone content leaves at once, alone. Source: PROTOCOL §8.
extension ChatEngine {
    /// Seals the receipts that are due, and the contents of the conversations to which something was added.
    ///
    /// If the step is full, or the batch is so large that no more fits one batch of the store, the rest stays due, and
    /// the next batch seals it.
    package mutating func sealDue() throws {
        step.begin(at: step.time)
        if step.writeCount + outbox.reducedCount < ChatLimits.sealingWriteCount {
            for recipient in receipts.dueRecipients(at: step.time.monotonic) where !isStepFull {
                try queueReceipts(for: recipient)
            }
            while outbox.hasDue, !isStepFull {
                for group in outbox.takeDueGroups() { try sealWaiting(for: group) }
                try sealDuePeers()
            }
        }
        submitReleases()
        submitBundle()
        try outbox.reduceRecords(in: step)
    }

    private mutating func sealDuePeers() throws {
        for peer in outbox.takeDuePeers() {
            if isStepFull { outbox.markDue(.direct(peer)) } else { try sealWaiting(for: peer) }
        }
    }

    /// Seals what waits for a peer, as far as trust, keys and the window allow.
    private mutating func sealWaiting(for peer: PeerID) throws {
        // A message to a contact that has rotated since still goes to the old identity, which receives for a while.
        guard trust.maySend(to: peer) || isAccepted(peer) && trust.mayReceive(from: peer),
            let recipient = identity(of: peer)
        else { return }
        for queue in outbox.queues(in: .direct(peer)) {
            renewSession(with: peer, of: queue.generation)
            while try sealPack(of: queue, to: recipient) {
                guard isStepFull else { continue }
                return outbox.markDue(.direct(peer))
            }
        }
    }

    /// Has the next message begin another session in place of an old one (rule R5).
    ///
    /// The peer is in this mesh, so that they answer it soon: until then nothing goes on the old session.
    private mutating func renewSession(with peer: PeerID, of generation: UInt32) {
        let now = step.time.seconds
        guard peers.isReachable(peer, at: step.time.wall), peers[peer]?.bundle?.isUsable(at: now) == true,
            identityHistory.sessions(of: generation).isOld(with: peer, at: now)
        else { return }
        contacts.history.resetSession(with: peer, of: [generation])
    }

    /// Seals the next message for a peer; false if nothing waits, or nothing can be sealed.
    private mutating func sealPack(of queue: OutboxEntry.Queue, to recipient: PublicIdentity) throws -> Bool {
        let (generation, now) = (queue.generation, step.time.seconds)
        let byteCount = identityHistory.itemsByteCount(of: generation, to: recipient.id, at: now)
        let isCarried = carries(to: recipient.id)
        let isFull = isCarried && !ways.hasRoom(to: recipient.id) || !queue.isControl && isOpening(to: recipient.id)
        let waiting = try outbox.nextPack(
            in: queue,
            byteCount: isCarried ? byteCount - ChatLimits.uncarriedByteCount : byteCount,
            receiptsOnly: isFull || outbox.inFlightCount(to: recipient.id) >= ChatLimits.inFlightCount,
            in: step
        )
        guard let pack = withoutDeleted(waiting) else { return false }
        guard !pack.isEmpty else { return true }
        guard let sealed = seal(pack.map(\.content), as: generation, to: recipient) else { return false }
        outbox.seal(pack, in: sealed, of: queue, at: step.time.wall)
        if !carry(pack.map(\.id), in: sealed, to: recipient.id) {
            spread(sealed, pack.map(\.id))
            expectFar(.direct(recipient.id))
            openWay(to: recipient.id, by: pack.map(\.id))
        }
        if identityHistory.isDoubted(recipient.id) {
            let soon = Duration.milliseconds(Int64(ChatLimits.doubtAge))
            nextHousekeeping = min(nextHousekeeping, step.time.monotonic.advanced(by: soon))
        }
        return true
    }

    /// Seals what waits for a group.
    private mutating func sealWaiting(for group: GroupID) throws {
        let conversation = conversationID(of: group)
        for queue in outbox.queues(in: conversation) {
            while !isStepFull {
                let limit = GroupLimits.maximumItemsByteCount
                let waiting = try outbox.nextPack(in: queue, byteCount: limit, in: step)
                guard let pack = withoutDeleted(waiting) else { break }
                guard !pack.isEmpty else { continue }
                // A group that was left or is frozen seals nothing; its messages fail when their time is over.
                guard let sealed = try? seal(pack.map(\.content), for: group) else { break }
                for id in pack.map(\.id) { try expectReceipts(in: group, sealedIn: sealed.epoch, for: id) }
                try settleGroups()
                let envelope = SealedEnvelope(kind: .sealed, body: sealed.body)
                outbox.seal(pack, in: envelope, of: queue, at: step.time.wall)
                spread(envelope, pack.map(\.id))
                expectFar(conversation)
            }
        }
        try settleGroups()
        if isStepFull, !outbox.queues(in: conversation).isEmpty { outbox.markDue(conversation) }
    }

    /// Seals contents for all members of a group.
    ///
    /// - Throws: If the group was left or is frozen, or while this node has to follow it to a later epoch first.
    private mutating func seal(
        _ contents: [[UInt8]],
        for group: GroupID
    ) throws -> (body: [UInt8], epoch: UInt32) {
        try groups.seal(contents, for: group, by: sessions.identity, at: step.time.seconds)
    }

    /// Removes contents that were deleted while they were in transit: only their deletions are sealed again; nil if
    /// nothing waits.
    private mutating func withoutDeleted(
        _ waiting: [(id: MessageID, content: [UInt8])]
    ) -> [(id: MessageID, content: [UInt8])]? {
        guard !waiting.isEmpty else { return nil }
        for (id, content) in waiting where content.isEmpty { takeOut(id) }
        return waiting.filter { !$0.content.isEmpty }
    }

    /// Seals contents in the session of one of the user's identities with `recipient`; nil while they cannot be sealed.
    mutating func seal(
        _ contents: [[UInt8]],
        as generation: UInt32,
        to recipient: PublicIdentity,
        in kind: CarrierKind = .sealed
    ) -> SealedEnvelope? {
        defer { writeContacts() }
        let sealed = contacts.seal(contents, as: kind, of: generation, to: recipient, at: step.time.seconds)
        if let sealed, sealed.kind == .prekey {
            far.noteSession(sealed.sessionID, at: step.time.monotonic, isOwnAct: true)
        }
        return sealed.flatMap(SealedEnvelope.init)
    }

    /// Spreads an envelope again.
    mutating func resubmit(_ pack: OutboxPack) throws {
        guard let envelope = try outbox.envelopeToRepeat(of: pack, at: step.time.wall, in: step) else { return }
        // Later their files are spread again after the mesh has forgotten them.
        spread(envelope, pack.contents.filter { outbox[$0]?.filesSpreadAt == 0 })
        expectFar(pack.conversation)
    }

    /// Posts an envelope, and the files of some of its messages.
    private mutating func spread(_ envelope: SealedEnvelope, _ messages: [MessageID]) {
        step.perform(.submit(kind: envelope.kind, body: envelope.body, life: ChatLimits.sealedLife))
        for id in messages where outbox[id]?.kind != .receipt { spreadFiles(of: id) }
    }
}
