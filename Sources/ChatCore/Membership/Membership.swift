package import ChatCrypto
import MeshCore

/// The groups of an account: their sessions, and the state of each besides its log and keys.
///
/// The engine carries out its effects after each call. Source: PROTOCOL §16.
package struct Membership: Sendable {
    /// The sessions of all groups that this node is or was in.
    package private(set) var table = GroupTable()
    private(set) var states: [GroupID: GroupState] = [:]
    /// The time at which the stored envelopes of the mesh are tried again, because keys have arrived.
    private var recallAt = MeshInstant.distantFuture
    /// Whether envelopes of sessions are tried again as well: a control message was left unopened, because it arrived
    /// too early.
    private var recallsControlMessages = false
    /// Whether a control message was left unopened since the last time.
    private(set) var hasUnopened = false
    /// The changes of group secrets that the store does not have yet.
    private var secrets = SessionChange()
    private var effects: [MembershipEffect] = []
    /// The groups with new members, who have to learn the timer after all operations.
    private var timersToRepeat: Set<GroupID> = []
    /// The number of control messages among the effects.
    private var queuedCount = 0

    /// Returns the secrets to write and removes them.
    mutating func takeSecrets() -> SessionChange {
        defer { secrets = SessionChange() }
        return secrets
    }

    /// Returns the effects, in order, and removes them.
    mutating func takeEffects() -> [MembershipEffect] {
        defer { (effects, timersToRepeat, queuedCount) = ([], [], 0) }
        return effects + timersToRepeat.sorted().map { .repeatTimer($0) }
    }

    // MARK: - Restoring

    /// Restores the stored records; returns the members that no other record may name.
    mutating func restore(
        _ sessions: [StoredRecord],
        _ records: [ProtoGroupRecord],
        openedBy seals: SecretSeals
    ) throws -> [PublicIdentity] {
        table = try GroupTable.restore(sessions)
        for record in records {
            guard let group = GroupID(bytes: record.id) else { continue }
            states[group] = try GroupState(restoring: record, of: group, openedBy: seals)
        }
        for group in table.groupIDs where states[group] == nil { states[group] = GroupState(group) }
        return table.groupIDs.flatMap { membership($0)?.recipients ?? [] }.map(\.identity)
    }

    /// Notes the facts of an import, or of a rescued store, about a group that this node is not in.
    package mutating func keep(_ imported: ProtoImportedGroup, of group: GroupID) {
        let isKnown = table[group] != nil || states[group]?.welcome != nil
        var state = states[group] ?? GroupState(group)
        if !isKnown { state.imported = imported }
        states[group] = state
    }

    // MARK: - Reading

    /// The time at which ``tick(among:)`` has work to do.
    var nextDeadline: MeshInstant {
        let askAt = states.values.map { min($0.missing.askAt, $0.stateCheck.end) }.min() ?? .distantFuture
        return min(recallAt, askAt)
    }

    /// Returns the session of a group that this node is a member of.
    package func membership(_ group: GroupID) -> GroupSession? {
        table[group].flatMap { $0.isMember ? $0 : nil }
    }

    /// Whether a peer is a member of a group that this node is in too, or has sent a welcome that this node follows.
    func isGroupMember(_ peer: PeerID) -> Bool {
        table.groupIDs.contains { membership($0)?.log.member(peer) != nil }
            || states.values.contains { $0.welcome != nil && !$0.isRequest && $0.inviter == peer }
    }

    /// Whether a peer is a member of a group that this node is in too.
    func isMember(_ peer: PeerID, of group: GroupID) -> Bool { membership(group)?.log.member(peer) != nil }

    /// Returns a group that this node and a peer are members of; nil if there is none.
    func commonGroup(with peer: PeerID) -> GroupSession? {
        table.groupIDs.lazy.compactMap { membership($0) }.first { $0.log.member(peer) != nil }
    }

    /// Returns the public identity of a member of any group.
    func identity(of peer: PeerID) -> PublicIdentity? {
        table.groupIDs.lazy.compactMap { table[$0]?.log.member(peer)?.identity }.first
    }

    /// Makes the error for an action in a group that this node is not in.
    func notMember(_ group: GroupID) -> ChatError {
        states[group] == nil
            ? ChatError(.notFound, "No group has this id.") : ChatError(.notMember, "You are not in the group.")
    }

    // MARK: - Changing

    mutating func emit(_ effect: MembershipEffect) {
        switch effect {
        case .send, .ask, .welcome: queuedCount += 1
        default: break
        }
        effects.append(effect)
    }

    mutating func send(_ control: ControlMessage, to member: PublicIdentity) { emit(.send(control, to: member)) }

    /// Writes a change of the secrets of groups.
    mutating func save(_ change: SessionChange) { secrets.supersede(with: change) }

    /// Schedules a repetition of a group's timer: new members cannot open the message that set it.
    mutating func repeatTimer(of group: GroupID) { timersToRepeat.insert(group) }

    /// Returns the number of control messages that fit into the outbox, besides those among the effects.
    func freeControlCount(among sources: some MembershipSources) -> Int {
        max(0, ChatLimits.controlCount - sources.controlCount - queuedCount)
    }

    /// Changes the state of a known group.
    mutating func change(_ group: GroupID, _ body: (inout GroupState) -> Void) {
        guard var state = states.removeValue(forKey: group) else { return }
        body(&state)
        states[group] = state
    }

    /// Writes that a group has changed.
    mutating func touch(_ group: GroupID) {
        if states[group] == nil { states[group] = GroupState(group) }
        effects.append(.touched(group))
    }

    /// Writes a group's new state.
    mutating func set(_ state: GroupState, of group: GroupID) {
        states[group] = state
        effects.append(.touched(group))
    }

    /// Runs a step of a session; nil for an unknown group.
    mutating func update<Result, Failure: Error>(
        _ group: GroupID,
        _ body: (inout GroupSession) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        try table.update(group, body)
    }

    /// Creates a group with one member, who owns it.
    mutating func create(
        _ founder: GroupMember,
        _ title: GroupTitle,
        _ policy: GroupPolicy,
        ownerKey: GroupOwnerKey,
        among sources: some MembershipSources
    ) throws(CryptoError) -> GroupID {
        let now = sources.time.seconds
        let created = try GroupSession.create(as: founder, title: title, policy: policy, ownerKey: ownerKey, at: now)
        let group = created.session.id
        try insert(created.session, among: sources)
        save(created.change)
        touch(group)
        if !sources.isRoom { emit(.event(.joined, group)) }
        change(group) { state in
            state.past = GroupPast(policy, at: created.session.log.epoch)
            state.repeatedAt = now
        }
        for operation in created.session.log.operations {
            let lines = GroupLine.lines(of: operation, after: MembershipLog(foundingKey: ownerKey.publicKey))
            for line in lines { emit(.line(line, group)) }
        }
        return group
    }

    /// Adds a session, and makes room for it if necessary.
    mutating func insert(_ session: GroupSession, among sources: some MembershipSources) throws(CryptoError) {
        let known = table.groupIDs
        if known.count >= GroupLimits.maximumGroups {
            let past = known.filter { membership($0) == nil }
            if let oldest = oldest(among: past, sources) { save(table.remove(oldest)) }
        }
        try table.insert(session)
    }

    /// Forgets the session of a group.
    mutating func removeSession(of group: GroupID) { save(table.remove(group)) }

    /// Forgets the oldest welcome that waits, for the user or for the state of its group, if the limit is reached.
    mutating func makeRoomForInvitation(among sources: some MembershipSources) {
        let waiting = states.filter { $0.value.welcome != nil && membership($0.key) == nil }.keys
        guard waiting.count >= ChatLimits.requestCount, let oldest = oldest(among: waiting, sources),
            var state = states.removeValue(forKey: oldest)
        else { return }
        let inviter = state.inviter
        // The group of a user who has left it stays, with its history.
        if state.refused > 0 || state.imported != nil || table[oldest] != nil {
            state.dropWelcome()
            state.missing.haveAll()
            set(state, of: oldest)
            emit(.event(.ended, oldest))
        }
        let isNeeded = inviter.map { peer in isGroupMember(peer) || states.values.contains { $0.inviter == peer } }
        effects.append(.forgotten(oldest, inviter: isNeeded == false ? inviter : nil))
    }

    private func oldest(among groups: some Sequence<GroupID>, _ sources: some MembershipSources) -> GroupID? {
        groups.min { (sources.changedAt($0), $0) < (sources.changedAt($1), $1) }
    }

    /// Ends all activity in a group: its keys are deleted.
    mutating func end(_ group: GroupID) {
        change(group) { $0.missing.haveAll() }
        touch(group)
        effects.append(.ended(group))
    }

    // MARK: - Messages

    /// Seals contents once for all members.
    mutating func seal(
        _ contents: [[UInt8]],
        for group: GroupID,
        by identity: Identity,
        at now: UInt32
    ) throws -> (body: [UInt8], epoch: UInt32) {
        guard states[group] != nil, membership(group) != nil else { throw notMember(group) }
        let sealed: (message: SealedGroupMessage, change: SessionChange)?
        do {
            sealed = try table.update(group) { (session: inout GroupSession) throws(CryptoError) in
                try session.seal(contents, by: identity, at: now)
            }
        } catch {
            throw ChatError(refusal: error)
        }
        guard let sealed else { throw notMember(group) }
        save(sealed.change)
        return (sealed.message.body, sealed.message.epoch)
    }

    /// Chooses the members that confirm a message: all in a small group, 16 in a large one.
    func confirming(_ id: MessageID, sealedIn epoch: UInt32, in group: GroupID) -> [PeerID] {
        guard let session = membership(group) else { return [] }
        return session.confirmingSlots(for: id, epoch: epoch).compactMap { session.log.table[$0]?.member.identity.id }
    }

    /// A message to a group that has opened.
    struct Opened {
        let contents: [[UInt8]]
        /// The member that wrote it; nil for a notice, which any member can have made.
        let sender: PeerID?
        let epoch: UInt32
        let group: GroupID
    }

    /// Opens a message to a group; nil for anything else, which changes nothing.
    mutating func open(_ body: [UInt8], at now: UInt32) -> Opened? {
        guard let opened = table.open(InboundPacket(kind: .sealed, body: body), at: now) else { return nil }
        save(opened.change)
        let (group, epoch) = (opened.group, opened.epoch)
        switch opened.opening {
        case .message(let contents, let sender, _):
            change(group) { $0.noteOpened() }
            return Opened(contents: contents, sender: sender.id, epoch: epoch, group: group)
        case .notice(let contents):
            change(group) { $0.noteOpened() }
            return Opened(contents: contents, sender: nil, epoch: epoch, group: group)
        case .equivocation(let member):
            var isChange = false
            change(group) { isChange = $0.reportEquivocation(of: member.id) }
            guard isChange else { return nil }
            effects.append(.event(.equivocation(by: member.id), group))
        case .needsDevice, .refused: break
        }
        return nil
    }

    // MARK: - Trying again

    /// Notes that an envelope was left unopened that may open later.
    mutating func noteUnopened() { hasUnopened = true }

    /// Schedules another try of the stored envelopes of the mesh, because keys have arrived.
    mutating func recallSoon(at now: MeshInstant) {
        recallAt = min(recallAt, now.advanced(by: ChatLimits.recallDelay))
        if hasUnopened { recallsControlMessages = true }
    }

    /// Does all work that is due.
    mutating func tick(among sources: some MembershipSources) {
        if recallAt <= sources.time.monotonic {
            effects.append(.recall(withControlMessages: recallsControlMessages))
            recallAt = .distantFuture
            if recallsControlMessages { hasUnopened = false }
            recallsControlMessages = false
        }
        askForOperations(among: sources)
        endStateChecks(among: sources)
    }

    /// Drops expired keys.
    mutating func expire(at now: UInt32) { save(table.expire(at: now)) }
}
