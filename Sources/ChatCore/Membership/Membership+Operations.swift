import ChatCrypto
import MeshCore

/// The changes of groups: the owner's operations, sent and applied.
extension Membership {
    /// Makes changes as the owner, all of them or none, and sends them to all members concerned.
    ///
    /// - Parameter welcoming: Whether new members are sent their welcome; otherwise they get it by other means.
    mutating func perform(
        _ actions: [GroupAction],
        in group: GroupID,
        welcoming: Bool = true,
        among sources: some MembershipSources
    ) throws {
        let now = sources.time.seconds
        let added = actions.compactMap { if case .add(let member) = $0 { member } else { nil } }
        guard !welcoming || added.count <= freeControlCount(among: sources) else {
            throw ChatError.tooManyControlMessages
        }
        try perform(Self.portions(of: actions), in: group, welcoming: welcoming, among: sources) {
            (session, portion) throws(CryptoError) in
            try session.perform(portion, at: now)
        }
        if !added.isEmpty { repeatTimer(of: group) }
    }

    /// Splits changes into those of one operation each.
    static func portions(of actions: [GroupAction]) -> [[GroupAction]] {
        stride(from: 0, to: actions.count, by: GroupLimits.maximumEdits).map {
            Array(actions[$0..<min(actions.count, $0 + GroupLimits.maximumEdits)])
        }
    }

    /// Signs an operation for each portion of changes as the owner, all or none, and sends operations and secrets to all
    /// members concerned.
    mutating func perform<Portion>(
        _ portions: [Portion],
        in group: GroupID,
        welcoming: Bool = true,
        among sources: some MembershipSources,
        _ step: (inout GroupSession, Portion) throws(CryptoError) -> (update: GroupUpdate, change: SessionChange)
    ) throws {
        guard membership(group) != nil else { throw notMember(group) }
        var results: [(before: GroupSession, after: GroupSession, update: GroupUpdate, change: SessionChange)] = []
        do {
            try update(group) { (session: inout GroupSession) throws(CryptoError) in
                var next = session
                for portion in portions {
                    let before = next
                    let (update, change) = try step(&next, portion)
                    results.append((before, next, update, change))
                }
                session = next
            }
        } catch {
            throw ChatError(refusal: error)
        }
        change(group) { $0.stateCheck.settle(at: sources.time.seconds) }
        for (before, after, update, change) in results {
            save(change)
            if !before.recipients.isEmpty {
                spread([update.operation], of: group, sealedIn: update.operation.epoch - 1, among: sources)
            }
            for (member, secret) in update.leaves { send(.leaf(group, secret), to: member.identity) }
            follow(update.operation, before: before, in: group, among: sources)
            if let secrets = update.tree { handOver(secrets, of: group) }
            guard welcoming else { continue }
            // A new member whose welcome is of a later epoch than its joining could not write at once.
            for case .add(_, let member) in update.operation.edits { emit(.welcome(member, from: after)) }
        }
    }

    /// Spreads operations to all members that had the keys of an epoch.
    mutating func spread(
        _ operations: [GroupOperation],
        of group: GroupID,
        sealedIn epoch: UInt32,
        among sources: some MembershipSources
    ) {
        guard epoch > 0, let session = membership(group) else { return }
        let content = MessageContent.control(.operations(group, operations), at: sources.time)
        guard let notice = try? session.sealNotice([content], epoch: epoch) else { return }
        emit(.spread(notice, of: group))
    }

    /// Performs operations that follow from other members' messages; does nothing if they are impossible.
    mutating func performIfPossible(
        _ actions: [GroupAction],
        in group: GroupID,
        welcoming: Bool = true,
        among sources: some MembershipSources
    ) {
        guard let session = membership(group), session.log.fork == nil else { return }
        guard isSure(of: group, among: sources) else { return confirm(group, among: sources) }
        // An operation that is refused changes nothing.
        try? perform(actions, in: group, welcoming: welcoming, among: sources)
    }

    /// Returns the session of a group whose next operation this node may sign.
    ///
    /// - Parameter orAdmin: Whether an admin, who may propose an operation, is enough.
    func ownedSession(
        _ group: GroupID,
        orAdmin: Bool = false,
        among sources: some MembershipSources
    ) throws -> GroupSession {
        guard let session = membership(group) else { throw notMember(group) }
        try sources.contacts.history.checkWriting()
        let isAdmin = session.log.isAdmin(sources.contacts.ownID)
        guard session.isOwner || orAdmin && isAdmin else {
            throw orAdmin
                ? ChatError(.notOwner, "Only the owner and the admins of the group can do that.")
                : ChatError(.notOwner, "Only the owner of the group can do that.")
        }
        guard isSure(of: group, among: sources) else { throw ChatError.unsureOfGroup }
        guard freeControlCount(among: sources) > 0 else { throw ChatError.tooManyControlMessages }
        return session
    }

    // MARK: - Operations of others

