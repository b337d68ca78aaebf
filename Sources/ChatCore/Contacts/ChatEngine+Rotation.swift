package import ChatCrypto
import MeshCore

/// The user goes on under a new identity.
extension ChatEngine {
    /// What a rotation would do now.
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
            contactCount: standing.isRevoked ? 0 : contactsToTell.count,
            following: titles.following,
            leaving: titles.leaving,
            owned: titles.owned
        )
    }

    /// Replaces the user's identity by a new one, which all contacts are told of; answers its id.
    ///
    /// What is kept stays as it is. The old identity receives for 8 days more. One that is revoked goes without a word:
    /// nobody would believe it.
    package mutating func rotate() throws -> PeerID {
        let now = step.time.seconds
        try checkRotation(at: now)
        let (old, new) = (sessions.identity, Identity())
        let oldGeneration = standing.generation
        try leaveGroups()

        standing.rotationCounter = RotationStatement.counter(after: standing.rotationCounter, at: now)
        let statement = RotationStatement(from: old, to: new, counter: standing.rotationCounter, at: now)
        var former = FormerIdentity(generation: oldGeneration, retiredAt: now, sessions: sessions)
        former.sessions.retire()
        put(former)
        standing.formers.append(former)
        standing.past = (standing.past + [former.id]).suffix(ChatLimits.pastCount)
        standing.generation = oldGeneration + 1

        putIdentity(new)
        let (table, change) = try SessionTable.restore([], identity: new, nickname: Nickname(nickname), at: now)
        records.write(change, of: standing.generation, in: &step)
        sessions = table
        try settle(trust.goOn(as: new.publicIdentity))
        if !standing.isRevoked { announce(.rotation(statement.bytes), as: oldGeneration) }
        standing.isRevoked = false
        putStanding()
        step.perform(.tell(.trust(.rotated(former.id, to: ownID))))
        // The word first: then the new bundle is nobody's who claims the name.
        try tellContacts()
        try publishBundle()
        return ownID
    }

    private func checkRotation(at now: UInt32) throws {
        guard room == nil else { throw ChatError(.notFound, "The identity of a room goes with the room.") }
        try checkAnnouncements()
        guard standing.formers.count < ChatLimits.formerCount else {
            var error = ChatError(
                .limited,
                "\(standing.formers.count) earlier identities receive still: wait up to 8 days."
            )
            error.retryAfter = standing.formers.map { $0.rest(at: now) }.min()
            throw error
        }
        let owned = rotationPlan.owned
        guard owned.isEmpty else {
            let titles = owned.map { "'\($0)'" }.joined(separator: ", ")
            throw ChatError(.ownsGroup, "You own \(titles): hand over first with 'group handover'.")
        }
    }

    // MARK: - Groups

    /// Ends every membership: a group knows its members by their ids, and this one is to be nobody's.
    ///
    /// Owners who are contacts put the new identity in the old one's place; all others are told that it leaves.
    private mutating func leaveGroups() throws {
        for group in groups.states.keys.sorted() {
            if let session = groups.membership(group) {
                if !hasContactAsOwner(group) {
                    for member in session.recipients { try send(.leave(group), to: member.identity) }
                }
                if let change = groups.table.update(group, { $0.leave() }) {
                    records.write(change, in: &step)
                }
                try placeLeaving(of: session.log)
                end(group)
            } else if groups.states[group]?.welcome != nil {
                groups.states[group]?.welcome = nil
                groups.states[group]?.record.welcome = .bytes([])
                groups.states[group]?.record.preimage = .bytes([])
                groups.states[group]?.record.request = false
                end(group)
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
