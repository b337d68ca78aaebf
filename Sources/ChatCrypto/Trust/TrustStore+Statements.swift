extension TrustStore {
    /// Applies a rotation that arrived over a session.
    ///
    /// A contact that was never verified moves at once. A verified contact waits as `changed` for the user, because a
    /// thief of the old key could have made the statement. `verified` is never carried over.
    ///
    /// - Parameters:
    ///   - statement: the rotation.
    ///   - sender: the peer of the session on which the statement arrived. Only the old identity itself may send it.
    ///   - now: seconds since 1970 by the local clock.
    /// - Throws: `unknownPeer`; `authenticationFailed` for a wrong signature or sender; `outOfBounds` for a counter
    ///   that was used or is ahead of the clock; `refusedByTrust` if the old or the new identity must not continue.
    public mutating func apply(
        _ statement: RotationStatement,
        from sender: PeerID,
        at now: UInt32
    ) throws(CryptoError) -> TrustChange {
        var peer = try known(statement.oldID)
        let new = statement.newIdentity
        guard sender == statement.oldID, statement.isSigned(by: peer.identity) else {
            throw CryptoError(.authenticationFailed, "The rotation does not come from its old identity.")
        }
        let isNewer = statement.counter > peer.rotationCounter
        // A rival of a waiting successor is reported even if it is older: the waiting one may be a thief's.
        let isRival = peer.state == .changed && peer.successor.map { $0.id != new.id } ?? false
        guard isNewer || isRival && !peer.isContested else {
            throw CryptoError(.outOfBounds, "The rotation is older than a known one.")
        }
        // A counter from far ahead would exclude all later ones.
        guard statement.counter <= now.addingClamped(TrustLimits.maximumCounterLead) else {
            throw CryptoError(.outOfBounds, "The rotation's counter is ahead of the clock.")
        }
        // A move to a revoked identity is allowed too, so that the order of rotation and revocation does not matter.
        let isOver = state(of: new.id) == .revoked && self[new.id]?.retiredAt == nil && !isOwn(new.id)
        guard peer.retiredAt == nil, isOver || mayGoOn(to: new.id) else { throw Self.refused(.changed) }
        if isRival { peer.isContested = true }
        guard isNewer else {
            var change = put(peer)
            change.events.append(.changed(statement.oldID, claimant: new.id))
            return change
        }
        peer.rotationCounter = statement.counter
        switch peer.state {
        case .unknown, .revoked, .blocked:
            throw Self.refused(peer.state)
        case .tofu:
            return move(peer, to: new, state: .tofu, at: now)
        case .changed where peer.priorState == .tofu && peer.successor == nil:
            // The new bundle arrived before the statement. If anything else has changed the contact, the user still
            // decides: other identities claim the name, or an earlier identity is revoked.
            return move(peer, to: new, state: peer.claimants == [new.id] ? .tofu : .changed, at: now)
        case .verified, .changed:
            if peer.state == .verified { peer.priorState = .verified }
            peer.state = .changed
            peer.successor = new
            var change = put(peer)
            change.events.append(.changed(statement.oldID, claimant: new.id))
            return change
        }
    }

    /// Whether a contact may move to an identity.
    ///
    /// It may not be one of the owner's, blocked, revoked or replaced itself, so that no chain leads back.
    func mayGoOn(to id: PeerID) -> Bool { mayReceive(from: id) && self[id]?.retiredAt == nil }

    /// Applies a revocation from any peer.
    ///
    /// The holder of the revoked key may also have made its rotation. A contact that was reached by this rotation and
    /// never compared is therefore `changed` until the user decides, as if the revocation had arrived first.
    public mutating func apply(_ certificate: RevocationCertificate, at now: UInt32) -> TrustChange {
        guard !isOwn(certificate.identity.id) else { return TrustChange() }
        var change = meet(certificate.identity, at: now)
        guard var peer = self[certificate.identity.id], peer.state != .revoked else { return change }
        let contact = peer.retiredAt == nil ? nil : self[last(after: peer)]
        peer.priorState = peer.state
        peer.state = .revoked
        // The peer is kept even if the user never decided about it: a revoked key must not return as an unknown peer.
        peer.isPinned = true
        peer.successor = nil
        peer.isContested = false
        if peer.priorState == .unknown { change.append(makeRoomForRevoked()) }
        change.append(put(peer))
        change.events.append(.revoked(certificate.identity.id))
        guard var contact, contact.state == .tofu else { return change }
        contact.priorState = .tofu
        contact.state = .changed
        change.append(put(contact))
        change.events.append(.changed(contact.identity.id, claimant: certificate.identity.id))
        return change
    }

    /// Follows the successors of a replaced identity to the last one.
    private func last(after peer: KnownPeer) -> PeerID {
        var last = peer
        while last.retiredAt != nil, let next = last.successor.flatMap({ self[$0.id] }) { last = next }
        return last.identity.id
    }

    private mutating func makeRoomForRevoked() -> TrustChange {
        let unknownPeers = all.filter { $0.state == .revoked && $0.priorState == .unknown }
        guard unknownPeers.count >= TrustLimits.maximumRevokedUnknownPeers,
            let oldest = unknownPeers.min(by: { $0.firstSeen < $1.firstSeen })
        else { return TrustChange() }
        return remove(oldest.identity.id)
    }

    private mutating func makeRoomForRetired() -> TrustChange {
        let retired = all.filter { $0.retiredAt != nil }
        guard retired.count >= TrustLimits.maximumRetired,
            let oldest = retired.min(by: { ($0.retiredAt ?? 0) < ($1.retiredAt ?? 0) })
        else { return TrustChange() }
        return remove(oldest.identity.id)
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
        // A successor that is a contact already keeps its open decision or its comparison.
        let keepsState = next.isPinned && state != .verified && (next.state == .verified || next.state == .changed)
        if !keepsState, next.state != .revoked { next.state = state }
        next.isPinned = true
        next.rename(petname: next.petname ?? old.petname, nickname: next.nickname ?? old.nickname)
        next.rotationCounter = max(next.rotationCounter, old.rotationCounter)
        let claimants = old.claimants.filter { $0 != successor.id }
        if next.state == .changed, state == .changed {
            next.priorState = .tofu
            next.claimants = claimants
        }
        let settled = state == .changed ? [] : claimants
        next.settledClaimants = (next.settledClaimants + old.settledClaimants + settled + [old.identity.id])
            .filter { $0 != successor.id }.suffix(TrustLimits.maximumClaimants)
        var retired = old
        retired.successor = successor
        retired.isContested = false
        retired.retiredAt = now
        if retired.state == .changed {
            // The user, or the statement itself, has settled the claim.
            retired.state = .tofu
            retired.settleClaimants()
        }
        change.append(makeRoomForRetired())
        change.append(put(retired))
        change.append(put(next))
        change.events.append(.rotated(old.identity.id, to: successor.id))
        return change
    }
}
