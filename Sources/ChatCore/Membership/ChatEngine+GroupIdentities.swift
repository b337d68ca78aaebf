import ChatCrypto

/// Groups whose members, or whose user, go on under new identities.
extension ChatEngine {
    /// The consequences that a rotation would have now.
    package var rotationPlan: RotationPlan {
        var titles: (following: [String], leaving: [String], owned: [String]) = ([], [], [])
        for group in groupList where group.standing == .member {
            if isOwnedWithOthers(group.id) {
                titles.owned.append(group.title)
            } else if hasContactAsOwner(group.id) {
                titles.following.append(group.title)
            } else {
                titles.leaving.append(group.title)
            }
        }
        return RotationPlan(
            contactCount: standing.isRevoked ? 0 : contacts.peersToTell.count,
            following: titles.following,
            leaving: titles.leaving,
            owned: titles.owned
        )
    }

    /// Ends every membership: a group knows its members by their ids, and this one is to be nobody's.
    ///
    /// Owners who are contacts put the new identity in the old one's place; all others are told that it leaves.
    mutating func leaveGroups() throws {
        for group in groups.states.keys.sorted() {
            if let session = groups.membership(group) {
                if !hasContactAsOwner(group) {
                    for member in session.recipients { try send(.leave(group), to: member.identity) }
                }
                if let change = groups.table.update(group, { $0.leave() }) {
                    records.write(change, in: &step)
                }
                try placeLeaving(of: session.log)
                try end(group)
            } else if groups.states[group]?.welcome != nil {
                groups.states[group]?.welcome = nil
                groups.states[group]?.record.welcome = .bytes([])
                groups.states[group]?.record.preimage = .bytes([])
                groups.states[group]?.record.request = false
                try end(group)
            }
        }
    }

    private func isOwnedWithOthers(_ group: GroupID) -> Bool {
        guard let session = groups.membership(group) else { return false }
        return session.isOwner && !session.recipients.isEmpty && session.log.fork == nil
    }

    private func hasContactAsOwner(_ group: GroupID) -> Bool {
        guard !standing.isRevoked, let owner = groups.membership(group)?.log.owner else { return false }
        return isAccepted(owner) && trust.maySend(to: owner)
    }

    /// Puts a contact's new identity in the place of those before it, in every group that this node owns; not while
    /// others claim to be that contact.
    mutating func replacePredecessors(of new: PeerID) throws {
        let old = trust.predecessors(of: new)
        guard let successor = trust[new], successor.state != .changed, !old.isEmpty else { return }
        let newcomer = GroupMember(identity: successor.identity, nickname: successor.nickname)
        for group in groups.table.groupIDs.sorted() {
            guard let session = groups.membership(group), session.isOwner else { continue }
            let leaving = old.filter { session.log.member($0) != nil }
            guard !leaving.isEmpty else { continue }
            let comes = session.log.member(new) == nil && trust.maySend(to: new)
            let actions = leaving.map { GroupOperation.Action.remove($0) } + (comes ? [.add(newcomer)] : [])
            try performIfPossible(actions, in: group)
        }
    }

    /// Puts somebody who is revoked out of every group that this node owns.
    mutating func expel(_ peer: PeerID) throws {
        for group in groups.table.groupIDs.sorted() {
            guard let session = groups.membership(group), session.isOwner, session.log.member(peer) != nil else {
                continue
            }
            try performIfPossible([.remove(peer)], in: group)
        }
    }
}
