import ChatCrypto
import MeshCore

/// The changes that admins propose, and that the owner's node makes without asking its user.
///
/// Source: PROTOCOL §16.5.
extension Membership {
    /// Makes changes as the owner, or proposes them to the owner as an admin.
    mutating func change(
        _ group: GroupID,
        by actions: [GroupAction],
        among sources: some MembershipSources
    ) throws {
        guard let session = membership(group) else { throw notMember(group) }
        guard !session.isOwner else { return try perform(actions, in: group, among: sources) }
        guard session.log.fork == nil else { throw ChatError.groupFrozen }
        guard let owner = session.log.owner.flatMap({ session.log.member($0) }) else { throw ChatError.noSuchMember }
        let proposals = try Self.portions(of: actions).map { portion in
            guard let proposal = GroupProposal(portion, in: session.log) else { throw ChatError.noSuchMember }
            return proposal
        }
        guard freeControlCount(among: sources) >= proposals.count else { throw ChatError.tooManyControlMessages }
        for proposal in proposals { send(.proposal(group, proposal), to: owner.identity) }
    }

    /// Whether a proposal has to wait: this owner asks members for operations first, or lacks some that the admin has.
    mutating func mustWait(
        _ proposal: GroupProposal,
        from admin: PeerID,
        in session: GroupSession,
        among sources: some MembershipSources
    ) -> Bool {
        guard session.isOwner, session.log.isAdmin(admin) else { return false }
        if proposal.epoch > session.log.epoch {
            want(proposal.epoch, of: session.id, from: admin, among: sources)
            return true
        }
        guard !isSure(of: session.id, among: sources) else { return false }
        confirm(session.id, among: sources)
        return true
    }

    /// Makes the changes that an admin proposes, all or none.
    mutating func receive(
        _ proposal: GroupProposal,
        from admin: PeerID,
        in session: GroupSession,
        among sources: some MembershipSources
    ) {
        guard session.isOwner else { return }
        let trust = sources.contacts.trust
        let actions = proposal.actions(for: admin, in: session.log).filter { action in
            if case .add(let member) = action { trust.maySend(to: member.identity.id) } else { true }
        }
        guard !actions.isEmpty else { return }
        var isAdmitted = false
        change(session.id) { isAdmitted = $0.noteProposal(of: admin, at: sources.time.monotonic) }
        guard isAdmitted else { return }
        let removed = actions.compactMap { if case .remove(let peer) = $0 { peer } else { nil } }
        performIfPossible(actions + renewal(for: removed, in: session), in: session.id, among: sources)
    }

    /// Checks that an admin may remove a member; the owner may remove anybody else.
    func checkRemoval(of peer: PeerID, in session: GroupSession) throws {
        guard !session.isOwner else { return }
        guard peer != session.log.owner, !session.log.isAdmin(peer) else {
            throw ChatError(.notOwner, "An admin cannot remove the owner or another admin.")
        }
    }
}
