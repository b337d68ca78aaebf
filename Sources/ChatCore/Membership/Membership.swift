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
        notify(created.session.log)
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

    /// Forgets the oldest invitation, if the limit is reached.
    mutating func makeRoomForInvitation(among sources: some MembershipSources) {
        let requests = states.filter { $0.value.isRequest }.keys
        guard requests.count >= ChatLimits.requestCount, let oldest = oldest(among: requests, sources) else { return }
        let inviter = states.removeValue(forKey: oldest)?.inviter
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

    /// Seals a content once for all members, and sends them the sender key if it is new.
    mutating func seal(
        _ contents: [[UInt8]],
        for group: GroupID,
        at now: UInt32
    ) throws -> (body: [UInt8], epoch: UInt32, recipients: [PeerID]) {
        guard states[group] != nil, let before = membership(group) else { throw notMember(group) }
        let sealed: (message: SealedGroupMessage, newKey: SenderKeyMessage?)?
        do {
            sealed = try table.update(group) { (session: inout GroupSession) throws(CryptoError) in
                try session.seal(contents, at: now)
            }
        } catch {
            throw ChatError(refusal: error)
        }
        guard let sealed else { throw notMember(group) }
        if let key = sealed.newKey {
            for member in before.recipients { send(key, of: before, to: member.identity) }
        }
        return (sealed.message.body, sealed.message.epoch, before.recipients.map(\.identity.id))
    }

    /// Opens a message to a group; nil for anything else, which changes nothing.
    mutating func open(
        _ body: [UInt8],
        at now: UInt32
    ) -> (contents: [[UInt8]], sender: PeerID, epoch: UInt32, group: GroupID)? {
        guard let opened = table.open(InboundPacket(kind: .sealed, body: body), at: now) else { return nil }
        save(opened.change)
        switch opened.opening {
        case .message(let contents, let sender): return (contents, sender.id, opened.epoch, opened.group)
        case .equivocation(let member):
            var isChange = false
            change(opened.group) { isChange = $0.reportEquivocation(of: member.id) }
            guard isChange else { return nil }
            effects.append(.event(.equivocation(by: member.id), opened.group))
        case .needsKey, .refused: break
        }
        return nil
    }

    /// Sends this node's sender key to a member.
    mutating func send(_ key: SenderKeyMessage, of session: GroupSession, to member: PublicIdentity) {
        let history = session.log.operations[Int(key.epoch) - 1].hash.prefix(ControlMessage.historyByteCount)
        send(.senderKey(key, history: Array(history)), to: member)
    }

    /// Sends a peer that has reset its session the sender keys that it may have lost.
    mutating func resendKeys(to peer: PeerID, at now: UInt32) {
        for group in table.groupIDs.sorted() {
            guard let session = membership(group), let key = session.currentKey(at: now),
                let member = session.recipients.first(where: { $0.identity.id == peer })
            else { continue }
            send(key, of: session, to: member.identity)
        }
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
