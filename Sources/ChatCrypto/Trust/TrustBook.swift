/// Whom one knows, and how far each is trusted: trust on first use, made firm by comparing safety numbers.
///
/// A pure value. An ID certifies its keys, so keys never change under an ID; what can change is which ID stands behind
/// a contact. Each step gives a `TrustChange` that has to be durable before its events are told; work on a copy and
/// keep it once the change is written. Invariant: `strangers` names exactly the peers that are not pinned, the one seen
/// first in front. Source: PROTOCOL §9.
public struct TrustBook: Sendable {
    /// Whose book this is.
    public private(set) var owner: PublicIdentity
    /// What the owner was before.
    private var formerOwners: Set<PeerID>
    private(set) var peers: [PeerID: KnownPeer] = [:]
    private var strangers: [PeerID] = []

    /// Starts an empty book.
    ///
    /// - Parameters:
    ///   - owner: whose it is.
    ///   - formerly: identities that the owner had before.
    public init(owner: PublicIdentity, formerly: [PeerID] = []) {
        self.owner = owner
        formerOwners = Set(formerly)
    }

    /// Takes up the book from storage.
    ///
    /// - Throws: what the storage throws, and `malformed` for a damaged record.
    public init(
        owner: PublicIdentity,
        formerly: [PeerID] = [],
        restoring storage: some TrustStorage
    ) throws {
        self.init(owner: owner, formerly: formerly)
        for record in try storage.trustRecords() {
            let peer = try KnownPeer(decoding: record.bytes)
            guard peer.identity.id == record.peer, peer.isPinned else {
                throw CryptoError(.malformed, "A record stands under another peer's name.")
            }
            peers[record.peer] = peer
        }
    }

    // MARK: - Reading

    /// What is known of a peer; nil if nothing.
    public subscript(id: PeerID) -> KnownPeer? { peers[id] }

    /// How far a peer is trusted.
    public func state(of id: PeerID) -> TrustState { peers[id]?.state ?? .unknown }

    /// Everybody the user decided about, then strangers; by ID within each.
    public var all: [KnownPeer] {
        peers.values.sorted { left, right in
            guard left.isPinned == right.isPinned else { return left.isPinned }
            return left.identity.id < right.identity.id
        }
    }

    /// Everybody the user decided about and who has no successor in place, by ID.
    var contacts: [KnownPeer] {
        peers.values.filter { $0.isPinned && $0.retiredAt == nil }.sorted { $0.identity.id < $1.identity.id }
    }

    /// Everybody with this petname or nickname, whatever the case: pinned ones before strangers.
    public func peers(named name: String) -> [KnownPeer] {
        let wanted = name.lowercased()
        return all.filter { peer in
            peer.retiredAt == nil && [peer.petname, peer.nickname].contains { $0?.text.lowercased() == wanted }
        }
    }

    /// Whether something may be sent to a peer; sending to somebody unknown pins them first.
    public func maySend(to id: PeerID) -> Bool {
        !isOwn(id) && peers[id]?.maySend ?? true
    }

    /// Whether what comes from a peer may be shown.
    public func mayReceive(from id: PeerID) -> Bool {
        guard let peer = peers[id] else { return !isOwn(id) }
        return !isOwn(id) && peer.state != .blocked && peer.state != .revoked && !peer.isPast
    }

    /// Whether this is the owner, or was before.
    public func isOwn(_ id: PeerID) -> Bool { id == owner.id || formerOwners.contains(id) }

    /// Whether an identity took the place of another, by one rotation or several.
    public func isSuccessor(_ id: PeerID, of old: PeerID) -> Bool {
        var next = old
        // No rotation leads back, so a chain is no longer than what is kept.
        for _ in 0..<TrustLimits.maximumRetired {
            guard let peer = peers[next], peer.retiredAt != nil, let successor = peer.successor?.id else {
                return false
            }
            if successor == id { return true }
            next = successor
        }
        return false
    }

