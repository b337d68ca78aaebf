/// The known peers and their trust states: trust on first use, confirmed by a comparison of safety numbers.
///
/// A pure value. An ID certifies its keys, so keys never change under an ID. The ID behind a contact can change. Each
/// step answers a `TrustChange`, which has to be durable before its events are reported. Work on a copy, and keep the
/// copy once the change is written. Invariant: `unknownPeers` names exactly the peers that are not pinned, in the order in
/// which they were first seen. Source: PROTOCOL §9.
public struct TrustStore: Sendable {
    /// The identity that owns this store.
    public private(set) var owner: PublicIdentity
    /// The IDs of the owner's earlier identities.
    private var formerOwners: Set<PeerID>
    private(set) var peers: [PeerID: KnownPeer] = [:]
    private var unknownPeers: [PeerID] = []

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - owner: the identity that owns the store.
    ///   - formerly: the owner's earlier identities.
    public init(owner: PublicIdentity, formerly: [PeerID] = []) {
        self.owner = owner
        formerOwners = Set(formerly)
    }

    /// Restores the store from storage.
    ///
    /// - Throws: the errors of the storage, and `malformed` for a damaged record.
    public init(
        owner: PublicIdentity,
        formerly: [PeerID] = [],
        restoring storage: some TrustStorage
    ) throws {
        self.init(owner: owner, formerly: formerly)
        for record in try storage.trustRecords() {
            let peer = try KnownPeer(decoding: record.bytes)
            guard peer.identity.id == record.peer, peer.isPinned else {
                throw CryptoError(.malformed, "A record has the name of another peer.")
            }
            peers[record.peer] = peer
        }
    }

    // MARK: - Reading

    /// The entry of a peer; nil if the peer is unknown.
    public subscript(id: PeerID) -> KnownPeer? { peers[id] }

    /// Answers the trust state of a peer.
    public func state(of id: PeerID) -> TrustState { peers[id]?.state ?? .unknown }

    /// All pinned peers, then all others, each ordered by ID.
    public var all: [KnownPeer] {
        peers.values.sorted { left, right in
            guard left.isPinned == right.isPinned else { return left.isPinned }
            return left.identity.id < right.identity.id
        }
    }

    /// All pinned peers that were not replaced, ordered by ID.
    var contacts: [KnownPeer] {
        peers.values.filter { $0.isPinned && $0.retiredAt == nil }.sorted { $0.identity.id < $1.identity.id }
    }

    /// Finds the peers with this petname or nickname, in any case of letters: pinned ones first.
    ///
    /// Replaced peers are left out.
    public func peers(named name: String) -> [KnownPeer] {
        let wanted = name.lowercased()
        return all.filter { peer in
            peer.retiredAt == nil && [peer.petname, peer.nickname].contains { $0?.text.lowercased() == wanted }
        }
    }

    /// Whether messages may be sent to a peer; the first message to an unknown peer pins it.
    public func maySend(to id: PeerID) -> Bool {
        !isOwn(id) && peers[id]?.maySend ?? true
    }

    /// Whether messages from a peer may be shown.
    public func mayReceive(from id: PeerID) -> Bool {
        guard let peer = peers[id] else { return !isOwn(id) }
        return !isOwn(id) && peer.state != .blocked && peer.state != .revoked && !peer.isPast
    }

    /// Whether this is the owner's identity, or an earlier one.
    public func isOwn(_ id: PeerID) -> Bool { id == owner.id || formerOwners.contains(id) }

    /// Whether an identity replaced another, by one rotation or several.
    public func isSuccessor(_ id: PeerID, of old: PeerID) -> Bool {
        var next = old
        // No rotation leads back, so a chain is no longer than the number of replaced identities that are kept.
        for _ in 0..<TrustLimits.maximumRetired {
            guard let peer = peers[next], peer.retiredAt != nil, let successor = peer.successor?.id else {
                return false
            }
            if successor == id { return true }
            next = successor
        }
        return false
    }

    /// The identities that a contact has replaced.
    public func predecessors(of id: PeerID) -> [PeerID] {
        peers[id]?.settledClaimants.filter { isSuccessor(id, of: $0) } ?? []
    }

    /// Whether a bundle may be used: its version is not below that of the owner's earlier bundles.
    public func accepts(_ bundle: PrekeyBundle) -> Bool {
        bundle.version >= peers[bundle.identity.id]?.highestBundleVersion ?? 0
    }

