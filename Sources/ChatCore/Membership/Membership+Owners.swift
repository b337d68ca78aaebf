import ChatCrypto
import MeshCore

/// The duties of a group's owner.
///
/// An owner asks members after each start, and after a long silence of its own, for operations that it lacks, before it
/// signs. It follows the identities of its members, and removes those who leave. Source: PROTOCOL §16.5.
extension Membership {
    // MARK: - Certainty

    /// Whether the owner of a group may sign its next operation.
    ///
    /// The host of a room asks at its start and waits for no answer: join requests are answered at once.
    func isSure(of group: GroupID, among sources: some MembershipSources) -> Bool {
        guard !sources.isRoom, let session = membership(group), session.isOwner, !session.recipients.isEmpty else {
            return true
        }
        return states[group]?.stateCheck.isSettled(at: sources.time.seconds) == true
    }

    /// Asks members for operations that this node lacks, unless that is settled; ``MembershipEffect/confirmed(_:)``
    /// reports the end.
    ///
    /// A successor asks each time.
    mutating func confirm(_ group: GroupID, among sources: some MembershipSources) {
        if membership(group)?.isSuccessor == true {
            change(group) { $0.stateCheck.reopen() }
        } else if isSure(of: group, among: sources) {
            return emit(.confirmed(group))
        }
        let isOpen = states[group]?.stateCheck.isOpen(at: sources.time.seconds) == true
        guard isOpen, askMembers(of: group, among: sources) > 0 else { return }
        let end = sources.time.monotonic.advanced(by: ChatLimits.confirmationWait)
        change(group) { $0.stateCheck.noteAsked(until: end) }
    }

    /// Asks the members that were seen last for operations from the newest known one on; returns the number of members
    /// asked.
    @discardableResult
    mutating func askMembers(of group: GroupID, among sources: some MembershipSources) -> Int {
        guard let session = membership(group) else { return 0 }
        let asked = byLastSeen(of: session, among: sources)
            .prefix(min(ChatLimits.confirmationCount, freeControlCount(among: sources)))
        for identity in asked { emit(.ask(group, from: session.log.epoch, identity)) }
        if asked.isEmpty { settle(group, among: sources) }
        return asked.count
    }

    /// The members that may be sent something, the most recently seen first.
    func byLastSeen(of session: GroupSession, among sources: some MembershipSources) -> [PublicIdentity] {
        let (peers, trust) = (sources.contacts.peers, sources.contacts.trust)
        return session.recipients.map(\.identity).filter { trust.maySend(to: $0.id) }.sorted { left, right in
            (peers[right.id]?.lastSeen ?? 0, left.id) < (peers[left.id]?.lastSeen ?? 0, right.id)
        }
    }

    /// Handles a member's operations as its answer: requests more if they brought new ones, otherwise the owner is
    /// sure.
    mutating func takeAnswer(
        _ operations: [GroupOperation],
        to asked: GroupSession,
        from sender: PeerID,
        among sources: some MembershipSources
    ) {
        let isAsking = states[asked.id]?.stateCheck.isAsking == true
        guard isAsking || !isSure(of: asked.id, among: sources), let session = membership(asked.id),
            operations.contains(where: { $0.epoch == asked.log.epoch })
        else { return }
        guard session.log.epoch > asked.log.epoch else { return settle(asked.id, isAnswered: true, among: sources) }
        guard let identity = session.log.member(sender)?.identity else { return }
        send(.request(asked.id, OperationRequest(from: session.log.epoch)), to: identity)
    }

