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
        in transaction: inout ChatTransaction
    ) throws {
        let identity = backup ?? Identity()
        let (sessions, change) = try SessionTable.restore(
            [],
            identity: identity,
            nickname: nickname,
            at: transaction.time.seconds
        )
        self.init(
            nickname: nickname.text,
            records: seals,
            sessions: sessions,
            trust: TrustBook(owner: identity.publicIdentity)
        )
        self.room = room
        putIdentity(identity, in: &transaction)
        putNodeRecord(in: &transaction)
        seals.write(change, in: &transaction)
    }

    /// The identity that the store holds; nil if there is none, or it cannot be read.
    package static func storedIdentity(_ seals: SecretSeals, in transaction: ChatTransaction) throws -> Identity? {
        let sealed = try transaction.record(.identity, identityName)?.plaintext
        return sealed.flatMap { seals.open($0, named: identityName) }.flatMap { try? Identity(importing: $0) }
    }

    /// Writes the present identity down.
    func putIdentity(_ identity: Identity, in transaction: inout ChatTransaction) {
        let sealed = records.seal(identity.exported(), named: Self.identityName)
        transaction.put(.identity, Self.identityName, sealed)
    }

    /// Takes up what the store holds; nil if no identity was ever made in it.
    ///
    /// - Parameter room: What is known of the room that this is the engine of.
    package init?(restoring seals: SecretSeals, of room: RoomPart? = nil, in transaction: inout ChatTransaction) throws
    {
        let erased = try Self.interruptedErasures(in: transaction)
        guard let sealed = try transaction.record(.identity, Self.identityName)?.plaintext,
            let node = try transaction.message(.settings, Self.nodeName, as: ProtoNodeRecord.self)
        else { return nil }
        guard let secret = seals.open(sealed, named: Self.identityName) else {
            let reason = "The identity cannot be read: restore a backup of this home. \(ChatError.rescue)"
            throw ChatError(.homeCorrupt, reason)
        }
        let identity = try Identity(importing: secret)
        let standing = try transaction.message(.settings, Self.standingName, as: ProtoStandingRecord.self) ?? .init()
        let secrets = try seals.sessionRecords(in: transaction)
        let (sessions, change) = try SessionTable.restore(
            secrets[standing.generation]?.filter { $0.id.kind.isOfSessions } ?? [],
            identity: identity,
            nickname: try Nickname(node.nickname),
            at: transaction.time.seconds
        )
        self.init(
            nickname: node.nickname,
            records: seals,
            sessions: sessions,
            trust: try TrustBook(
                owner: identity.publicIdentity,
                formerly: standing.pastIDs,
                restoring: StoredTrust(records: try transaction.all(.contacts))
            )
        )
        seals.write(change, of: standing.generation, in: &transaction)
        try restoreStanding(standing, secrets, in: &transaction)
        ownProfile = ProfileStatement(node.profile)
        setWatched(node.watched)
        self.room = room
        // Groups and rooms know one identity alone.
        let stored = secrets[0] ?? []
        if room != nil, let record = stored.first(where: { $0.id.kind == .roomHost }) {
            self.room?.host = try RoomHost(restoring: record, as: identity, at: transaction.time.seconds)
        }
        try restorePeers(in: transaction)
        try restoreBlobs(in: transaction)
        try restoreOutbox(in: transaction)
        try restoreHeld(in: transaction)
        try restoreEarly(in: transaction)
        try restoreTimers(in: transaction)
        try restoreWishes(in: transaction)
        try restoreGroups(stored, in: transaction)
        for conversation in erased { try erase(conversation, in: &transaction) }
    }

    private mutating func restorePeers(in transaction: ChatTransaction) throws {
        startedAt = transaction.time.wall
        doubted = Set(sessions.peerIDs)
        for bytes in try transaction.all(.bundles) {
            guard let record = try? ProtoPeerRecord(serializedBytes: bytes),
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
            trust.restore(identity, bundle, at: transaction.time.seconds)
        }
        for bytes in try transaction.all(.conversations) {
            guard let record = try? ProtoConversationRecord(serializedBytes: bytes),
                let peer = PeerID(bytes: record.peer)
            else { continue }
            conversations[peer] = ConversationState(restoring: record)
        }
    }

    private mutating func restoreOutbox(in transaction: ChatTransaction) throws {
        let stored = try transaction.all(.outbox).compactMap { try? ProtoOutboxRecord(serializedBytes: $0) }
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
            let message = try transaction.message(.messages, id.bytes, as: ProtoMessageRecord.self)
            entry.status = DeliveryStatus(rank: Int(message?.status ?? 0), failure: "")
            outbox.add(entry)
        }
    }

    private mutating func restoreHeld(in transaction: ChatTransaction) throws {
        let now = transaction.time.monotonic
        for bytes in try transaction.all(.held) {
            guard let record = try? ProtoMessageRecord(serializedBytes: bytes), let id = MessageID(bytes: record.id),
                let peer = PeerID(bytes: record.conversation),
                let content = MessageContent.decode([UInt8](record.content))
            else { continue }
            held.hold(HoldBack.Held(order: content.order, id: id, since: now), of: peer)
        }
        for bytes in try transaction.all(.owed) {
            guard let record = try? ProtoOwedRecord(serializedBytes: bytes), let id = MessageID(bytes: record.message),
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
