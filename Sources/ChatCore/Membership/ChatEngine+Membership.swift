package import ChatCrypto
import MeshCore
import SwiftProtobuf

/// The join of ``Membership`` with contacts, outbox, history and room.
extension ChatEngine: MembershipSources {
    // MARK: - The user's decisions

    /// Creates a group and adds its first members.
    package mutating func createGroup(
        title: String,
        members: [PeerID],
        history: GroupPolicy.History = .none
    ) throws -> ChatGroup {
        try identityHistory.checkWriting()
        let title = try Self.title(title)
        guard members.count < GroupLimits.maximumMembers else { throw ChatError.tooManyMembers }
        let newMembers = try newMembers(members)
        let policy = try Self.policy(.standard, with: history)
        let founder = GroupMember(identity: sessions.identity.publicIdentity, nickname: try Nickname(nickname))
        let group = try create(founder, title, policy)
        try add(newMembers, to: group)
        guard let view = view(of: group) else { throw groups.notMember(group) }
        return view
    }

    /// Creates a group, or that of the room that this engine is for.
    mutating func create(
        _ founder: GroupMember,
        _ title: GroupTitle,
        _ policy: GroupPolicy,
        ownerKey: GroupOwnerKey = GroupOwnerKey()
    ) throws -> GroupID {
        try withGroups { groups, engine in
            do {
                return try groups.create(founder, title, policy, ownerKey: ownerKey, among: engine)
            } catch {
                throw ChatError(refusal: error)
            }
        }
    }

    /// Adds members to a group, or proposes that to the owner as an admin.
    package mutating func add(_ peers: [PeerID], to group: GroupID) throws {
        let session = try groups.ownedSession(group, orAdmin: true, among: self)
        for peer in peers where session.log.member(peer) != nil {
            throw ChatError(.limited, "\(name(of: peer)) is already in the group.")
        }
        guard session.log.members.count + peers.count <= GroupLimits.maximumMembers else {
            throw ChatError.tooManyMembers
        }
        try add(try newMembers(peers), to: group)
    }

    private mutating func add(_ newMembers: [GroupMember], to group: GroupID) throws {
        for newMember in newMembers where trust.state(of: newMember.identity.id) == .unknown {
            try decide(.accept, about: newMember.identity.id)
        }
        try withGroups { try $0.change(group, by: newMembers.map { .add($0) }, among: $1) }
    }

    /// Removes a member from a group, or proposes that to the owner as an admin.
    package mutating func remove(_ peer: PeerID, from group: GroupID) throws {
        let session = try groups.ownedSession(group, orAdmin: true, among: self)
        guard peer != ownID else {
            throw session.isOwner ? .ownsGroup : ChatError(.limited, "You cannot remove yourself. Leave the group.")
        }
        guard session.log.member(peer) != nil else { throw ChatError.noSuchMember }
        try groups.checkRemoval(of: peer, in: session)
        try withGroups { groups, engine in
            let actions = [.remove(peer)] + (session.isOwner ? groups.renewal(for: [peer], in: session) : [])
            try groups.change(group, by: actions, among: engine)
        }
    }

    /// Gives a group another title, or proposes it to the owner as an admin.
    package mutating func rename(_ group: GroupID, to title: String) throws {
        _ = try groups.ownedSession(group, orAdmin: true, among: self)
        let title = try Self.title(title)
        try withGroups { try $0.change(group, by: [.rename(title)], among: $1) }
    }

    /// Asks a member to own the group; the handover follows the member's answer.
    package mutating func transferOwnership(_ group: GroupID, to peer: PeerID) throws {
        try withGroups { try $0.transferOwnership(group, to: peer, among: $1) }
    }

    /// Asks a member to be the successor; nil withdraws the right.
    package mutating func setSuccessor(_ peer: PeerID?, of group: GroupID) throws {
        try withGroups { try $0.setSuccessor(peer, of: group, among: $1) }
    }

