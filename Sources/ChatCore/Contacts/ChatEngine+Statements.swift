import ChatCrypto
import MeshCore

/// What peers state of identities.
extension ChatEngine {
    /// Takes a statement out of a session; one that does not count changes nothing and is counted.
    ///
    /// Where it is to go on from, a rotation's sender alone says; a revocation is anybody's to bring.
    mutating func take(
        _ statement: IdentityStatement,
        from sender: PeerID
    ) throws {
        // Identities of rooms are gone with their rooms, and nobody's contacts.
        guard room == nil else { return }
        switch statement {
        case .rotation(let bytes):
            let change: TrustChange
            do throws(CryptoError) {
                let rotation = try RotationStatement(verifying: bytes)
                change = try trust.apply(rotation, from: sender, at: step.time.seconds)
            } catch {
                return ignore(error)
            }
            try settle(change)
        case .revocation(let bytes):
            let certificate: RevocationCertificate
            do throws(CryptoError) {
                certificate = try RevocationCertificate(verifying: bytes)
            } catch {
                return ignore(error)
            }
            let id = certificate.identity.id
            // Strangers could make any number of identities to have them remembered.
            guard isAccepted(sender) || trust.isOwn(id) || trust[id]?.isPinned == true else {
                return ignore(CryptoError(.unknownPeer, "Nobody here has decided about this identity."))
            }
            try take(certificate)
        }
    }

    private mutating func ignore(_ error: CryptoError) {
        standing.ignored[StatementRefusal(error), default: 0] += 1
    }

    /// Deals with what a stranger states, leaving no session behind; false if it is none.
    ///
    /// A rotation is left unopened: the one that leads to its sender may be on its way, and then it is found again.
    mutating func takeFromStranger(
        _ statement: IdentityStatement,
        from sender: PeerID
    ) throws -> Bool {
        guard room != nil || trust.state(of: sender) == .unknown else { return false }
        switch statement {
        case .rotation: groups.hasUnopened = true
        case .revocation: try take(statement, from: sender)
        }
        return true
    }

    /// What follows from what trust has learned.
    mutating func follow(_ event: TrustEvent) throws {
        switch event {
        case .rotated(let old, let new) where !trust.isOwn(new):
            inherit(from: old, to: new)
            try replacePredecessors(of: new)
            // The new identity may have gone on itself, and its word have come first.
            recallSoon()
        case .revoked(let peer) where !trust.isOwn(peer):
            tearDownSessions(with: peer)
            try expel(peer)
        case .rotated, .revoked, .newPeer, .verified, .nameCollision, .changed, .suiteDowngrade: break
        }
    }

    /// What the user wants of a conversation holds for that with the same person's new identity too.
    private mutating func inherit(from old: PeerID, to new: PeerID) {
        guard let before = conversations[old]?.record else { return }
        var state = conversations[new] ?? newConversation(with: new)
        if state.record.timerRevision == 0 {
            state.record.timerSeconds = before.timerSeconds
            state.record.timerRevision = before.timerRevision
            state.record.timerID = before.timerID
        }
        state.record.mutedUntil = max(state.record.mutedUntil, before.mutedUntil)
        conversations[new] = state
        step.put(.conversations, new.bytes, state.record)
    }
}
