package import ChatCrypto
import MeshCore

/// What this node's user does with groups.
extension ChatEngine {
    /// Founds a group and takes its first members in.
    package mutating func createGroup(
        title: String,
        members: [PeerID],
        history: GroupPolicy.History = .none
    ) throws -> Group {
        try standing.checkWriting()
        let title = try Self.title(title)
        guard members.count < GroupLimits.maximumMembers else { throw Self.tooManyMembers }
        let newcomers = try newcomers(members)
        let nickname = try Nickname(nickname)
        let founder = GroupMember(identity: sessions.identity.publicIdentity, nickname: nickname)
        let founded: (session: GroupSession, change: SessionChange)
        do {
            founded = try GroupSession.found(
                as: founder,
                title: title,
                policy: try Self.policy(.standard, with: history),
                at: step.time.seconds
            )
            try makeRoom()
            try groups.table.insert(founded.session)
        } catch {
            throw ChatError(refusal: error)
        }
        let group = founded.session.id
        records.write(founded.change, in: &step)
        groups.states[group] = GroupState(group)
        touch(group)
        step.perform(.tell(.group(group, .joined)))
        try placeLines(of: founded.session.log)
        try add(newcomers, to: group)
        guard let view = view(of: group) else { throw Self.notMember(group, groups) }
        return view
    }

    /// Takes people in, as the owner.
    package mutating func add(_ peers: [PeerID], to group: GroupID) throws {
        let session = try ownedSession(group)
        for peer in peers where session.log.member(peer) != nil {
            throw ChatError(.limited, "\(name(of: peer)) is in the group already.")
        }
        guard session.log.members.count + peers.count <= GroupLimits.maximumMembers else { throw Self.tooManyMembers }
        try add(try newcomers(peers), to: group)
    }

    private mutating func add(
        _ newcomers: [GroupMember],
        to group: GroupID
    ) throws {
        for newcomer in newcomers where trust.state(of: newcomer.identity.id) == .unknown {
            try decide(.accept, about: newcomer.identity.id)
        }
        try perform(newcomers.map { .add($0) }, in: group)
    }

    /// Puts somebody out, as the owner.
    package mutating func remove(_ peer: PeerID, from group: GroupID) throws {
        let session = try ownedSession(group)
        guard peer != ownID else { throw Self.ownsGroup }
        guard session.log.member(peer) != nil else { throw Self.noMember }
        try perform([.remove(peer)], in: group)
    }

    /// Gives a group another title, as the owner.
    package mutating func rename(_ group: GroupID, to title: String) throws {
        _ = try ownedSession(group)
        try perform([.rename(try Self.title(title))], in: group)
    }

    /// Asks a member to own the group; it does once it has answered.
    package mutating func handOver(_ group: GroupID, to peer: PeerID) throws {
        let session = try ownedSession(group)
        guard session.log.fork == nil else { throw Self.frozen }
        guard peer != ownID else { throw ChatError(.notFound, "This node owns the group already.") }
        guard let member = session.recipients.first(where: { $0.identity.id == peer }) else { throw Self.noMember }
        groups.states[group]?.record.handover = .bytes(peer.bytes)
        touch(group)
        try send(.wantsOwnerKey(group), to: member.identity)
    }

    /// Leaves a group, or turns an invitation down; the messages stay.
    package mutating func leave(_ group: GroupID) throws {
        guard let session = groups.membership(group) else {
            return try answerInvitation(group, accepts: false)
        }
        guard !session.isOwner || session.recipients.isEmpty || session.log.fork != nil else { throw Self.ownsGroup }
        for member in session.recipients {
            try send(.leave(group), to: member.identity)
        }
        let change = groups.table.update(group) { $0.leave() }
        if let change { records.write(change, in: &step) }
        groups.states[group]?.record.refused = session.log.epoch
        try placeLeaving(of: session.log)
        try end(group)
    }

    /// Joins a group that somebody wants this node in, or turns it down.
    package mutating func answerInvitation(
        _ group: GroupID,
        accepts: Bool
    ) throws {
        guard var state = groups.states[group], let welcome = state.welcome else {
            throw ChatError(.notFound, "Nobody wants this node in such a group now.")
        }
        if accepts, !state.record.preimage.isEmpty {
            let body = [UInt8](state.record.preimage)
            step.perform(.submit(kind: .release, body: body, life: ChatLimits.releaseLife))
        }
        state.record.preimage = .bytes([])
        state.record.request = false
        if accepts {
            groups.states[group] = state
            touch(group)
            return try joinIfWhole(group)
        }
        if let inviter = state.inviter, isAccepted(inviter), let identity = trust[inviter]?.identity {
            try send(.leave(group), to: identity)
        }
        state.welcome = nil
        state.record.welcome = .bytes([])
        state.record.refused = welcome.epoch
        state.haveAll()
        groups.states[group] = state
        touch(group)
        step.perform(.tell(.group(group, .ended)))
    }

    /// Decides anew what newcomers may be given of what was said before they come, as the owner.
    package mutating func setHistory(
        _ history: GroupPolicy.History,
        of group: GroupID
    ) throws {
        let policy = try ownedSession(group).log.policy
        guard policy.history != history else { return }
        try perform([.policy(try Self.policy(policy, with: history))], in: group)
    }

    private static func policy(_ policy: GroupPolicy, with history: GroupPolicy.History) throws -> GroupPolicy {
        let changed = GroupPolicy(
            history: history,
            memberLimit: Int(policy.memberLimit),
            life: policy.life,
            isEphemeral: policy.isEphemeral
        )
        guard let changed else { throw ChatError(.limited, "Newcomers are given none, all, or the last 1 to 65,535.") }
        return changed
    }

    // MARK: - What may not be

    private func ownedSession(_ group: GroupID) throws -> GroupSession {
        guard let session = groups.membership(group) else { throw Self.notMember(group, groups) }
        try standing.checkWriting()
        guard session.isOwner else { throw ChatError(.notOwner, "Only the owner of the group does that.") }
        guard isSure(of: group) else { throw Self.unsure }
        guard outbox.noteCount + session.log.members.count < ChatLimits.noteCount else { throw Self.tooManyNotes }
        return session
    }

    /// People as a log names them, each of them somebody to whom something may be sent.
    private func newcomers(_ peers: [PeerID]) throws -> [GroupMember] {
        guard Set(peers).count == peers.count else { throw ChatError(.limited, "Somebody is named twice.") }
        return try peers.map { peer in
            try checkTrust(in: peer)
            guard let known = trust[peer] else { throw ChatError(.notFound, "No contact has this id.") }
            // The name that the peer has given itself: others need not know what the user calls it.
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

    static func notMember(_ group: GroupID, _ groups: GroupBook) -> ChatError {
        groups.states[group] == nil
            ? ChatError(.notFound, "No group has this id.") : ChatError(.notMember, "This node is not in the group.")
    }

    static let frozen = ChatError(
        .frozen,
        "The owner of the group has signed two histories of it: nothing goes on in it. Leave it and found another."
    )
    private static let unsure = ChatError(
        .limited,
        "Members are being asked whether they know more of the group than this node; try again in a minute."
    )
    static let tooManyNotes = ChatError(
        .limited,
        "Too much is on its way to members of groups; wait until some arrived."
    )
    private static let ownsGroup = ChatError(.ownsGroup, "This node owns the group: hand it over first.")
    private static let noMember = ChatError(.notFound, "Nobody in the group has this id.")
    private static let tooManyMembers = ChatError(
        .limited,
        "A group has at most \(GroupLimits.maximumMembers) members."
    )
}