    /// Handles operations that a member forwarded, in rising order.
    mutating func receive(
        _ operations: [GroupOperation],
        of group: GroupID,
        from sender: PeerID,
        among sources: some MembershipSources
    ) {
        guard let asked = membership(group), asked.log.member(sender) != nil else { return }
        apply(operations, of: group, among: sources)
        takeAnswer(operations, to: asked, from: sender, among: sources)
    }

    /// Handles the operations of a notice, which any member can have made.
    ///
    /// They follow the epoch of the notice. So no notice makes all members ask for operations that there are not.
    mutating func receiveNotice(
        _ operations: [GroupOperation],
        of group: GroupID,
        sealedIn epoch: UInt32,
        among sources: some MembershipSources
    ) {
        guard operations.first?.epoch == epoch + 1 else { return }
        apply(operations, of: group, among: sources)
    }

    /// Applies operations as far as they follow each other.
    mutating func apply(_ operations: [GroupOperation], of group: GroupID, among sources: some MembershipSources) {
        for operation in operations {
            guard let before = membership(group) else { return }
            let (leaf, now) = (states[group]?.leaf, sources.time.seconds)
            guard let applied = update(group, { $0.apply(operation, leaf: leaf, at: now) }) else { return }
            save(applied.change)
            switch applied.outcome {
            case .applied: follow(operation, before: before, in: group, among: sources)
            case .forked(let fork): notify(fork, of: group, among: sources)
            case .known: continue
            case .refused(.needsLeaf), .refused(.needsPath):
                return wait(for: operation, of: before.log, among: sources)
            case .gap, .refused: return
            }
        }
    }

    /// Carries out the consequences of an operation that has been applied.
    ///
    /// - Parameter before: The group before it.
    private mutating func follow(
        _ operation: GroupOperation,
        before: GroupSession,
        in group: GroupID,
        among sources: some MembershipSources
    ) {
        let log = before.log
        recallSoon(at: sources.time.monotonic)
        for line in GroupLine.lines(of: operation, after: log) { emit(.line(line, group)) }
        change(group) { $0.noteApplied(operation, after: log) }
        for edit in operation.edits { follow(edit, before: before, in: group, among: sources) }
        let isOver = membership(group) == nil
        if isOver {
            change(group) { state in
                // The owner may have invited this node again already.
                if state.inviter != log.owner { state.dropWelcome() }
                state.forgetSecrets()
            }
        }
        isOver ? end(group) : touch(group)
    }

    private mutating func follow(
        _ edit: GroupEdit,
        before: GroupSession,
        in group: GroupID,
        among sources: some MembershipSources
    ) {
        let log = before.log
        let own = sources.contacts.ownID
        switch edit {
        case .add(_, let member):
            emit(.meet(member.identity))
            emit(.event(.added(member.identity.id), group))
        case .remove(let slot), .removeLeaver(let slot):
            guard let peer = log.table[slot]?.member.identity.id, peer != own else { return }
            emit(.dropped(peer, group))
            guard !before.leavers.contains(peer) else { return }
            emit(.event(edit == .removeLeaver(slot) ? .left(peer) : .removed(peer), group))
        case .rename(let title): emit(.event(.renamed(title.text), group))
        case .handover, .takeover:
            guard let peer = table[group]?.log.owner else { return }
            change(group) { $0.treeAwaitedUntil = nil }
            if peer == own { change(group) { $0.stateCheck.settle(at: sources.time.seconds) } }
            emit(.event(.ownershipTransferred(to: peer), group))
            emit(.ownershipTransferred(group, to: peer))
            // The new owner removes the members who have announced to leave.
            if peer == own { emit(.runHousekeeping) }
        case .policy(let policy):
            emit(.event(.policyChanged, group))
            emit(.policy(policy, after: log.policy))
        case .renew: break
        }
    }

    /// Reports two histories, and sends all members the proof.
    private mutating func notify(_ fork: GroupFork, of group: GroupID, among sources: some MembershipSources) {
        emit(.event(.forked, group))
        // The members of both histories have the keys of the epoch before them.
        let fitsOne = fork.own.bytes.count + fork.other.bytes.count <= ChatLimits.operationsByteCount
        for operations in fitsOne ? [[fork.own, fork.other]] : [[fork.own], [fork.other]] {
            spread(operations, of: group, sealedIn: operations[0].epoch - 1, among: sources)
        }
    }

    // MARK: - Missing operations

    /// Notes that operations up to an epoch are missing; those in transit may still arrive by themselves.
    mutating func want(
        _ epoch: UInt32,
        of group: GroupID,
        from source: PeerID,
        among sources: some MembershipSources
    ) {
        guard let log = membership(group)?.log, epoch > log.epoch, log.fork == nil else { return }
        let later = sources.time.monotonic.advanced(by: ChatLimits.groupAskPause)
        change(group) { state in
            state.missing.want(epoch, from: source, at: later)
            if log.owner == sources.contacts.ownID { state.stateCheck.raise() }
        }
    }