    /// Takes over a group as its successor; ``confirm(_:)`` goes before.
    package mutating func takeOver(_ group: GroupID) throws { try withGroups { try $0.takeOver(group, among: $1) } }

    /// Leaves a group, or rejects an invitation; the messages stay.
    package mutating func leave(_ group: GroupID) throws { try withGroups { try $0.leave(group, among: $1) } }

    /// Joins a group that a peer has invited this node to, or rejects the invitation.
    package mutating func answerInvitation(_ group: GroupID, accepts: Bool) throws {
        try withGroups { try $0.answerInvitation(group, accepts: accepts, among: $1) }
    }

    /// Changes who may add the user to groups without asking; invitations that wait go on waiting.
    package mutating func setGroupInviters(_ inviters: GroupInviters) {
        contacts.setGroupInviters(inviters)
        writeContacts()
    }

    /// Changes which earlier messages new members of a group may be given, or proposes that to the owner as an admin.
    package mutating func setHistory(_ history: GroupPolicy.History, of group: GroupID) throws {
        let policy = try groups.ownedSession(group, orAdmin: true, among: self).log.policy
        guard policy.history != history else { return }
        let changed = try Self.policy(policy, with: history)
        try withGroups { try $0.change(group, by: [.policy(changed)], among: $1) }
    }

    /// Makes a member of an own group an admin, or an admin an ordinary member.
    package mutating func setAdmin(_ isAdmin: Bool, _ peer: PeerID, of group: GroupID) throws {
        let log = try groups.ownedSession(group, among: self).log
        guard peer != ownID else {
            throw ChatError(.limited, "You own the group, so you can do already what an admin can propose.")
        }
        guard let slot = log.table.slot(of: peer) else { throw ChatError.noSuchMember }
        guard log.isAdmin(peer) != isAdmin else { return }
        let admins = Set(log.policy.admins).symmetricDifference([slot])
        guard let policy = log.policy.with(admins: admins) else {
            throw ChatError(.limited, "A group has at most \(GroupLimits.maximumAdmins) admins.")
        }
        try withGroups { try $0.perform([.policy(policy)], in: group, among: $1) }
    }

    /// Whether the owner of a group may sign its next operation.
    package func isSure(of group: GroupID) -> Bool { groups.isSure(of: group, among: self) }

    /// Asks members for operations that this node lacks, unless that is settled; `ChatEffect.confirmed` reports the
    /// end.
    package mutating func confirm(_ group: GroupID) throws { try withGroups { $0.confirm(group, among: $1) } }

    /// Makes the entries of a log for peers, and checks that something may be sent to each of them.
    private func newMembers(_ peers: [PeerID]) throws -> [GroupMember] {
        guard Set(peers).count == peers.count else { throw ChatError(.limited, "A member is given twice.") }
        return try peers.map { peer in
            try checkTrust(in: peer)
            guard let known = trust[peer] else { throw ChatError(.notFound, "No contact has this id.") }
            // The name that the peer has given itself: others need not know the user's name for it.
            return GroupMember(identity: known.identity, nickname: known.nickname)
        }
    }

    private static func title(_ typed: String) throws -> GroupTitle {
        do {
            return try GroupTitle(typed)
        } catch {
            throw ChatError(refusal: error)
        }
    }

    private static func policy(_ policy: GroupPolicy, with history: GroupPolicy.History) throws -> GroupPolicy {
        guard let changed = policy.with(history) else {
            throw ChatError(.limited, "The history for new members is none, all, or the last 1 to 65,535 messages.")
        }
        return changed
    }

    // MARK: - Reading

    /// All groups, the most recently changed first.
    package var groupList: [ChatGroup] {
        conversations.newestFirst.compactMap(\.id.group).compactMap { view(of: $0) }
    }

    /// Returns a group as it is shown; nil for an unknown one.
    package func view(of group: GroupID) -> ChatGroup? { groups.view(of: group, naming: contacts) }