    /// Ends the waiting of owners and successors without an answer from any member.
    mutating func endStateChecks(among sources: some MembershipSources) {
        let now = sources.time.monotonic
        for (group, state) in states.sorted(by: { $0.key < $1.key }) where state.stateCheck.end <= now {
            let startedAt = sources.contacts.history.startedAt
            let isHeard = membership(group)?.recipients.contains { member in
                (sources.contacts.peers[member.identity.id]?.lastSeen ?? 0) >= startedAt
            }
            if isHeard == true, !state.stateCheck.isLast {
                let later = state.stateCheck.end.advanced(by: ChatLimits.longerConfirmationWait)
                change(group) { $0.stateCheck.noteAsked(until: later, isLast: true) }
                // A newer prekey bundle may have arrived, and with it a session that both sides know.
                askMembers(of: group, among: sources)
            } else {
                settle(group, among: sources)
            }
        }
    }

    /// Ends the owner's doubt, and does the work that has waited for it.
    private mutating func settle(
        _ group: GroupID,
        isAnswered: Bool = false,
        among sources: some MembershipSources
    ) {
        change(group) { $0.stateCheck.settle(at: sources.time.seconds, isAnswered: isAnswered) }
        emit(.confirmed(group))
        emit(.runHousekeeping)
        // Proposals of admins may have waited for this.
        if hasUnopened { recallSoon(at: sources.time.monotonic) }
        guard let session = membership(group), session.isOwner else { return }
        let trust = sources.contacts.trust
        for member in session.recipients {
            let peer = member.identity.id
            if trust.state(of: peer) == .revoked { expel(peer, among: sources) }
            if let successor = trust[peer]?.successor?.id { replacePredecessors(of: successor, among: sources) }
            if [states[group]?.handover, states[group]?.successor].contains(peer) {
                send(.wantsOwnerKey(group), to: member.identity)
            }
        }
    }

    // MARK: - Identities

    /// Replaces a contact's former identities by the new one, in every group that this node owns; not while others
    /// claim to be that contact.
    mutating func replacePredecessors(of new: PeerID, among sources: some MembershipSources) {
        let trust = sources.contacts.trust
        let old = trust.predecessors(of: new)
        guard let successor = trust[new], successor.state != .changed, !old.isEmpty else { return }
        let newMember = GroupMember(identity: successor.identity, nickname: successor.nickname)
        for session in ownedSessions {
            let leaving = old.filter { session.log.member($0) != nil }
            guard !leaving.isEmpty else { continue }
            let comes = session.log.member(new) == nil && trust.maySend(to: new)
            let actions =
                leaving.map { GroupAction.remove($0) } + (comes ? [.add(newMember)] : [])
                + renewal(for: leaving, in: session)
            performIfPossible(actions, in: session.id, among: sources)
        }
    }

    /// Removes a peer with a revoked identity from every group that this node owns.
    mutating func expel(_ peer: PeerID, among sources: some MembershipSources) {
        for session in ownedSessions where session.log.member(peer) != nil {
            performIfPossible([.remove(peer)] + renewal(for: [peer], in: session), in: session.id, among: sources)
        }
    }

    private var ownedSessions: [GroupSession] {
        table.groupIDs.sorted().compactMap { membership($0) }.filter(\.isOwner)
    }

    /// Whether this node owns a group with other members, which a new identity could not continue to own.
    func isOwnedWithOthers(_ group: GroupID) -> Bool {
        guard let session = membership(group) else { return false }
        return session.isOwner && !session.recipients.isEmpty && session.log.fork == nil
    }

    /// Does the regular work of a group's owner: it removes those who leave, and renews secrets that are due.
    mutating func keep(_ group: GroupID, among sources: some MembershipSources) {
        guard let session = table[group], session.isOwner, session.log.fork == nil else { return }
        let now = sources.time.seconds
        if session.needsTree, isAwaitingTree(of: group, among: sources) {
            return
        } else if session.needsTree || !session.slotsToRepair.isEmpty {
            guard isSure(of: group, among: sources) else { return confirm(group, among: sources) }
            // A repair that is refused is tried again.
            try? perform([now], in: group, among: sources) { (session, now) throws(CryptoError) in
                try session.repair(at: now)
            }
        } else if removeDue(from: session, among: sources) {
            return
        } else if session.log.blocksToRenew > 0 || session.wantsRenewal(at: now) {
            performIfPossible([.renewBlock], in: group, among: sources)
        }
    }