    /// Answers a member that lacks operations, and a former member about its removal.
    mutating func answerRequest(
        of group: GroupID,
        _ request: OperationRequest,
        by peer: PeerID,
        among sources: some MembershipSources
    ) {
        guard let session = membership(group), sources.inFlightCount(to: peer) < ChatLimits.controlsInFlightCount else {
            return
        }
        guard let member = session.log.member(peer) else {
            return answerFormerMember(peer, of: session, from: request.from, among: sources)
        }
        // A member that asks for operations after those that are here knows more.
        if request.from > session.log.epoch + 1 {
            return want(request.from - 1, of: group, from: peer, among: sources)
        }
        let isTooOld = session.operations(from: request.from, limit: 1).isEmpty && request.from <= session.log.epoch
        if session.isOwner, request.wantsPath || isTooOld {
            var mayWelcome = false
            change(group) { mayWelcome = $0.noteWelcome(of: peer, at: sources.time.monotonic) }
            if mayWelcome { emit(.welcome(member, from: session)) }
            return
        }
        // The newest operation alone tells the member that it has to ask the owner.
        if isTooOld { return send(.operations(group, session.log.operations.suffix(1)), to: member.identity) }
        let before = session.operations(from: request.from - 1, limit: 1).first
        let isOther = !request.history.isEmpty && before.map { !$0.hash.starts(with: request.history) } == true
        let first = isOther ? request.from - 1 : request.from
        let operations = session.operations(from: first, limit: ControlMessage.operationCount)
        guard let control = ControlMessage.ofOperations(operations, of: group) else { return }
        send(control, to: member.identity)
    }

    /// Sends a former member the operations up to its removal.
    private mutating func answerFormerMember(
        _ peer: PeerID,
        of session: GroupSession,
        from epoch: UInt32,
        among sources: some MembershipSources
    ) {
        guard let left = states[session.id]?.past.former.last(where: { $0.peer == peer })?.left, epoch <= left,
            let identity = sources.contacts.trust[peer]?.identity
        else { return }
        let operations = session.operations(from: epoch, limit: ControlMessage.operationCount)
        let control = ControlMessage.ofOperations(operations.filter { $0.epoch <= left }, of: session.id)
        if let control { send(control, to: identity) }
    }

    /// Asks the member that was seen last for operations that this node may lack without knowing.
    mutating func lookForOperations(of group: GroupID, among sources: some MembershipSources) {
        guard let session = membership(group), !session.isOwner, session.log.fork == nil else { return }
        var isDue = false
        change(group) { isDue = $0.takeLook(at: sources.time.monotonic) }
        guard isDue, let member = byLastSeen(of: session, among: sources).first else { return }
        send(.request(group, OperationRequest(after: session.log)), to: member)
    }

    /// Requests operations that are missing and have not arrived by themselves.
    mutating func askForOperations(among sources: some MembershipSources) {
        let now = sources.time.monotonic
        for (group, state) in states.sorted(by: { $0.key < $1.key }) where state.missing.askAt <= now {
            let missing = state.missing
            let log = membership(group)?.log
            let isJoining = log == nil && state.welcome != nil && !state.isRequest
            guard isJoining || log.map({ $0.epoch < missing.epoch && $0.fork == nil }) == true else {
                change(group) { $0.missing.haveAll() }
                continue
            }
            guard isJoining || missing.askCount < ChatLimits.groupAskCount else {
                change(group) { $0.missing.haveAll() }
                continue
            }
            let known = memberToAsk(for: missing, of: group, among: sources)
            if let known, known != sources.contacts.ownID,
                sources.inFlightCount(to: known) < ChatLimits.controlsInFlightCount,
                let identity = sources.contacts.trust[known]?.identity ?? log?.member(known)?.identity
            {
                let wantsPath = missing.needsPath || log == nil
                let request = log.map { OperationRequest(after: $0, wantsPath: wantsPath) }
                send(.request(group, request ?? OperationRequest(from: 1, wantsPath: true)), to: identity)
            }
            change(group) { $0.missing.noteAsked(at: now) }
        }
    }

    /// Chooses the next member to ask: first the one known to have the operations, then the owner by turns with each other
    /// member, because the group may have been handed over.
    private func memberToAsk(
        for missing: MissingOperations,
        of group: GroupID,
        among sources: some MembershipSources
    ) -> PeerID? {
        guard let session = membership(group) else { return missing.source }
        let turn = missing.askCount
        guard turn.isMultiple(of: 2) else { return session.log.owner ?? missing.source }
        guard turn > 0 else { return missing.needsPath ? session.log.owner : missing.source ?? session.log.owner }
        let others = byLastSeen(of: session, among: sources)
        return others.isEmpty ? missing.source : others[(turn / 2 - 1) % others.count].id
    }
}
