extension TrustBook {
    /// Applies a rotation that came over a session.
    ///
    /// A contact that was never verified goes on at once; a verified one waits as `changed` for the user, since a thief
    /// of the old key could have made the statement. `verified` is never carried over.
    ///
    /// - Parameter sender: whose session it came on; only the old identity itself may bring it.
    /// - Throws: `unknownPeer`; `authenticationFailed` for a wrong signature or sender; `outOfBounds` for a counter that
    ///   was used; `refusedByTrust` where the old or the new identity is not one to go on with.
    public mutating func apply(
        _ statement: RotationStatement,
        from sender: PeerID,
        at now: UInt32
    ) throws(CryptoError) -> TrustChange {
        var peer = try known(statement.oldID)
        let new = statement.newIdentity
        guard sender == statement.oldID, statement.isSigned(by: peer.identity) else {
            throw CryptoError(.authenticationFailed, "The rotation is not its old identity's.")
        }
        guard statement.counter > peer.rotationCounter else {
            throw CryptoError(.outOfBounds, "The rotation is an old one.")
        }
        guard peer.retiredAt == nil, new.id != owner.id, mayReceive(from: new.id) else { throw Self.refused(.changed) }
        peer.rotationCounter = statement.counter
        switch peer.state {
        case .unknown, .revoked, .blocked:
            throw Self.refused(peer.state)
        case .tofu:
            return move(peer, to: new, state: .tofu, at: now)
        case .changed where peer.priorState == .tofu && peer.claimants == [new.id] && peer.successor == nil:
            // Its new bundle was heard of before the statement came.
            return move(peer, to: new, state: .tofu, at: now)
        case .verified, .changed:
            if peer.state == .verified { peer.priorState = .verified }
            peer.state = .changed
            peer.successor = new
            var change = put(peer)
            change.events.append(.changed(statement.oldID, claimant: new.id))
            return change
        }
    }

    /// Applies a revocation, whoever brought it.
    public mutating func apply(_ certificate: RevocationCertificate, at now: UInt32) -> TrustChange {
        guard certificate.identity.id != owner.id else { return TrustChange() }
        var change = meet(certificate.identity, at: now)
        guard var peer = self[certificate.identity.id], peer.state != .revoked else { return change }
        peer.priorState = peer.state
        peer.state = .revoked
        // Kept even for somebody the user never decided about: a revoked key must not come back as a stranger.
        peer.isPinned = true
        peer.successor = nil
        change.append(put(peer))
        change.events.append(.revoked(certificate.identity.id))
        return change
    }

    /// Puts the successor in the contact's place; the old identity stays for late messages.
    mutating func move(
        _ old: KnownPeer,
        to successor: PublicIdentity,
        state: TrustState,
        at now: UInt32
    ) -> TrustChange {
        var change = meet(successor, at: now)
        change.events = []
        guard var next = self[successor.id] else { return change }
        // A contact in its own right keeps what the user still has to decide, or has compared.
        let keepsState = next.isPinned && state != .verified && (next.state == .verified || next.state == .changed)
        if !keepsState { next.state = state }
        next.isPinned = true
        next.rename(petname: next.petname ?? old.petname, nickname: next.nickname ?? old.nickname)
        next.rotationCounter = max(next.rotationCounter, old.rotationCounter)
        next.settledClaimants = (next.settledClaimants + old.settledClaimants + old.claimants + [old.identity.id])
            .filter { $0 != successor.id }.suffix(TrustLimits.maximumClaimants)
        var retired = old
        retired.successor = successor
        retired.retiredAt = now
        change.append(put(retired))
        change.append(put(next))
        change.events.append(.rotated(old.identity.id, to: successor.id))
        return change
    }
}