    /// The identities whose place a contact has taken.
    public func predecessors(of id: PeerID) -> [PeerID] {
        peers[id]?.settledClaimants.filter { isSuccessor(id, of: $0) } ?? []
    }

    /// Whether a bundle may be used: it offers no less than its owner did before.
    public func accepts(_ bundle: IdentityBundle) -> Bool {
        bundle.highestSuite >= peers[bundle.identity.id]?.highestSuite ?? 0
    }

    // MARK: - Seeing

    /// Notes a bundle that is valid and in its time.
    ///
    /// - Returns: among others the event `suiteDowngrade` if the bundle must not be used.
    public mutating func see(_ bundle: IdentityBundle, at now: UInt32) -> TrustChange {
        let id = bundle.identity.id
        guard !isOwn(id) else { return TrustChange() }
        guard accepts(bundle) else { return TrustChange(events: [.suiteDowngrade(id)]) }
        var change = meet(bundle.identity, at: now)
        guard var peer = peers[id] else { return change }
        let isNewName = peer.nickname != bundle.nickname
        guard isNewName || peer.highestSuite != bundle.highestSuite else { return change }
        peer.rename(petname: peer.petname, nickname: bundle.nickname)
        peer.highestSuite = bundle.highestSuite
        change.append(put(peer))
        if isNewName, let name = bundle.nickname, peer.state != .blocked, peer.state != .revoked {
            change.append(claim(of: name, by: peer))
        }
        return change
    }

    /// Notes an identity that came without a bundle, as the sender of a first flight does.
    public mutating func meet(_ identity: PublicIdentity, at now: UInt32) -> TrustChange {
        guard !isOwn(identity.id), peers[identity.id] == nil else { return TrustChange() }
        peers[identity.id] = KnownPeer(identity: identity, firstSeen: now)
        strangers.append(identity.id)
        if strangers.count > TrustLimits.maximumStrangers { peers[strangers.removeFirst()] = nil }
        return TrustChange(events: [.newPeer(identity.id)])
    }

    /// Notes that the name of a peer looks like a contact's: the contact is `changed`, once for each claimant.
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

    // MARK: - Keeping

    /// Takes up somebody the user never decided about; the claim to a contact's name was judged when it was first made.
    public mutating func restore(_ identity: PublicIdentity, _ bundle: IdentityBundle?, at now: UInt32) {
        _ = meet(identity, at: now)
        guard let bundle, var stranger = peers[identity.id], !stranger.isPinned else { return }
        stranger.rename(petname: stranger.petname, nickname: bundle.nickname)
        stranger.highestSuite = bundle.highestSuite
        _ = put(stranger)
    }

    /// Goes on as another identity's book; what is known of others stays.
    ///
    /// Safety numbers are others from then on. Who was verified stays so: their keys are what was compared.
    public mutating func goOn(as successor: PublicIdentity) -> TrustChange {
        formerOwners.insert(owner.id)
        owner = successor
        return peers[successor.id] == nil ? TrustChange() : remove(successor.id)
    }

    /// Puts a peer's next state in place, and says what that changes in storage.
    mutating func put(_ peer: KnownPeer) -> TrustChange {
        let id = peer.identity.id
        if peer.isPinned, !(peers[id]?.isPinned ?? false) { strangers.removeAll { $0 == id } }
        peers[id] = peer
        guard peer.isPinned else { return TrustChange() }
        return TrustChange(saved: [TrustRecord(peer: id, bytes: peer.encoded())])
    }

    /// Notes that a peer was replaced long ago, for as long as this runs.
    mutating func close(_ id: PeerID) {
        peers[id]?.isPast = true
    }

    /// Forgets a peer.
    mutating func remove(_ id: PeerID) -> TrustChange {
        peers[id] = nil
        strangers.removeAll { $0 == id }
        return TrustChange(deleted: [id])
    }
}
