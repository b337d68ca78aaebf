extension TrustBook {
    /// Pins an unknown peer at first use, as sending to it or answering its request does.
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

    /// The user means this contact in spite of whoever else claims to be it, or lets it go on to its new identity.
    ///
    /// - Throws: `unknownPeer`; `refusedByTrust` for a blocked or revoked one, and for one that has stated several new
    ///   identities, between which only a comparison decides.
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
                        "Several new identities claim to be this contact's: compare the safety number with 'verify'."
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

    /// The number to compare with a peer: of its new identity, where it wants to go on to one.
    ///
    /// - Throws: `unknownPeer`.
    public func safetyNumber(with id: PeerID) throws(CryptoError) -> SafetyNumber {
        let peer = try known(id)
        return SafetyNumber(owner.fingerprint(), (peer.successor ?? peer.identity).fingerprint())
    }

    /// Compares what a person typed with the safety number; the only way to `verified` but a scanned code.
    ///
    /// - Throws: `unknownPeer`; `refusedByTrust` for a blocked or revoked one; `numberMismatch`, and then nothing has
    ///   changed.
    public mutating func verify(
        _ id: PeerID,
        typed number: String,
        at now: UInt32
    ) throws(CryptoError) -> TrustChange {
        let fits = try safetyNumber(with: id).matches(typed: number)
        return try verify(id, fits: fits, at: now)
    }

    /// Compares a code that a person scanned with the ids of both; of a peer that wants to go on to a new identity, with
    /// that.
    ///
    /// - Throws: As for a typed number.
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
        guard fits else { throw CryptoError(.numberMismatch, "The safety number is another.") }
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

    /// The user wants nothing of a peer any more.
    ///
    /// - Throws: `unknownPeer`; `refusedByTrust` for a revoked one.
    public mutating func block(_ id: PeerID) throws(CryptoError) -> TrustChange {
        var peer = try known(id)
        guard peer.state != .revoked else { throw Self.refused(peer.state) }
        guard peer.state != .blocked else { return TrustChange() }
        peer.priorState = peer.state
        peer.state = .blocked
        peer.isPinned = true
        return put(peer)
    }

    /// The user takes a block back; what was verified before has to be compared again.
    ///
    /// - Throws: `unknownPeer`; `refusedByTrust` for one that is not blocked.
    public mutating func unblock(_ id: PeerID) throws(CryptoError) -> TrustChange {
        var peer = try known(id)
        guard peer.state == .blocked else { throw Self.refused(peer.state) }
        // A claim or rotation that was open before the block is open after it.
        peer.state = peer.priorState == .changed ? .changed : .tofu
        peer.priorState = .tofu
        return put(peer)
    }

    /// Gives a contact the user's own name for it, or takes the name away.
    ///
    /// - Throws: `unknownPeer`.
    public mutating func name(_ id: PeerID, _ petname: Nickname?) throws(CryptoError) -> TrustChange {
        var peer = try known(id)
        peer.rename(petname: petname, nickname: peer.nickname)
        peer.isPinned = true
        if peer.state == .unknown { peer.state = .tofu }
        return put(peer)
    }

    /// Takes nothing more of identities that were replaced long enough ago.
    ///
    /// They stay known, so that what they wrote keeps its author and nobody comes back under them.
    ///
    /// - Parameter now: seconds since 1970 by one's own clock.
    public mutating func expire(at now: UInt32) {
        for peer in all {
            guard let retiredAt = peer.retiredAt,
                now.subtractingClamped(retiredAt) > TrustLimits.receiveOnlySeconds
            else { continue }
            close(peer.identity.id)
        }
    }

    func known(_ id: PeerID) throws(CryptoError) -> KnownPeer {
        guard let peer = self[id] else { throw CryptoError(.unknownPeer, "No such peer is known.") }
        return peer
    }

    static func refused(_ state: TrustState) -> CryptoError {
        CryptoError(.refusedByTrust, "The contact is \(state.rawValue).")
    }
}
