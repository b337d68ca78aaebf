package import ChatCrypto

/// The user's identities with their sessions, and the statements about them that contacts have not been sent yet.
///
/// Source: PROTOCOL §9.
package struct IdentityHistory: Sendable {
    /// A statement on its way to all contacts.
    struct Announcement: Sendable {
        /// The encoded content.
        let content: [UInt8]
        /// The generation of the identity that seals it.
        let generation: UInt32
        /// The contact, in the order of ids, that the statement was queued for last.
        fileprivate(set) var toldUpTo: PeerID?
    }

    /// The sessions of the present identity.
    package private(set) var sessions: SessionTable
    /// The number of identities that the user had before this one.
    package private(set) var generation: UInt32
    /// The former identities that still receive, the oldest first.
    private(set) var formers: [FormerIdentity] = []
    /// The ids of the user's former identities, the newest 64, the oldest first.
    private var past: [PeerID]
    /// The counter of the last rotation.
    private var rotationCounter: UInt32
    /// Whether the present identity is revoked: nothing is written under it.
    package private(set) var isRevoked: Bool
    /// The statements not yet announced to all contacts, the oldest first.
    private(set) var announcements: [Announcement]

    /// The time at which the store was read.
    ///
    /// Units: milliseconds since 1970; 0 if no store was read.
    private(set) var startedAt: UInt64 = 0
    /// The peers with sessions from before the start, except those whose sessions were reset since.
    private var doubted: Set<PeerID> = []
    private var writes: [ContactWrite]

    /// Begins with an identity that the store does not have yet.
    init(making identity: Identity, named nickname: Nickname, at now: UInt32) throws {
        let (sessions, change) = try SessionTable.restore([], identity: identity, nickname: nickname, at: now)
        self.init(sessions, ProtoStandingRecord())
        writes = [.identity(identity), .sessions(change, generation)]
    }

    /// Restores the stored records.
    ///
    /// - Parameter secrets: The records of sessions of all identities.
    init(
        restoring record: ProtoStandingRecord,
        as identity: Identity,
        named nickname: Nickname,
        _ secrets: [UInt32: [StoredRecord]],
        _ seals: SecretSeals,
        in snapshot: some Snapshot,
        at time: ChatTime
    ) throws {
        let (sessions, change) = try SessionTable.restore(
            secrets[record.generation]?.filter { $0.id.kind.isOfSessions } ?? [],
            identity: identity,
            nickname: nickname,
            at: time.seconds
        )
        self.init(sessions, record)
        writes = [.sessions(change, generation)]
        startedAt = time.wall
        doubted = Set(sessions.peerIDs)
        for generation in record.formers {
            let name = FormerIdentity.name(of: generation)
            guard let former = try snapshot.message(.identity, name, as: ProtoFormerRecord.self),
                let secret = seals.open([UInt8](former.sealed), named: name)
            else {
                let reason =
                    "An earlier identity cannot be read. Restore a backup of the data directory. \(ChatError.rescue)"
                throw ChatError(.homeCorrupt, reason)
            }
            let (table, change) = try SessionTable.restore(
                secrets[generation]?.filter { $0.id.kind.isOfSessions } ?? [],
                identity: try Identity(importing: secret),
                nickname: nil,
                isRetired: true,
                at: time.seconds
            )
            writes.append(.sessions(change, generation))
            formers.append(FormerIdentity(generation: generation, retiredAt: former.retiredAt, sessions: table))
        }
    }

    private init(_ sessions: SessionTable, _ record: ProtoStandingRecord) {
        self.sessions = sessions
        generation = record.generation
        past = record.pastIDs
        rotationCounter = record.rotationCounter
        isRevoked = record.revoked
        announcements = record.announcements.map { record in
            Announcement(
                content: [UInt8](record.content),
                generation: record.generation,
                toldUpTo: PeerID(bytes: record.toldUpTo)
            )
        }
        writes = []
    }

    /// Returns the records to write and removes them.
    mutating func takeWrites() -> [ContactWrite] {
        defer { writes = [] }
        return writes
    }

    /// Writes the history, without sessions and keys, which have records of their own.
    mutating func keep() { writes.append(.history(record)) }

    private var record: ProtoStandingRecord {
        var record = ProtoStandingRecord()
        record.generation = generation
        record.formers = formers.map(\.generation)
        record.past = past.map { .bytes($0.bytes) }
        record.rotationCounter = rotationCounter
        record.revoked = isRevoked
        record.announcements = announcements.map { announcement in
            var record = ProtoAnnouncementRecord()
            record.content = .bytes(announcement.content)
            record.generation = announcement.generation
            record.toldUpTo = .bytes(announcement.toldUpTo?.bytes ?? [])
            return record
        }
        return record
    }

    // MARK: - Sessions

    /// The generations of all identities with sessions, the present one first.
    var generations: [UInt32] { [generation] + formers.reversed().map(\.generation) }

    /// The number of former identities that still receive.
    package var formerCount: Int { formers.count }

    /// Returns the id of one of the user's identities that receive.
    func id(of generation: UInt32) -> PeerID {
        formers.first { $0.generation == generation }?.id ?? sessions.identity.publicIdentity.id
    }

    /// Returns the generation of the identity by which a peer knows the user: the newest that the peer has written to
    /// or answered.
    func generation(knownTo peer: PeerID) -> UInt32 {
        if formers.isEmpty || sessions.isAnswered(by: peer) { return generation }
        return formers.last { $0.sessions.isAnswered(by: peer) }?.generation ?? generation
    }

    /// Opens a packet for the present identity, or for a former one.
    func open(
        _ packet: InboundPacket,
        at now: UInt32,
        isKnown: (PeerID) -> Bool,
        mayDecapsulate: () -> Bool
    ) -> (opened: OpenedMessage, generation: UInt32)? {
        func open(_ sessions: SessionTable) -> OpenedMessage? {
            sessions.open(packet, at: now, isKnown: isKnown, mayDecapsulate: mayDecapsulate)
        }
        if let opened = open(sessions) { return (opened, generation) }
        for former in formers.reversed() where !former.isOver(at: now) {
            if let opened = open(former.sessions) { return (opened, former.generation) }
        }
        return nil
    }

    /// Commits an opened message to its session; false if it no longer opens.
    mutating func commit(_ opened: OpenedMessage, of generation: UInt32, sentAt: UInt32?) -> Bool {
        change(generation) { try? $0.commit(opened, sentAt: sentAt) }
    }

    /// Seals contents in the session of one of the identities with a peer; nil while it cannot be sealed.
    mutating func seal(
        _ contents: [[UInt8]],
        as kind: CarrierKind,
        of generation: UInt32,
        to recipient: PublicIdentity,
        bundle: PrekeyBundle?,
        at now: UInt32
    ) -> SealedMessage? {
        var message: SealedMessage?
        change(generation) { sessions in
            guard sessions.canSeal(to: recipient.id, at: now) || bundle?.isUsable(at: now) == true,
                // Other failures: the end of a chain, or a valid prekey bundle whose key makes no secret; a better one
                // may arrive.
                let sealed = try? sessions.seal(contents, as: kind, to: recipient, bundle: bundle, at: now)
            else { return nil }
            message = sealed.message
            return sealed.change
        }
        return message
    }

    /// Whether content of one of the identities can be sealed for a peer now.
    func canSeal(to peer: PeerID, of generation: UInt32, bundle: PrekeyBundle?, at now: UInt32) -> Bool {
        sessions(of: generation).canSeal(to: peer, at: now) || bundle?.isUsable(at: now) == true
    }

    func sessions(of generation: UInt32) -> SessionTable {
        formers.first { $0.generation == generation }?.sessions ?? sessions
    }

    /// Computes the size that the contents of the next message of one of the identities may have together.
    ///
    /// Units: bytes.
    func itemsByteCount(of generation: UInt32, to peer: PeerID, at now: UInt32) -> Int {
        sessions(of: generation).itemsByteCount(to: peer, at: now)
    }

    /// Ends all sessions with a peer, of every identity, and returns the last messages for it.
    mutating func end(with peer: PeerID, at now: UInt32) -> [SealedMessage] {
        var messages: [SealedMessage] = []
        for generation in generations {
            change(generation) { sessions in
                let ended = sessions.end(with: peer, at: now)
                messages += ended.messages
                return ended.change
            }
        }
        return messages
    }

    /// Erases all sessions with a peer, of every identity.
    mutating func tearDown(_ peer: PeerID) {
        for generation in generations { change(generation) { $0.teardown(peer) } }
    }

    /// Renews the prekey, and deletes expired sessions and keys of all identities.
    mutating func expire(at now: UInt32) {
        for generation in generations { change(generation) { $0.expire(at: now) } }
    }

    /// Changes the name in the present identity's prekey bundle.
    mutating func rename(to nickname: Nickname, at now: UInt32) {
        change(generation) { $0.rename(to: nickname, at: now) }
    }

    @discardableResult
    private mutating func change(_ generation: UInt32, _ body: (inout SessionTable) -> SessionChange?) -> Bool {
        var change: SessionChange?
        if generation == self.generation {
            change = body(&sessions)
        } else if let index = formers.firstIndex(where: { $0.generation == generation }) {
            change = body(&formers[index].sessions)
        }
        guard let change else { return false }
        writes.append(.sessions(change, generation))
        return true
    }

    // MARK: - Resetting sessions

    /// Whether sessions with a peer are from before the start: the data directory may be an earlier copy.
    func isDoubted(_ peer: PeerID) -> Bool { doubted.contains(peer) }

    /// Whether a peer was seen and has not confirmed a message that was sealed an hour ago (rule R3).
    ///
    /// Half a minute is enough, once, if the sessions are from before the start.
    ///
    /// - Parameters:
    ///   - lastSeen: The time at which the peer was seen. Units: milliseconds since 1970.
    ///   - sealedAt: The time of sealing, by the same clock.
    func answersNothing(_ peer: PeerID, lastSeen: UInt64, sealedAt: UInt64, at wall: UInt64) -> Bool {
        if sealedAt + ChatLimits.sessionResetAge <= wall, lastSeen > sealedAt { return true }
        let isDoubtful = max(sealedAt, startedAt) + ChatLimits.doubtAge <= wall
        return isDoubtful && doubted.contains(peer) && lastSeen >= startedAt
    }

    /// Gives up the sessions of some identities with a peer as primary (rule R3).
    mutating func resetSession(with peer: PeerID, of generations: [UInt32]) {
        doubted.remove(peer)
        for generation in generations {
            change(generation) { sessions in
                sessions.resetSession(with: peer)
                return nil
            }
        }
    }

    // MARK: - Rotating and revoking

    /// The certificate that revokes the present identity; to be kept out of reach of a thief of this data directory.
    package var revocationCertificate: RevocationCertificate { RevocationCertificate(of: sessions.identity) }

    /// Refuses to write under a revoked identity.
    func checkWriting() throws {
        guard isRevoked else { return }
        var error = ChatError(
            .refusedByTrust,
            """
            You have revoked this identity. 'trust rotate' makes a new one in this data directory, which your \
            contacts do
            """
                + "not know yet. Or create a new data directory."
        )
        error.trust = .revoked
        throw error
    }

    /// Refuses one more announcement while ``ChatLimits/announcementCount`` announcements are not finished.
    func checkAnnouncements() throws {
        guard announcements.count < ChatLimits.announcementCount else {
            var error = ChatError(.limited, "Contacts are still being notified of others. Try again in a minute.")
            error.retryAfter = .seconds(60)
            throw error
        }
    }

    /// Refuses a new identity while too many former identities receive or are being announced.
    func checkRotation(at now: UInt32) throws {
        try checkAnnouncements()
        guard formers.count < ChatLimits.formerCount else {
            var error = ChatError(.limited, "\(formers.count) earlier identities still receive. Wait up to 8 days.")
            error.retryAfter = formers.map { $0.rest(at: now) }.min()
            throw error
        }
    }

    /// Rotates to a new identity and announces it, unless the old one is revoked, because contacts would not believe
    /// its statement.
    ///
    /// The old identity receives for 8 more days.
    mutating func rotate(to new: Identity, named nickname: Nickname, at time: ChatTime) throws {
        let now = time.seconds
        let (table, change) = try SessionTable.restore([], identity: new, nickname: nickname, at: now)
        rotationCounter = RotationStatement.counter(after: rotationCounter, at: now)
        let statement = RotationStatement(from: sessions.identity, to: new, counter: rotationCounter, at: now)
        if !isRevoked { announce(.rotation(statement.bytes), at: time.wall) }
        var former = FormerIdentity(generation: generation, retiredAt: now, sessions: sessions)
        former.sessions.retire()
        formers.append(former)
        past = (past + [former.id]).suffix(ChatLimits.pastCount)
        sessions = table
        generation += 1
        isRevoked = false
        writes += [.former(former), .identity(new), .sessions(change, generation)]
        keep()
    }

    /// Notes that the present identity is revoked.
    mutating func revoke() {
        isRevoked = true
        keep()
    }

    /// Ends the receiving of a former identity; returns its generation, nil if none has this id.
    mutating func revoke(former id: PeerID) -> UInt32? {
        guard let index = formers.firstIndex(where: { $0.id == id }) else { return nil }
        formers[index].retiredAt = 0
        writes.append(.former(formers[index]))
        return formers[index].generation
    }

    /// Destroys the keys of a former identity, as many records as one call may; returns whether it is done.
    mutating func destroy(_ generation: UInt32) -> Bool {
        change(generation) { $0.destroy() }
        guard formers.contains(where: { $0.generation == generation && $0.sessions.isDestroyed }) else { return false }
        formers.removeAll { $0.generation == generation }
        announcements.removeAll { $0.generation == generation }
        writes.append(.formerGone(generation))
        keep()
        return true
    }

    // MARK: - Announcing

    /// Adds an announcement to all contacts by the present identity.
    ///
    /// - Parameter wall: Units: milliseconds since 1970.
    mutating func announce(_ statement: IdentityStatement, at wall: UInt64) {
        let content = MessageContent.statement(statement, at: wall)
        announcements.append(Announcement(content: content, generation: generation))
    }

    /// Notes that the oldest announcement is in the outbox for a contact; for nil, that it is there for all contacts.
    mutating func noteNotified(_ peer: PeerID?) {
        guard !announcements.isEmpty else { return }
        if let peer { announcements[0].toldUpTo = peer } else { announcements.removeFirst() }
    }
}

extension ProtoStandingRecord {
    /// The ids of earlier identities.
    var pastIDs: [PeerID] { past.compactMap { PeerID(bytes: $0) } }
}

extension StoredRecord.Kind {
    /// Whether it is part of a session table.
    fileprivate var isOfSessions: Bool {
        switch self {
        case .session, .prekeyMessage, .prekey, .exchange: true
        case .roomHost, .group, .groupMembers, .groupOperation, .groupSecrets, .groupEpoch, .groupChains: false
        }
    }
}
