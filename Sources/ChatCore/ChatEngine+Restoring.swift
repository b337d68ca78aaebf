package import ChatCrypto
import MeshCore
import SwiftProtobuf

extension ChatEngine {
    static let identityName = Array("identity".utf8)
    package static let nodeName = Array("node".utf8)

    /// Makes a new identity and writes it.
    ///
    /// - Parameters:
    ///   - room: What makes it the engine of a room.
    ///   - backup: An identity that was elsewhere before.
    package init(
        making nickname: Nickname,
        _ seals: SecretSeals,
        for room: RoomPart? = nil,
        of backup: Identity? = nil,
        in step: ChatStep
    ) throws {
        let identity = backup ?? Identity()
        let (sessions, change) = try SessionTable.restore(
            [],
            identity: identity,
            nickname: nickname,
            at: step.time.seconds
        )
        self.init(
            nickname: nickname.text,
            records: seals,
            sessions: sessions,
            trust: TrustBook(owner: identity.publicIdentity)
        )
        self.step = step
        self.room = room
        putIdentity(identity)
        putNodeRecord()
        seals.write(change, in: &self.step)
    }

    /// The identity that the store holds; nil if there is none, or it cannot be read.
    package static func storedIdentity(_ seals: SecretSeals, in step: ChatStep) throws -> Identity? {
        let sealed = try step.record(.identity, identityName)?.plaintext
        return sealed.flatMap { seals.open($0, named: identityName) }.flatMap { try? Identity(importing: $0) }
    }

    /// Writes the present identity down.
    mutating func putIdentity(_ identity: Identity) {
        let sealed = records.seal(identity.exported(), named: Self.identityName)
        step.put(.identity, Self.identityName, sealed)
    }

    /// Takes up what the store holds; nil if no identity was ever made in it.
    ///
    /// - Parameter room: What is known of the room that this is the engine of.
    package init?(restoring seals: SecretSeals, of room: RoomPart? = nil, in step: ChatStep) throws {
        let erased = try Self.interruptedErasures(in: step)
        guard let sealed = try step.record(.identity, Self.identityName)?.plaintext,
            let node = try step.message(.settings, Self.nodeName, as: ProtoNodeRecord.self)
        else { return nil }
        guard let secret = seals.open(sealed, named: Self.identityName) else {
            let reason = "The identity cannot be read: restore a backup of this home. \(ChatError.rescue)"
            throw ChatError(.homeCorrupt, reason)
        }
        let identity = try Identity(importing: secret)
        let standing = try step.message(.settings, Self.standingName, as: ProtoStandingRecord.self) ?? .init()
        let secrets = try seals.sessionRecords(in: step)
        let (sessions, change) = try SessionTable.restore(
            secrets[standing.generation]?.filter { $0.id.kind.isOfSessions } ?? [],
            identity: identity,
            nickname: try Nickname(node.nickname),
            at: step.time.seconds
        )
        self.init(
            nickname: node.nickname,
            records: seals,
            sessions: sessions,
            trust: try TrustBook(
                owner: identity.publicIdentity,
                formerly: standing.pastIDs,
                restoring: StoredTrust(records: try step.all(.contacts))
            )
        )
        self.step = step
        seals.write(change, of: standing.generation, in: &self.step)
        try restoreStanding(standing, secrets)
        ownProfile = ProfileStatement(node.profile)
        setWatched(node.watched)
        self.room = room
        // Groups and rooms know one identity alone.
        let stored = secrets[0] ?? []
        if room != nil, let record = stored.first(where: { $0.id.kind == .roomHost }) {
            self.room?.host = try RoomHost(restoring: record, as: identity, at: step.time.seconds)
        }
        try restorePeers()
        try restoreBlobs()
        try restoreOutbox()
        try restoreHeld()
        try restoreEarly()
        try restoreTimers()
        try restoreWishes()
        try restoreGroups(stored)
        for conversation in erased { try erase(conversation) }
    }

    private mutating func restorePeers() throws {
        startedAt = step.time.wall
        doubted = Set(sessions.peerIDs)
        for record in try step.records(.bundles, as: ProtoPeerRecord.self) {
            guard
                let identity = PublicIdentity(
                    signingKey: [UInt8](record.signingKey),
                    agreementKey: [UInt8](record.agreementKey)
                )
            else { continue }
            let bundle = try? IdentityBundle(verifying: [UInt8](record.bundle))
            peers[identity.id] = KnownPeer(
                identity: identity,
                bundle: bundle,
                lastSeen: record.lastSeen.bounded,
                storedLastSeen: record.lastSeen.bounded,
                profile: ProfileStatement(record.profile)
            )
            // Strangers are not in the trust book's own records.
            trust.restore(identity, bundle, at: step.time.seconds)
        }
        for record in try step.records(.conversations, as: ProtoConversationRecord.self) {
            guard let peer = PeerID(bytes: record.peer)
            else { continue }
            conversations[peer] = ConversationState(restoring: record)
        }
    }

    private mutating func restoreOutbox() throws {
        let stored = try step.records(.outbox, as: ProtoOutboxRecord.self)
        for record in stored.sorted(by: { $0.number < $1.number }) {
            guard let id = MessageID(bytes: record.id), let peer = PeerID(bytes: record.peer) else { continue }
            var entry = Outbox.Entry(
                id: id,
                peer: peer,
                number: record.number.bounded,
                isReceipt: record.receipt,
                isNote: record.note,
                generation: record.generation,
                createdAt: record.createdAt.bounded
            )
            if let kind = EnvelopeKind(rawValue: UInt8(clamping: record.kind)), !record.body.isEmpty {
                entry.envelope = Self.envelopeID(kind, [UInt8](record.body))
                entry.releaseHash = Array(record.body.prefix(16))
                entry.sealedAt = record.sealedAt.bounded
            }
            let message = try step.message(.messages, id.bytes, as: ProtoMessageRecord.self)
            entry.status = DeliveryStatus(rank: Int(message?.status ?? 0), failure: "")
            outbox.add(entry)
        }
    }

    private mutating func restoreHeld() throws {
        let now = step.time.monotonic
        for record in try step.records(.held, as: ProtoMessageRecord.self) {
            guard let id = MessageID(bytes: record.id),
                let peer = PeerID(bytes: record.conversation),
                let content = MessageContent.decode([UInt8](record.content))
            else { continue }
            held.hold(HoldBack.Held(order: content.order, id: id, since: now), of: peer)
        }
        for record in try step.records(.owed, as: ProtoOwedRecord.self) {
            guard let id = MessageID(bytes: record.message),
                let peer = PeerID(bytes: record.peer), record.group.isEmpty
            else { continue }
            if blobs.isIncomplete(id) { continue }
            if isAccepted(peer) {
                owed.owe(id, to: peer, at: now)
            } else {
                owed.keep(id, to: peer)
            }
        }
    }
}

/// The trust book's records as the store holds them: the peer's id, then the record.
private struct StoredTrust: TrustStorage {
    var records: [[UInt8]]

    func trustRecords() throws -> [TrustRecord] {
        records.compactMap { record in
            PeerID(bytes: record.prefix(PeerID.byteCount)).map { peer in
                TrustRecord(peer: peer, bytes: Array(record.dropFirst(PeerID.byteCount)))
            }
        }
    }

    mutating func save(_ record: TrustRecord) throws {
        records.append(record.peer.bytes + record.bytes)
    }

    mutating func deleteTrustRecord(of peer: PeerID) throws {
        records.removeAll { $0.starts(with: peer.bytes) }
    }
}
