extension TrustStore {
    /// Pins an unknown peer at first use: when the user sends to it or answers its request.
    ///
    /// - Throws: `unknownPeer`.
    public mutating func pin(_ id: PeerID) throws(CryptoError) -> TrustChange {
        var peer = try known(id)
        guard peer.state == .unknown else { return TrustChange() }
        peer.state = .tofu
        peer.isPinned = true
        var change = put(peer)
        for other in all where other.identity.id != id && !peer.skeletons.isDisjoint(with: other.skeletons) {
            change.events.append(.nameCollision(id, claimant: other.identity.id))
        }
        return change
    }

    /// Confirms a contact against other claimants of its name, or lets it continue under its new identity.
    ///
    /// - Throws: `unknownPeer`; `refusedByTrust` for a blocked or revoked contact, and for one that has named several
    ///   new identities, between which only a comparison decides.
    public mutating func accept(_ id: PeerID, at now: UInt32) throws(CryptoError) -> TrustChange {
        var peer = try known(id)
        switch peer.state {
        case .unknown: return try pin(id)
        case .tofu, .verified: return TrustChange()
        case .blocked, .revoked: throw Self.refused(peer.state)
        case .changed:
            if let successor = peer.successor {
                guard !peer.isContested else {
                    throw CryptoError(
                        .refusedByTrust,
                        "Several new identities claim to be this contact's. Compare the safety number with 'verify'."
                    )
                }
                guard mayGoOn(to: successor.id) else { throw Self.refused(state(of: successor.id)) }
                return move(peer, to: successor, state: .tofu, at: now)
            }
            peer.state = .tofu
            peer.settleClaimants()
            return put(peer)
        }
    }

    /// Computes the number to compare with a peer.
    ///
    /// If the peer wants to continue under a new identity, the number is that of the new identity.
    ///
    /// - Throws: `unknownPeer`.
    public func safetyNumber(with id: PeerID) throws(CryptoError) -> SafetyNumber {
        let peer = try known(id)
        return SafetyNumber(owner.fingerprint(), (peer.successor ?? peer.identity).fingerprint())
    }

    /// Compares a typed number with the safety number; only this method and a scanned code lead to `verified`.
    ///
    /// - Throws: `unknownPeer`; `refusedByTrust` for a blocked, revoked or replaced peer; `numberMismatch`, and then
    ///   nothing has changed.
    public mutating func verify(
        _ id: PeerID,
        typed number: String,
        at now: UInt32
    ) throws(CryptoError) -> TrustChange {
        let fits = try safetyNumber(with: id).matches(typed: number)
        return try verify(id, fits: fits, at: now)
    }

    /// Compares a scanned code with the IDs of both sides.
    ///
    /// If the peer wants to continue under a new identity, the code must show that one.
    ///
    /// - Throws: the same errors as for a typed number.
    public mutating func verify(
        _ id: PeerID,
        scanned code: IdentityCode,
        at now: UInt32
    ) throws(CryptoError) -> TrustChange {
        let peer = try known(id)
        let fits = code.id == (peer.successor ?? peer.identity).id && code.audience.map { $0 == owner.id } ?? true
        return try verify(id, fits: fits, at: now)
    }

    private mutating func verify(_ id: PeerID, fits: Bool, at now: UInt32) throws(CryptoError) -> TrustChange {
        var peer = try known(id)
        guard peer.state != .blocked, peer.state != .revoked, peer.retiredAt == nil else {
            throw Self.refused(peer.state)
        }
        guard fits else { throw CryptoError(.numberMismatch, "The safety number is different.") }
        if let successor = peer.successor {
            guard mayGoOn(to: successor.id) else { throw Self.refused(state(of: successor.id)) }
            var change = move(peer, to: successor, state: .verified, at: now)
            change.events.append(.verified(successor.id))
            return change
        }
        peer.state = .verified
        peer.isPinned = true
        peer.settleClaimants()
        var change = put(peer)
        change.events.append(.verified(id))
        return change
    }

    /// Blocks a peer.
    ///
    /// - Throws: `unknownPeer`; `refusedByTrust` for a revoked peer.
    public mutating func block(_ id: PeerID) throws(CryptoError) -> TrustChange {
        var peer = try known(id)
        guard peer.state != .revoked else { throw Self.refused(peer.state) }
        guard peer.state != .blocked else { return TrustChange() }
        peer.priorState = peer.state
        peer.state = .blocked
        peer.isPinned = true
        return put(peer)
    }

    /// Unblocks a peer; a peer that was verified before has to be compared again.
    ///
    /// - Throws: `unknownPeer`; `refusedByTrust` for a peer that is not blocked.
    public mutating func unblock(_ id: PeerID) throws(CryptoError) -> TrustChange {
        var peer = try known(id)
        guard peer.state == .blocked else { throw Self.refused(peer.state) }
        // A claim or rotation that was open before the block stays open after it.
        peer.state = peer.priorState == .changed ? .changed : .tofu
        peer.priorState = .tofu
        return put(peer)
    }

    /// Gives a contact a petname, or removes it.
    ///
    /// - Throws: `unknownPeer`.
    public mutating func name(_ id: PeerID, _ petname: Nickname?) throws(CryptoError) -> TrustChange {
        var peer = try known(id)
        peer.rename(petname: petname, nickname: peer.nickname)
        peer.isPinned = true
        if peer.state == .unknown { peer.state = .tofu }
        return put(peer)
    }

    /// Stops accepting messages of identities that were replaced long enough ago.
    ///
    /// These identities stay known, so that their messages keep their author and no other party returns under them.
    ///
    /// - Parameter now: seconds since 1970 by the local clock.
    public mutating func expire(at now: UInt32) {
        for peer in all {
            guard let retiredAt = peer.retiredAt,
                now.subtractingClamped(retiredAt) > TrustLimits.receiveOnlySeconds
            else { continue }
            close(peer.identity.id)
        }
    }

    func known(_ id: PeerID) throws(CryptoError) -> KnownPeer {
        guard let peer = self[id] else { throw CryptoError(.unknownPeer, "The peer is unknown.") }
        return peer
    }

    static func refused(_ state: TrustState) -> CryptoError {
        CryptoError(.refusedByTrust, "The contact is \(state.rawValue).")
    }
}