    // MARK: - Seeing

    /// Notes a bundle that is valid and within its validity period.
    ///
    /// - Returns: a change. It has the event `suiteDowngrade` if the bundle must not be used.
    public mutating func see(_ bundle: PrekeyBundle, at now: UInt32) -> TrustChange {
        let id = bundle.identity.id
        guard !isOwn(id) else { return TrustChange() }
        guard accepts(bundle) else { return TrustChange(events: [.suiteDowngrade(id)]) }
        var change = meet(bundle.identity, at: now)
        guard var peer = peers[id] else { return change }
        let isNewName = peer.nickname != bundle.nickname
        guard isNewName || peer.highestBundleVersion != bundle.version else { return change }
        peer.rename(petname: peer.petname, nickname: bundle.nickname)
        peer.highestBundleVersion = bundle.version
        change.append(put(peer))
        if isNewName, let name = bundle.nickname, peer.state != .blocked, peer.state != .revoked {
            change.append(claim(of: name, by: peer))
        }
        return change
    }

    /// Notes an identity without a bundle, for example the sender of a prekey message.
    public mutating func meet(_ identity: PublicIdentity, at now: UInt32) -> TrustChange {
        guard !isOwn(identity.id), peers[identity.id] == nil else { return TrustChange() }
        peers[identity.id] = KnownPeer(identity: identity, firstSeen: now)
        unknownPeers.append(identity.id)
        if unknownPeers.count > TrustLimits.maximumUnknownPeers { peers[unknownPeers.removeFirst()] = nil }
        return TrustChange(events: [.newPeer(identity.id)])
    }

    /// Notes that a peer's name looks like a contact's; the contact becomes `changed`, once for each claimant.
    private mutating func claim(of name: Nickname, by claimant: KnownPeer) -> TrustChange {
        var change = TrustChange()
        let id = claimant.identity.id
        for var contact in contacts where contact.identity.id != id && contact.successor?.id != id {
            guard contact.isNamed(name), !contact.settledClaimants.contains(id), !contact.claimants.contains(id) else {
                continue
            }
            guard contact.state == .tofu || contact.state == .verified else {
                change.events.append(.nameCollision(contact.identity.id, claimant: id))
                continue
            }
            contact.claimants = (contact.claimants + [id]).suffix(TrustLimits.maximumClaimants)
            contact.priorState = contact.state
            contact.state = .changed
            change.append(put(contact))
            change.events.append(.changed(contact.identity.id, claimant: id))
        }
        return change
    }

    // MARK: - Persistence

    /// Restores an unknown peer; its claim to a contact's name was judged when it was first made.
    public mutating func restore(_ identity: PublicIdentity, _ bundle: PrekeyBundle?, at now: UInt32) {
        _ = meet(identity, at: now)
        guard let bundle, var unknownPeer = peers[identity.id], !unknownPeer.isPinned else { return }
        unknownPeer.rename(petname: unknownPeer.petname, nickname: bundle.nickname)
        unknownPeer.highestBundleVersion = bundle.version
        _ = put(unknownPeer)
    }

    /// Moves the store to another identity of the owner; the entries of other peers stay.
    ///
    /// The safety numbers change. Verified peers stay verified, because their keys were compared.
    public mutating func goOn(as successor: PublicIdentity) -> TrustChange {
        formerOwners.insert(owner.id)
        owner = successor
        return peers[successor.id] == nil ? TrustChange() : remove(successor.id)
    }

    /// Replaces a peer's entry and answers the change of the stored records.
    mutating func put(_ peer: KnownPeer) -> TrustChange {
        let id = peer.identity.id
        if peer.isPinned, !(peers[id]?.isPinned ?? false) { unknownPeers.removeAll { $0 == id } }
        peers[id] = peer
        guard peer.isPinned else { return TrustChange() }
        return TrustChange(saved: [TrustRecord(peer: id, bytes: peer.encoded())])
    }

    /// Marks a peer as replaced long ago, until the program ends.
    mutating func close(_ id: PeerID) {
        peers[id]?.isPast = true
    }

    /// Removes a peer from the store.
    mutating func remove(_ id: PeerID) -> TrustChange {
        peers[id] = nil
        unknownPeers.removeAll { $0 == id }
        return TrustChange(deleted: [id])
    }
}
