import ChatCrypto
import MeshCore

/// The sessions of all identities that the user has had.
extension ChatEngine {
    package static let standingName = Array("standing".utf8)

    /// The id of one of the user's identities that is received for.
    func id(of generation: UInt32) -> PeerID {
        standing.formers.first { $0.generation == generation }?.id ?? ownID
    }

    /// Works on the sessions of one of the user's identities; nil for one whose keys are gone.
    @discardableResult
    mutating func withSessions<Value>(
        of generation: UInt32,
        _ body: (inout SessionTable) throws -> Value
    ) rethrows -> Value? {
        if generation == standing.generation { return try body(&sessions) }
        guard let index = standing.formers.firstIndex(where: { $0.generation == generation }) else { return nil }
        return try body(&standing.formers[index].sessions)
    }

    /// Opens a packet for the present identity, or for one of those before it.
    func open(_ packet: InboundPacket, at now: UInt32) -> (opened: OpenedMessage, generation: UInt32)? {
        if let opened = sessions.open(packet, at: now, isKnown: isKnown) { return (opened, standing.generation) }
        for former in standing.formers.reversed() where !former.isOver(at: now) {
            if let opened = former.sessions.open(packet, at: now, isKnown: isKnown) {
                return (opened, former.generation)
            }
        }
        return nil
    }

    /// Whether a peer is a contact or a fellow member: no number of strangers keeps its first flight out.
    private func isKnown(_ peer: PeerID) -> Bool {
        trust[peer]?.isPinned == true || groups.isFellow(peer) || room?.isAtDoor(peer) == true
    }

    /// Takes over what a message changes in its session; false if it opens no more.
    mutating func commit(
        _ opened: OpenedMessage,
        of generation: UInt32,
        sentAt: UInt32?
    ) -> Bool {
        let change = withSessions(of: generation) { try? $0.commit(opened, sentAt: sentAt) }
        guard let change = change ?? nil else { return false }
        records.write(change, of: generation, in: &step)
        return true
    }

    /// The identity that a peer knows this node's user by: the newest that it has written to or answered.
    func generation(knownTo peer: PeerID) -> UInt32 {
        if standing.formers.isEmpty || sessions.isAnswered(by: peer) { return standing.generation }
        let former = standing.formers.last { $0.sessions.isAnswered(by: peer) }
        return former?.generation ?? standing.generation
    }

    /// Erases all sessions with a peer, of every identity.
    mutating func tearDownSessions(with peer: PeerID) {
        for generation in standing.generations {
            guard let change = withSessions(of: generation, { $0.teardown(peer) }) else { continue }
            records.write(change, of: generation, in: &step)
        }
    }

    /// Refuses to write under an identity that is revoked.
    func checkStanding() throws {
        guard standing.isRevoked else { return }
        var error = ChatError(
            .refusedByTrust,
            "You have revoked this identity. 'trust rotate' goes on in this home under a new one, which your contacts do "
                + "not know yet; or make a new home."
        )
        error.trust = .revoked
        throw error
    }

    // MARK: - Keeping

    mutating func putStanding() {
        step.put(.settings, Self.standingName, standing.record)
    }

    /// Takes up the identities before the present one, with their sessions.
    ///
    /// - Parameter secrets: The session records of all of them.
    mutating func restoreStanding(
        _ record: ProtoStandingRecord,
        _ secrets: [UInt32: [StoredRecord]]
    ) throws {
        standing.generation = record.generation
        standing.past = record.pastIDs
        standing.rotationCounter = record.rotationCounter
        standing.isRevoked = record.revoked
        standing.announcements = record.announced
        for generation in record.formers {
            let name = FormerIdentity.name(of: generation)
            guard let former = try step.message(.identity, name, as: ProtoFormerRecord.self),
                let secret = records.open([UInt8](former.sealed), named: name)
            else {
                let reason = "An earlier identity cannot be read: restore a backup of this home. \(ChatError.rescue)"
                throw ChatError(.homeCorrupt, reason)
            }
            let (table, change) = try SessionTable.restore(
                secrets[generation]?.filter { $0.id.kind.isOfSessions } ?? [],
                identity: try Identity(importing: secret),
                nickname: nil,
                isRetired: true,
                at: step.time.seconds
            )
            records.write(change, of: generation, in: &step)
            standing.formers.append(
                FormerIdentity(generation: generation, retiredAt: former.retiredAt, sessions: table)
            )
        }
    }

    mutating func put(_ former: FormerIdentity) {
        let name = FormerIdentity.name(of: former.generation)
        var record = ProtoFormerRecord()
        record.sealed = .bytes(records.seal(former.sessions.identity.exported(), named: name))
        record.retiredAt = former.retiredAt
        step.put(.identity, name, record)
    }

    /// Does what time brings: tells contacts what they are to be told, and destroys the keys of what is over.
    mutating func keepStanding() throws {
        let now = step.time.seconds
        for former in standing.formers {
            let change = withSessions(of: former.generation) { $0.expire(at: now) }
            if let change { records.write(change, of: former.generation, in: &step) }
            if former.isOver(at: now), !step.isFull { try destroy(former.generation) }
        }
        try failIfRevoked()
        try tellContacts()
    }

    /// Destroys the keys of a former identity, as many records as a step may; the next goes on.
    mutating func destroy(_ generation: UInt32) throws {
        guard let change = withSessions(of: generation, { $0.destroy() }) else { return }
        records.write(change, of: generation, in: &step)
        guard withSessions(of: generation, { $0.isDestroyed }) == true else { return }
        standing.formers.removeAll { $0.generation == generation }
        standing.announcements.removeAll { $0.generation == generation }
        step.delete(.identity, FormerIdentity.name(of: generation))
        putStanding()
        for entry in outbox.inOrder where entry.generation == generation && !step.isFull {
            try fail(entry, .expired)
        }
    }
}

extension StoredRecord.Kind {
    /// Whether it is part of a session table.
    var isOfSessions: Bool {
        switch self {
        case .session, .flight, .prekey: true
        case .group, .receivedKey, .roomHost: false
        }
    }
}
