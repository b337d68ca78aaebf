package import ChatCrypto

/// What the user decides about a peer.
public enum TrustDecision: String, Sendable, CaseIterable {
    /// Talk to it: a stranger's request is answered, a contact whose name is claimed by another is meant all the same.
    case accept
    /// Want nothing of it any more.
    case block
    /// Take a block back.
    case unblock
}

extension ChatEngine {
    /// Carries out the user's decision about a peer.
    package mutating func decide(
        _ decision: TrustDecision,
        about peer: PeerID
    ) throws {
        let change: TrustChange
        do {
            change =
                switch decision {
                case .accept: try trust.accept(peer, at: step.time.seconds)
                case .block: try trust.block(peer)
                case .unblock: try trust.unblock(peer)
                }
        } catch {
            throw ChatError(error, trust.state(of: peer))
        }
        try settle(change)
        try expectEarlierFiles(of: peer)
        guard decision == .accept else { return }
        try replacePredecessors(of: peer)
        // It may have told of a rotation while it was a stranger.
        if groups.hasUnopened { recallSoon() }
    }

    /// Compares a safety number that the user typed; the right one makes the peer verified.
    package mutating func verify(_ peer: PeerID, number: String) throws {
        let now = step.time.seconds
        try verify(peer) { trust throws(CryptoError) in
            try trust.verify(peer, typed: number, at: now)
        }
    }

    /// Compares a code that the user scanned; the right one makes the peer verified.
    package mutating func verify(_ peer: PeerID, scanned code: IdentityCode)
        throws
    {
        let now = step.time.seconds
        try verify(peer) { trust throws(CryptoError) in
            try trust.verify(peer, scanned: code, at: now)
        }
    }

    private mutating func verify(
        _ peer: PeerID,
        _ compare: (inout TrustBook) throws(CryptoError) -> TrustChange
    ) throws {
        let change: TrustChange
        do {
            change = try compare(&trust)
        } catch {
            throw ChatError(error, trust.state(of: peer))
        }
        try settle(change)
        try expectEarlierFiles(of: peer)
    }

    /// Whether the user talks to this peer: receipts go out, messages are no requests.
    func isAccepted(_ peer: PeerID) -> Bool {
        switch trust.state(of: peer) {
        case .tofu, .verified: true
        case .unknown, .changed, .revoked, .blocked: false
        }
    }

    /// What a peer is called here; the first digits of its id while it has told no name.
    package func name(of peer: PeerID) -> String {
        trust[peer]?.name?.text ?? String(peer.description.prefix(8))
    }

    /// Writes what trust has learned, tells it, and lets go what was waiting for it.
    package mutating func settle(_ change: TrustChange) throws {
        for record in change.saved {
            step.put(.contacts, record.peer.bytes, record.peer.bytes + record.bytes)
        }
        for peer in change.deleted {
            step.delete(.contacts, peer.bytes)
        }
        for event in change.events {
            step.perform(.tell(.trust(event)))
        }
        for peer in Set(change.saved.map(\.peer) + change.events.map(\.peer)).sorted() {
            if isAccepted(peer) { try welcome(peer) }
            if !trust.mayReceive(from: peer) { try refuse(peer) }
            if let contact = contact(peer, at: step.time) {
                step.perform(.tell(.contact(contact)))
            }
        }
        for event in change.events { try follow(event) }
    }

    /// Turns a request into a conversation and lets receipts and messages go.
    private mutating func welcome(_ peer: PeerID) throws {
        if var state = conversations[peer], state.record.request {
            state.record.request = false
            conversations[peer] = state
            step.put(.conversations, peer.bytes, state.record)
        }
        owed.release(peer, at: step.time.monotonic)
        try sealWaiting(for: peer)
    }

    /// Ends what had not left yet for a peer that nothing is sent to any more.
    mutating func refuse(_ peer: PeerID) throws {
        let isRevoked = trust.state(of: peer) == .revoked
        let ending = outbox.inOrder.filter { $0.peer == peer && (isRevoked || $0.envelope == nil) }
        for entry in ending where !step.isFull {
            try fail(entry, .refusedByTrust)
        }
    }

    /// Whether something came from a peer of late.
    ///
    /// - Parameter time: Units: milliseconds since 1970.
    func isReachable(_ peer: PeerID, at time: UInt64) -> Bool {
        let lastSeen = peers[peer]?.lastSeen ?? 0
        return lastSeen > 0 && lastSeen + ChatLimits.reachableAge > time
    }

    /// A peer as a contact list shows it; nil if trust knows nothing of it.
    package func contact(_ peer: PeerID, at time: ChatTime) -> Contact? {
        guard let known = trust[peer]?.identity else { return nil }
        let lastSeen = peers[peer]?.lastSeen ?? 0
        let distance = paths.distances[peer]
        var contact = Contact(
            id: peer,
            name: name(of: peer),
            trust: trust.state(of: peer),
            identity: known,
            isReachable: isReachable(peer, at: time.wall),
            lastSeenTime: lastSeen > 0 ? Timestamp(clamping: lastSeen) : nil,
            hops: distance?.hops,
            roundTrip: distance?.roundTrip
        )
        contact.successor = trust[peer]?.successor?.id
        contact.claimants = trust[peer]?.claimants ?? []
        if isAccepted(peer) { contact.profile = peers[peer]?.profile.profile ?? Profile() }
        return contact
    }
}
