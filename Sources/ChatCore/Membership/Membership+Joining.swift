import ChatCrypto
import MeshCore

/// The joining of a group: a welcome from its owner, all operations, and the user's decision if the owner is unknown.
extension Membership {
    /// Whether a welcome has to be considered.
    ///
    /// It is for this node, its state was signed by the owner in force, who sends it, and it is newer than the one that
    /// this node refused from the same sender. One with its state replaces one whose state has not come.
    func isInvitation(_ welcome: GroupWelcome, from sender: PeerID, among sources: some MembershipSources) -> Bool {
        let group = welcome.groupID
        guard sources.admits(group), welcome.checkpoint.map({ isOwn($0, sender, among: sources) }) ?? true,
            membership(group) == nil
        else { return false }
        // An owner's welcome from before the end of the membership may arrive late.
        if let ended = table[group]?.log, ended.owner == sender, ended.epoch >= welcome.epoch { return false }
        guard let state = states[group], let inviter = state.inviter else { return true }
        guard inviter != sender else {
            return max(state.refused, state.welcome?.epoch ?? 0) < welcome.epoch
        }
        guard state.welcome != nil else { return true }
        guard let known = state.joiningLog else {
            return welcome.checkpoint != nil || !state.isReceivingParts(at: sources.time.monotonic)
        }
        return welcome.checkpoint != nil && known.epoch < welcome.epoch
    }

    /// Whether a state names its sender as the owner, and this node as a member.
    private func isOwn(_ checkpoint: GroupCheckpoint, _ sender: PeerID, among sources: some MembershipSources) -> Bool {
        let log = checkpoint.log(at: 0)
        return log.owner == sender && log.member(sources.contacts.ownID) != nil
    }

    /// Whether a welcome brings a later state of a group of this node, by the owner that it names.
    func isContinuation(_ welcome: GroupWelcome, from sender: PeerID) -> Bool {
        guard let log = membership(welcome.groupID)?.log, let later = welcome.checkpoint?.log(at: 0) else {
            return false
        }
        return later.owner == sender && later.epoch > log.epoch && later.continues(log)
    }

    /// Whether an owner lets this node's user go on in a group under a new identity, which is no invitation.
    private func isReturn(to group: GroupID, of owner: PeerID, among sources: some MembershipSources) -> Bool {
        guard let log = table[group]?.log, log.owner == owner else { return false }
        let contacts = sources.contacts
        return log.members.contains { $0.identity.id != contacts.ownID && contacts.trust.isOwn($0.identity.id) }
    }

    /// Handles an invitation: if it is from a contact that may add the user, this node joins at once; from any other peer,
    /// or into a group that this node has left, it waits for the user.
    mutating func receive(
        _ welcome: GroupWelcome,
        _ deliveryProof: DeliveryProof?,
        from sender: PeerID,
        among sources: some MembershipSources
    ) {
        let group = welcome.groupID
        if membership(group) != nil { return receiveAgain(welcome, from: sender, among: sources) }
        guard isInvitation(welcome, from: sender, among: sources) else { return }
        emit(.invited(welcome))
        var state = states[group] ?? GroupState(group)
        let isAccepted = sources.contacts.isAccepted(sender)
        // The engine of a room asks no user: only a peer that has asked to join receives the room's welcome.
        let mayAdd =
            sources.contacts.groupInviters.include(sources.contacts.trust.state(of: sender))
            || isAccepted && isReturn(to: group, of: sender, among: sources)
        let isRequest = !sources.isRoom && (!mayAdd || state.refused > 0)
        if state.welcome == nil { makeRoomForInvitation(among: sources) }
        state.take(welcome)
        // Another inviter's epochs are not compared with the one that was rejected, but the user is asked again.
        if state.inviter != sender { state.refused = min(state.refused, 1) }
        state.inviter = sender
        state.isRequest = isRequest
        state.deliveryProof = isAccepted ? [] : deliveryProof?.bytes ?? []
        set(state, of: group)
        guard !isRequest else { return emit(.event(.invited(by: sender), group)) }
        joinIfWhole(group, among: sources)
    }

    /// Handles a welcome for a member that is late, or has lost its secrets.
    private mutating func receiveAgain(
        _ welcome: GroupWelcome,
        from sender: PeerID,
        among sources: some MembershipSources
    ) {
        let group = welcome.groupID
        guard let log = membership(group)?.log, let state = states[group], welcome.epoch >= log.epoch,
            welcome.epoch > log.epoch || state.missing.needsPath
        else { return }
        if let checkpoint = welcome.checkpoint { return rejoin(welcome, checkpoint, from: sender, among: sources) }
        // Any member can invent a hash. So the owner's welcome has precedence, and others count only while one is needed.
        let now = sources.time.monotonic
        let isNeeded = log.owner == sender || log.member(sender) != nil && state.missing.epoch > log.epoch
        let mayReplace =
            state.inviter == sender
            ? state.welcome.map { $0.epoch < welcome.epoch } ?? true
            : log.owner == sender || state.welcome == nil
                || !state.isReceivingParts(at: now) && log.owner != state.inviter
        guard isNeeded, mayReplace else { return }
        var mayRecall = false
        change(group) { state in
            state.take(welcome)
            state.inviter = sender
            mayRecall = state.noteRecall(at: now)
        }
        if mayRecall { recallSoon(at: now) }
    }