    /// The members that have left a group and are remembered.
    package func formerMembers(of group: GroupID) -> [PeerID] {
        groups.states[group]?.past.former.map(\.peer) ?? []
    }

    /// Finds the group that the user means by its title, its id or the first digits of it.
    package func group(named who: String) throws -> ChatGroup { try Membership.group(named: who, among: groupList) }

    /// Returns the name of a peer in a conversation: the user's own for them, else that in the group's log.
    package func name(of peer: PeerID, in conversation: ConversationID) -> String {
        if let group = conversation.group { return groups.name(of: peer, in: group, naming: contacts) }
        return trust.isOwn(peer) ? nickname : name(of: peer)
    }

    /// The consequences that a rotation would have now.
    package var rotationPlan: RotationPlan {
        var titles: (following: [String], leaving: [String], owned: [String]) = ([], [], [])
        for group in groupList {
            guard let session = groups.membership(group.id) else { continue }
            if groups.isOwnedWithOthers(group.id) {
                titles.owned.append(group.title)
            } else if groups.hasContactAsOwner(session, among: self) {
                titles.following.append(group.title)
            } else {
                titles.leaving.append(group.title)
            }
        }
        return RotationPlan(
            contactCount: identityHistory.isRevoked ? 0 : contacts.peersToNotify.count,
            following: titles.following,
            leaving: titles.leaving,
            owned: titles.owned
        )
    }

    // MARK: - Times

    /// Restores the groups from the store.
    mutating func restoreGroups(_ stored: [StoredRecord]) throws {
        let records = try step.records(.groups, as: ProtoGroupRecord.self)
        // Members that nobody else knows are in no other record.
        for member in try groups.restore(stored, records, openedBy: self.records) {
            contacts.restore(member, at: step.time.seconds)
        }
        for group in groups.states.keys { conversations.restore(conversationID(of: group)) }
        try restoreHistory()
    }

    /// Writes the facts of a group that only an import provides.
    package mutating func keepGroup(_ group: GroupID, _ imported: ProtoImportedGroup) {
        groups.keep(imported, of: group)
        guard let state = groups.states[group] else { return }
        step.put(.groups, group.bytes, state.stored(of: group, sealedBy: records))
    }

    /// Looks for messages that arrived while the node was not running.
    mutating func beginGroups() throws {
        guard !groups.states.isEmpty else { return }
        let host = room?.id
        try withGroups { groups, engine in
            groups.noteUnopened()
            groups.recallSoon(at: engine.time.monotonic)
            for (group, state) in groups.states.sorted(by: { $0.key < $1.key }) where !state.isRequest {
                groups.joinIfWhole(group, among: engine)
            }
            // The host of a room waits for no answer, so it asks before the first join request.
            if let host, groups.membership(host)?.isOwner == true { groups.askMembers(of: host, among: engine) }
        }
    }

    /// Does all work of groups that is due.
    mutating func tickGroups() throws {
        try withGroups { $0.tick(among: $1) }
        try tickGroupHistory()
    }

    /// Drops expired keys and accounts, and does the regular work of owners.
    mutating func keepGroups() throws {
        groups.expire(at: step.time.seconds)
        try settleGroups()
        expireAnswers()
        for group in groups.table.groupIDs.sorted() where groups.table[group]?.isMember == true && !isStepFull {
            try withGroups {
                $0.keep(group, among: $1)
                $0.repeatOperations(of: group, among: $1)
                $0.lookForOperations(of: group, among: $1)
            }
        }
    }

    // MARK: - Sources

    var controlCount: Int { outbox.controlCount }

    var isRoom: Bool { room != nil }

    func admits(_ group: GroupID) -> Bool { room.map { $0.id == group } ?? true }

    func isApplicant(_ peer: PeerID) -> Bool { room?.isApplicant(peer) == true }

    func inFlightCount(to peer: PeerID) -> Int { outbox.inFlightCount(to: peer) }

    func changedAt(_ group: GroupID) -> UInt64 { conversations[conversationID(of: group)]?.changedAt ?? 0 }
}
