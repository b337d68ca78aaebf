import ChatCrypto
import MeshCore

/// The next owner of a group: by handover, or by takeover of a successor after a long silence of the owner.
///
/// Source: PROTOCOL §16.5.
extension Membership {
    /// Asks a member to own the group; the handover follows the member's answer.
    mutating func transferOwnership(_ group: GroupID, to peer: PeerID, among sources: some MembershipSources) throws {
        let member = try nextOwner(peer, of: group, among: sources)
        change(group) { $0.handover = peer }
        touch(group)
        send(.wantsOwnerKey(group), to: member)
    }

    /// Asks a member to be the successor; the policy names them once they have answered.
    ///
    /// Nil withdraws the right.
    mutating func setSuccessor(_ peer: PeerID?, of group: GroupID, among sources: some MembershipSources) throws {
        guard let peer else {
            let policy = try ownedSession(group, among: sources).log.policy
            change(group) { $0.successor = nil }
            touch(group)
            guard policy.successor != nil else { return }
            return try perform([.policy(policy.with(successor: nil))], in: group, among: sources)
        }
        let member = try nextOwner(peer, of: group, among: sources)
        change(group) { $0.successor = peer }
        touch(group)
        send(.wantsOwnerKey(group), to: member)
    }

    /// Checks that this node owns the group and that the peer is another member.
    private func nextOwner(
        _ peer: PeerID,
        of group: GroupID,
        among sources: some MembershipSources
    ) throws -> PublicIdentity {
        let session = try ownedSession(group, among: sources)
        guard session.log.fork == nil else { throw ChatError.groupFrozen }
        guard peer != sources.contacts.ownID else { throw ChatError(.notFound, "You already own the group.") }
        guard let member = session.recipients.first(where: { $0.identity.id == peer }) else {
            throw ChatError.noSuchMember
        }
        return member.identity
    }

    /// Handles the key with which a member would own the group.
    mutating func receiveKey(
        _ key: [UInt8],
        of member: PeerID,
        in session: GroupSession,
        among sources: some MembershipSources
    ) {
        let group = session.id
        guard session.isOwner, let state = states[group], [state.handover, state.successor].contains(member) else {
            return
        }
        // Once the owner is sure, it requests the key again.
        guard isSure(of: group, among: sources) else { return confirm(group, among: sources) }
        if state.handover == member {
            change(group) { ($0.handover, $0.successor) = (nil, nil) }
            return performIfPossible([.handover(member, signingKey: key)], in: group, among: sources)
        }
        change(group) { $0.successor = nil }
        touch(group)
        let slot = session.log.table.slot(of: member)
        guard let successor = slot.flatMap({ GroupPolicy.Successor(slot: $0, signingKey: key) }) else { return }
        let policy = session.log.policy.with(successor: successor)
        guard policy != session.log.policy else { return }
        performIfPossible([.policy(policy)], in: group, among: sources)
    }

    /// Takes over a group as its successor, after the owner was silent for ``ChatLimits/ownerSilence`` and another member
    /// has answered that there is nothing newer.
    mutating func takeOver(_ group: GroupID, among sources: some MembershipSources) throws {
        guard let session = membership(group) else { throw notMember(group) }
        try sources.contacts.history.checkWriting()
        guard session.isSuccessor, let owner = session.log.owner else {
            throw ChatError(.notOwner, "You are not the successor of the group's owner.")
        }
        guard session.log.fork == nil else { throw ChatError.groupFrozen }
        let heard = (sources.contacts.peers[owner]?.lastSeen ?? 0) / 1_000
        let last = max(heard, UInt64(session.lastOperationAppliedAt))
        guard UInt64(sources.time.seconds) >= last + ChatLimits.ownerSilence else {
            throw ChatError(.limited, "The owner was heard within the last 14 days. Ask them to hand the group over.")
        }
        let now = sources.time.seconds
        // Silence is also what a node hears that is cut off itself; a takeover then would prove a second history.
        guard states[group]?.stateCheck.isAnswered(at: now) == true else {
            throw ChatError(.limited, "No other member has answered. Try again when another member is in reach.")
        }
        try perform([now], in: group, among: sources) { (session, now) throws(CryptoError) in
            try session.takeOver(at: now)
        }
    }
}