    /// Takes the state that a welcome names.
    mutating func complete(_ group: GroupID, with bytes: [UInt8], among sources: some MembershipSources) {
        guard let state = states[group], let welcome = state.welcome, let inviter = state.inviter else { return }
        guard let checkpoint = try? welcome.checkpoint(from: bytes) else { return change(group) { $0.dropParts() } }
        if membership(group) != nil { return rejoin(welcome, checkpoint, from: inviter, among: sources) }
        change(group) { $0.checkpoint = checkpoint }
        joinIfWhole(group, among: sources)
    }

    /// Joins once the state of the group is here, and requests it while it is not.
    mutating func joinIfWhole(_ group: GroupID, among sources: some MembershipSources) {
        guard var state = states[group], membership(group) == nil, let welcome = state.welcome,
            let inviter = state.inviter
        else { return }
        guard let checkpoint = welcome.checkpoint ?? state.checkpoint else {
            // Parts may be waiting in the mesh, unopened; a restart has lost those that were here.
            noteUnopened()
            recallSoon(at: sources.time.monotonic)
            let later = sources.time.monotonic.advanced(by: ChatLimits.statePartPause)
            return change(group) { $0.missing.wantPath(welcome.epoch, from: inviter, at: later) }
        }
        state.dropWelcome()
        state.missing.haveAll()
        let identity = sources.contacts.history.sessions.identity.publicIdentity
        let now = sources.time.seconds
        let joined = try? GroupSession.join(welcome, checkpoint: checkpoint, as: identity, at: now)
        // Only the owner knows the members and their keys.
        guard let joined, joined.session.log.owner == inviter else {
            state.refused = welcome.epoch
            set(state, of: group)
            return end(group)
        }
        removeSession(of: group)
        do {
            try insert(joined.session, among: sources)
        } catch {
            // The number of groups is at its limit: the joining continues once the user has left another group.
            change(group) { $0.isRequest = true }
            touch(group)
            return emit(.event(.invited(by: inviter), group))
        }
        save(joined.change)
        state.refused = 0
        state.past = GroupPast(joined.session.log.policy, at: joined.session.log.epoch)
        set(state, of: group)
        for member in joined.session.recipients { emit(.meet(member.identity)) }
        for line in GroupLine.lines(joining: joined.session.log) { emit(.line(line, group)) }
        emit(.event(.joined, group))
        emit(.joined(group))
        // Members may have written, and sent their keys, before the welcome arrived.
        noteUnopened()
        recallSoon(at: sources.time.monotonic)
    }

    /// Joins a group that a peer has invited this node to, or rejects the invitation.
    mutating func answerInvitation(_ group: GroupID, accepts: Bool, among sources: some MembershipSources) throws {
        guard var state = states[group], let welcome = state.welcome else {
            throw ChatError(.notFound, "There is no invitation to this group any more.")
        }
        if accepts {
            if !state.deliveryProof.isEmpty { emit(.release(state.deliveryProof)) }
            state.deliveryProof = []
            state.isRequest = false
            set(state, of: group)
            return joinIfWhole(group, among: sources)
        }
        let contacts = sources.contacts
        if let inviter = state.inviter, contacts.isAccepted(inviter), let known = contacts.trust[inviter]?.identity {
            send(.leave(group), to: known)
        }
        state.dropWelcome()
        state.refused = welcome.epoch
        state.missing.haveAll()
        set(state, of: group)
        emit(.event(.ended, group))
    }

    /// Leaves a group, or rejects an invitation.
    mutating func leave(_ group: GroupID, among sources: some MembershipSources) throws {
        guard let session = membership(group) else {
            return try answerInvitation(group, accepts: false, among: sources)
        }
        guard !session.isOwner || session.recipients.isEmpty || session.log.fork != nil else {
            throw ChatError.ownsGroup
        }
        for member in session.recipients { send(.leave(group), to: member.identity) }
        change(group) { $0.refused = session.log.epoch }
        endMembership(in: session, among: sources)
    }

    /// Ends every membership: a group knows its members by their ids, and this id is not used any more.
    ///
    /// Owners who are contacts replace the old identity by the new one; in all other groups the members are notified of
    /// the leaving.
    mutating func leaveAll(among sources: some MembershipSources) {
        for group in states.keys.sorted() {
            if let session = membership(group) {
                if !hasContactAsOwner(session, among: sources) {
                    for member in session.recipients { send(.leave(group), to: member.identity) }
                }
                endMembership(in: session, among: sources)
            } else if states[group]?.welcome != nil {
                change(group) { $0.dropWelcome() }
                end(group)
            }
        }
    }

    private mutating func endMembership(in session: GroupSession, among sources: some MembershipSources) {
        if let change = update(session.id, { $0.leave() }) { save(change) }
        if let line = GroupLine.leaving(of: sources.contacts.ownID, in: session.log) {
            emit(.line(line, session.id))
        }
        change(session.id) { state in
            state.dropWelcome()
            state.forgetSecrets()
        }
        end(session.id)
    }

    /// Whether the owner of a group is a contact, who lets this node's user continue under a new identity.
    func hasContactAsOwner(_ session: GroupSession, among sources: some MembershipSources) -> Bool {
        guard !sources.contacts.history.isRevoked, let owner = session.log.owner else { return false }
        return sources.contacts.isAccepted(owner) && sources.contacts.trust.maySend(to: owner)
    }
}