    /// Whether the former owner's secrets may still come to this new owner.
    private mutating func isAwaitingTree(of group: GroupID, among sources: some MembershipSources) -> Bool {
        let now = sources.time.monotonic
        guard let until = states[group]?.treeAwaitedUntil else {
            change(group) { $0.treeAwaitedUntil = now.advanced(by: ChatLimits.treeWait) }
            return true
        }
        return now < until
    }

    /// Removes members who leave or whose identity is revoked, as many as one operation has room for; false if none can be
    /// removed now.
    private mutating func removeDue(from session: GroupSession, among sources: some MembershipSources) -> Bool {
        var leaving = dueRemovals(from: session, among: sources)[...]
        guard !leaving.isEmpty else { return false }
        guard isSure(of: session.id, among: sources) else {
            confirm(session.id, among: sources)
            return true
        }
        let leavers = Set(session.leavers)
        while !leaving.isEmpty {
            let removals = leaving.map { leavers.contains($0) ? GroupAction.removeLeaver($0) : .remove($0) }
            let actions = removals + renewal(for: Array(leaving), in: session)
            // Each removal needs room for the secrets of a path.
            if (try? perform(actions, in: session.id, among: sources)) != nil { return true }
            leaving = leaving.prefix(leaving.count / 2)
        }
        return false
    }

    /// The members who leave or whose identity is revoked, and who can be removed now.
    ///
    /// A member that has known the secrets of all nodes is removed once all blocks are renewed, or together with that.
    private func dueRemovals(from session: GroupSession, among sources: some MembershipSources) -> [PeerID] {
        let isSmall = session.log.table.depth <= GroupLimits.maximumBlockHeight
        let revoked = session.recipients.map(\.identity.id)
            .filter { sources.contacts.trust.state(of: $0) == .revoked }
        let removable = (session.leavers + revoked).filter { isSmall || !session.mustRenew(before: $0) }
        return Array(removable.prefix(GroupLimits.maximumEdits - 1))
    }

    /// The renewal that the removal of members needs: none, unless one of them has known the secrets of all nodes.
    func renewal(for leaving: [PeerID], in session: GroupSession) -> [GroupAction] {
        leaving.contains { session.mustRenew(before: $0) } ? [.renewBlock] : []
    }

    /// Spreads operations of an own group again, which members may have missed: at the start, and at times after they
    /// were signed.
    mutating func repeatOperations(of group: GroupID, among sources: some MembershipSources) {
        guard let session = membership(group), session.isOwner, !session.recipients.isEmpty,
            let last = states[group]?.repeatedAt
        else { return }
        let now = sources.time.seconds
        change(group) { $0.repeatedAt = now }
        let isStart = last == 0
        // The times of signing whose turn has come since the last time.
        let spans =
            isStart
            ? [(now - min(now, ChatLimits.operationRepeatAge), now)]
            : ChatLimits.operationRepeats.map { (last - min(last, $0), now - min(now, $0)) }
        for (start, end) in spans {
            for operation in session.operations(appliedAfter: start, until: end) {
                spread([operation], of: group, sealedIn: operation.epoch - 1, among: sources)
            }
        }
    }
}

extension ChatError {
    static let groupFrozen = ChatError(
        .frozen,
        "The owner has signed two different histories of the group, so it is frozen. Leave it and create a new one."
    )
    static let unsureOfGroup = ChatError(
        .limited,
        "Members are still being asked for newer changes to the group. Try again in a minute."
    )
    static let tooManyControlMessages = ChatError(
        .limited,
        "Too many messages to members of groups are waiting. Wait until some have arrived."
    )
    static let ownsGroup = ChatError(.ownsGroup, "You own the group. Hand it over first.")
    static let noSuchMember = ChatError(.notFound, "No member of the group has this id.")
    static let tooManyMembers = ChatError(
        .limited,
        "A group has at most \(GroupLimits.maximumMembers) members."
    )
}
