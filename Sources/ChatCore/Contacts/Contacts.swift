package import ChatCrypto
import SwiftProtobuf

/// The peers of an account with the trust in them, and the identities with which its user talks to them.
///
/// The engine carries out its writes and effects after each call. Source: PROTOCOL §7, §9 and §10.
package struct Contacts: Sendable {
    static let identityName = Array("identity".utf8)
    package static let nodeName = Array("node".utf8)
    package static let historyName = Array("standing".utf8)

    /// The trust in each peer.
    package private(set) var trust: TrustStore
    /// The peers that were seen.
    var peers = KnownPeers()
    /// The user's identities, whose own state is private.
    package internal(set) var history: IdentityHistory
    /// The user's name.
    package private(set) var nickname: String
    /// The profile of the user, as contacts learn it.
    var ownProfile = ProfileStatement()
    /// The hubs at which the user reads mail, as contacts learn them.
    var ownHubs = HubStatement()
    /// The contacts that may add the user to groups without asking.
    package private(set) var groupInviters = GroupInviters.accepted
    /// The numbers of ignored statements of peers by reason, since the node was made.
    package private(set) var ignored: [StatementRefusal: UInt64] = [:]
    /// The records to write.
    var writes: [ContactWrite] = []
    /// The effects, in order.
    var effects: [ContactEffect] = []

    /// Begins with an identity that the store does not have yet.
    init(making identity: Identity, named nickname: Nickname, at now: UInt32) throws {
        trust = TrustStore(owner: identity.publicIdentity)
        history = try IdentityHistory(making: identity, named: nickname, at: now)
        self.nickname = nickname.text
        writes = [.node]
    }

    /// Returns the records to write and removes them.
    mutating func takeWrites() -> [ContactWrite] {
        defer { writes = [] }
        return writes + history.takeWrites()
    }

    /// Returns the effects, in order, and removes them.
    mutating func takeEffects() -> [ContactEffect] {
        defer { effects = [] }
        return effects
    }

    // MARK: - Restoring

    /// Reads the identity in the store; nil if there is none, or it cannot be read.
    package static func storedIdentity(_ seals: SecretSeals, in snapshot: some Snapshot) throws -> Identity? {
        let sealed = try snapshot.record(.identity, identityName)?.plaintext
        return sealed.flatMap { seals.open($0, named: identityName) }.flatMap { try? Identity(importing: $0) }
    }

    /// Restores the stored records.
    ///
    /// - Parameters:
    ///   - sealed: The present identity.
    ///   - secrets: Takes all secrets beside the first identity, which is the only one that groups and rooms know.
    init(
        restoring sealed: [UInt8],
        _ node: ProtoNodeRecord,
        _ seals: SecretSeals,
        in snapshot: some Snapshot,
        at time: ChatTime,
        leaving secrets: inout [StoredRecord]
    ) throws {
        guard let secret = seals.open(sealed, named: Self.identityName) else {
            let reason = "The identity cannot be read. Restore a backup of the data directory. \(ChatError.rescue)"
            throw ChatError(.homeCorrupt, reason)
        }
        let identity = try Identity(importing: secret)
        let stored = try snapshot.message(.settings, Self.historyName, as: ProtoStandingRecord.self) ?? .init()
        let sessions = try seals.sessionRecords(in: snapshot)
        secrets = sessions[0] ?? []
        nickname = node.nickname
        history = try IdentityHistory(
            restoring: stored,
            as: identity,
            named: Nickname(nickname),
            sessions,
            seals,
            in: snapshot,
            at: time
        )
        trust = try TrustStore(
            owner: identity.publicIdentity,
            formerly: stored.pastIDs,
            restoring: StoredTrust(records: try snapshot.rows(.contacts))
        )
        ownProfile = ProfileStatement(node.profile)
        ownHubs = HubStatement(node.hubs) ?? HubStatement()
        groupInviters = GroupInviters(number: node.groupInviters)
        for record in try snapshot.records(.bundles, as: ProtoPeerRecord.self) {
            guard let entry = peers.restore(record) else { continue }
            // Unknown peers are not in the trust store's own records.
            trust.restore(entry.identity, entry.bundle, at: time.seconds)
        }
    }

    /// Restores a peer that only a group's log names.
    mutating func restore(_ identity: PublicIdentity, at now: UInt32) { _ = trust.meet(identity, at: now) }

    // MARK: - Reading

    /// The user's present id.
    var ownID: PeerID { history.sessions.identity.publicIdentity.id }

    /// Whether the user talks to this peer: receipts are sent, messages are no requests.
    func isAccepted(_ peer: PeerID) -> Bool { trust.state(of: peer).isAccepted }

    /// Returns the name of a peer here; the first digits of its id while it has stated none.
    func name(of peer: PeerID) -> String { trust[peer]?.name?.text ?? String(peer.description.prefix(8)) }

    /// Returns a peer as a contact list shows it; nil if trust does not know it.
    ///
    /// - Parameters:
    ///   - wall: Units: milliseconds since 1970.
    ///   - distance: The distance that a path measured within ``ChatLimits/reachableAge``.
    func contact(_ peer: PeerID, at wall: UInt64, distance: (hops: Int?, roundTrip: Duration?)) -> Contact? {
        guard let known = trust[peer] else { return nil }
        return Contact(
            id: peer,
            name: name(of: peer),
            claimedName: known.nickname?.text,
            localName: known.petname?.text,
            trust: known.state,
            identity: known.identity,
            isReachable: peers.isReachable(peer, at: wall),
            lastSeenTime: peers[peer].flatMap { $0.lastSeen > 0 ? Timestamp(clamping: $0.lastSeen) : nil },
            hops: distance.hops,
            roundTrip: distance.roundTrip,
            successor: known.successor?.id,
            claimants: known.claimants,
            profile: known.state.isAccepted ? peers[peer]?.profile.profile ?? Profile() : Profile(),
            hubs: known.state.isAccepted ? peers[peer]?.hubs.hubs.map(\.text) ?? [] : []
        )
    }

    // MARK: - Observing

    /// Notes that a packet came from a peer; returns whether the store has to record it.
    ///
    /// If there are too many peers, the unknown peer not seen for the longest time is forgotten.
    mutating func discover(
        _ identity: PublicIdentity,
        _ bundle: PrekeyBundle?,
        at wall: UInt64,
        hasConversation: (PeerID) -> Bool
    ) -> Bool {
        let forgotten = peers.makeRoom(for: identity.id) { [trust] peer in
            trust.state(of: peer) == .unknown && !hasConversation(peer)
        }
        if let forgotten { writes.append(.peer(forgotten, nil)) }
        let isChange = peers.discover(identity, bundle, at: wall)
        if isChange { writes.append(.peer(identity.id, peers[identity.id]?.record)) }
        return isChange
    }

    /// Judges a prekey bundle that arrived.
    mutating func see(_ bundle: PrekeyBundle, at now: UInt32) {
        let peer = bundle.identity.id
        let earlierName = trust[peer]?.name
        let change = trust.see(bundle, at: now)
        settle(change)
        // An unknown peer has no record, so its new name is no change of trust; it is reported all the same.
        if change.saved.isEmpty, change.events.isEmpty, trust[peer]?.name != earlierName {
            effects.append(.changed(peer))
        }
    }

    /// Notes an identity that arrived without a prekey bundle.
    mutating func meet(_ identity: PublicIdentity, at now: UInt32) { settle(trust.meet(identity, at: now)) }

    // MARK: - Deciding

    /// Carries out the user's decision about a peer.
    mutating func decide(_ decision: TrustDecision, about peer: PeerID, at now: UInt32) throws {
        try judge(peer) { trust throws(CryptoError) in
            switch decision {
            case .accept: try trust.accept(peer, at: now)
            case .block: try trust.block(peer)
            case .unblock: try trust.unblock(peer)
            }
        }
    }

    /// Compares a safety number that the user typed; the right one makes the peer verified.
    mutating func verify(_ peer: PeerID, number: String, at now: UInt32) throws {
        try judge(peer) { trust throws(CryptoError) in try trust.verify(peer, typed: number, at: now) }
    }

    /// Compares a code that the user scanned; the right one makes the peer verified.
    mutating func verify(_ peer: PeerID, scanned code: IdentityCode, at now: UInt32) throws {
        try judge(peer) { trust throws(CryptoError) in try trust.verify(peer, scanned: code, at: now) }
    }

    /// Gives a peer a name of the user's own, or removes it; an unknown peer with a name is a contact from then on.
    package mutating func setLocalName(_ name: Nickname?, of peer: PeerID) throws {
        // Nothing changes: the record of an unknown peer without a name would make it a contact.
        if let known = trust[peer], known.petname == name { return }
        try judge(peer) { trust throws(CryptoError) in try trust.name(peer, name) }
    }

    /// Adds a contact of an export; false for a known one.
    ///
    /// - Parameter isOwn: Whether the export certainly belongs to this node's user.
    package mutating func adopt(
        _ identity: PublicIdentity,
        named name: Nickname?,
        isBlocked: Bool,
        ofOwnExport isOwn: Bool,
        at now: UInt32
    ) -> Bool {
        let change = trust.adopt(identity, named: name, isBlocked: isBlocked, ofOwnExport: isOwn, at: now)
        settle(change)
        return !change.isEmpty
    }

    private mutating func judge(
        _ peer: PeerID,
        _ decide: (inout TrustStore) throws(CryptoError) -> TrustChange
    ) throws {
        let change: TrustChange
        do {
            change = try decide(&trust)
        } catch {
            throw ChatError(error, trust.state(of: peer))
        }
        settle(change)
    }

    /// Applies a change of trust: its records and its effects.
    private mutating func settle(_ change: TrustChange) {
        writes += change.saved.map { .trust($0.peer, $0.bytes) } + change.deleted.map { .trust($0, nil) }
        effects += change.events.map { .trust($0) }
        for peer in Set(change.saved.map(\.peer) + change.events.map(\.peer)).sorted() {
            if isAccepted(peer) { effects.append(.accepted(peer)) }
            if !trust.mayReceive(from: peer) { effects.append(.refused(peer)) }
            effects.append(.changed(peer))
        }
        for event in change.events {
            switch event {
            case .rotated(let old, let new) where !trust.isOwn(new): effects.append(.rotated(old, to: new))
            case .revoked(let peer) where !trust.isOwn(peer):
                history.tearDown(peer)
                effects.append(.revoked(peer))
            case .rotated, .revoked, .newPeer, .verified, .nameCollision, .changed, .suiteDowngrade: break
            }
        }
    }

    // MARK: - Statements

    /// Handles a statement of a peer; a refused one changes nothing but ``ignored``.
    ///
    /// A rotation is accepted only from the identity that it names; any peer may deliver a revocation.
    mutating func take(_ statement: IdentityStatement, from sender: PeerID, at now: UInt32) {
        do throws(CryptoError) {
            switch statement {
            case .rotation(let bytes):
                settle(try trust.apply(try RotationStatement(verifying: bytes), from: sender, at: now))
            case .revocation(let bytes):
                let certificate = try RevocationCertificate(verifying: bytes)
                let id = certificate.identity.id
                // Unknown peers could make any number of identities to have them remembered.
                guard isAccepted(sender) || trust.isOwn(id) || trust[id]?.isPinned == true else {
                    throw CryptoError(.unknownPeer, "You have not decided about this identity.")
                }
                take(certificate, at: now)
            }
        } catch {
            ignored[StatementRefusal(error), default: 0] += 1
        }
    }

    /// Applies a valid certificate, whichever peer delivered it.
    private mutating func take(_ certificate: RevocationCertificate, at now: UInt32) {
        let id = certificate.identity.id
        if id == ownID {
            guard !history.isRevoked else { return }
            history.revoke()
            effects += [.trust(.revoked(id)), .ownRevoked]
        } else if let generation = history.revoke(former: id) {
            // Another person may have its keys and write to it.
            destroy(generation)
        } else {
            settle(trust.apply(certificate, at: now))
        }
    }

    // MARK: - The user's identities

    /// Revokes an identity and announces it to all contacts; returns its id.
    ///
    /// - Parameter certificate: The certificate of any identity; nil for this node's own.
    mutating func revoke(by certificate: RevocationCertificate?, at time: ChatTime) throws -> PeerID {
        try history.checkAnnouncements()
        let certificate = certificate ?? history.revocationCertificate
        take(certificate, at: time.seconds)
        history.announce(.revocation(certificate.bytes), at: time.wall)
        effects.append(.announce)
        return certificate.identity.id
    }

    /// Continues under a new identity.
    mutating func rotate(to new: Identity, at time: ChatTime) throws {
        let old = ownID
        try history.rotate(to: new, named: Nickname(nickname), at: time)
        settle(trust.goOn(as: new.publicIdentity))
        if ownHubs.renew(at: time.wall) { writes.append(.node) }
        // The statement goes first: otherwise the new prekey bundle would look like that of an impostor with the same
        // name.
        effects += [.trust(.rotated(old, to: ownID)), .announce, .publishBundle]
    }

    /// Expires trust records and sessions.
    mutating func expire(at now: UInt32) {
        trust.expire(at: now)
        history.expire(at: now)
    }

    /// Destroys the keys of a former identity, as many records as one call may.
    mutating func destroy(_ generation: UInt32) {
        if history.destroy(generation) { effects.append(.over(generation)) }
    }

    /// The contacts who are notified of this identity, in the order of their ids; a contact that is `changed` is
    /// notified once something may be sent to it.
    var peersToNotify: [PeerID] {
        let recipients = trust.all.filter { $0.retiredAt == nil && ($0.state.isAccepted || $0.state == .changed) }
        return recipients.map(\.identity.id).sorted()
    }

    // MARK: - Sessions

    /// Seals contents in the session of one of the user's identities with a peer; nil while it cannot be sealed.
    mutating func seal(
        _ contents: [[UInt8]],
        as kind: CarrierKind,
        of generation: UInt32,
        to recipient: PublicIdentity,
        at now: UInt32
    ) -> SealedMessage? {
        // A hello never begins a session.
        let bundle = kind == .sealed ? peers[recipient.id]?.bundle : nil
        return history.seal(contents, as: kind, of: generation, to: recipient, bundle: bundle, at: now)
    }

    /// Whether content for a peer can be sealed now.
    func canSeal(to recipient: PublicIdentity, of generation: UInt32, at now: UInt32) -> Bool {
        history.canSeal(to: recipient.id, of: generation, bundle: peers[recipient.id]?.bundle, at: now)
    }

    // MARK: - The user's record

    /// The user's name, profile and settings as the store keeps them.
    var nodeRecord: ProtoNodeRecord {
        var node = ProtoNodeRecord()
        node.nickname = nickname
        if ownProfile.revision > 0 { node.profile = ownProfile.encoded }
        if ownHubs.revision > 0 { node.hubs = ownHubs.encoded }
        node.groupInviters = groupInviters.number
        return node
    }

    /// Changes who may add the user to groups without asking.
    mutating func setGroupInviters(_ inviters: GroupInviters) {
        guard inviters != groupInviters else { return }
        groupInviters = inviters
        writes.append(.node)
    }

    /// Changes the user's name.
    mutating func rename(to nickname: Nickname, at now: UInt32) {
        guard nickname.text != self.nickname else { return }
        self.nickname = nickname.text
        history.rename(to: nickname, at: now)
        writes.append(.node)
        effects.append(.publishBundle)
    }
}
