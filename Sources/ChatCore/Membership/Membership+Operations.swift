import ChatCrypto
import MeshCore

/// The changes of groups: the owner's operations, sent and applied.
extension Membership {
    /// Performs operations as the owner, all of them or none, and sends them to all members concerned.
    ///
    /// - Parameter welcoming: Whether new members are sent their welcome; otherwise they get it by other means.
    mutating func perform(
        _ actions: [GroupOperation.Action],
        in group: GroupID,
        welcoming: Bool = true,
        among sources: some MembershipSources
    ) throws {
        guard let before = membership(group) else { throw notMember(group) }
        let now = sources.time.seconds
        var updates: [GroupUpdate] = []
        var changes: [SessionChange] = []
        do {
            try update(group) { (session: inout GroupSession) throws(CryptoError) in
                var next = session
                for action in actions {
                    let step = try next.perform(action, at: now)
                    updates.append(step.update)
                    changes.append(step.change)
                }
                session = next
            }
        } catch {
            throw ChatError(refusal: error)
        }
        for change in changes { save(change) }
        change(group) { $0.stateCheck.settle() }
        let operations = updates.map(\.operation)
        let controlMessages = ControlMessage.controlMessages(updates, bare: [], of: group)
        for member in before.recipients {
            let removal = operations.first { $0.action.expelled == member.identity.id }
            let ending = removal.map { ControlMessage.operations(group, updates: [], bare: [$0]) }
            for control in ending.map({ [$0] }) ?? controlMessages { send(control, to: member.identity) }
        }
        for operation in operations { follow(operation, before: before, in: group, among: sources) }
        for case .add(let member) in actions where welcoming { emit(.welcome(member, into: group)) }
        if actions.contains(where: \.isAdmission) { repeatTimer(of: group) }
    }

    /// Performs operations that follow from other members' messages; does nothing if they are impossible.
    mutating func performIfPossible(
        _ actions: [GroupOperation.Action],
        in group: GroupID,
        welcoming: Bool = true,
        among sources: some MembershipSources
    ) {
        guard let session = membership(group), session.log.fork == nil,
            session.log.members.count < freeControlCount(among: sources)
        else { return }
        guard isSure(of: group, among: sources) else { return confirm(group, among: sources) }
        var trial = session
        for action in actions {
            guard (try? trial.perform(action, at: sources.time.seconds)) != nil else { return }
        }
        // The trial has shown that no operation is refused.
        try? perform(actions, in: group, welcoming: welcoming, among: sources)
    }

    /// Returns the session of a group whose next operation this node may sign.
    func ownedSession(_ group: GroupID, among sources: some MembershipSources) throws -> GroupSession {
        guard let session = membership(group) else { throw notMember(group) }
        try sources.contacts.history.checkWriting()
        guard session.isOwner else { throw ChatError(.notOwner, "Only the owner of the group can do that.") }
        guard isSure(of: group, among: sources) else { throw ChatError.unsureOfGroup }
        guard session.log.members.count < freeControlCount(among: sources) else {
            throw ChatError.tooManyControlMessages
        }
        return session
    }

    // MARK: - Operations of others

    /// Handles operations that a member forwarded, in rising order.
    mutating func receive(
        _ updates: [GroupUpdate],
        of group: GroupID,
        from sender: PeerID,
        among sources: some MembershipSources
    ) {
        if membership(group) == nil, states[group]?.welcome != nil {
            complete(group, with: updates.map(\.operation), from: sender, among: sources)
        }
        guard let asked = membership(group), asked.log.member(sender) != nil else { return }
        apply(updates, of: group, among: sources)
        takeAnswer(updates, to: asked, from: sender, among: sources)
    }

    private mutating func apply(_ updates: [GroupUpdate], of group: GroupID, among sources: some MembershipSources) {
        for (index, update) in updates.enumerated() {
            guard let before = membership(group) else { return }
            // An owner who has lost its own operations needs no key of an epoch that ended long ago.
            let isOver = before.isOwner && updates.dropFirst(index + 1).contains(where: \.bringsKey)
            let now = sources.time.seconds
            guard let applied = self.update(group, { $0.apply(update, isOver: isOver, at: now) }) else { return }
            save(applied.change)
            switch applied.outcome {
            case .applied: follow(update.operation, before: before, in: group, among: sources)
            case .forked(let fork): notify(fork, of: group)
            case .known: continue
            case .gap, .refused: return
            }
        }
    }

    /// Carries out the consequences of an operation that has been applied.
    private mutating func follow(
        _ operation: GroupOperation,
        before: GroupSession,
        in group: GroupID,
        among sources: some MembershipSources
    ) {
        let own = sources.contacts.ownID
        recallSoon(at: sources.time.monotonic)
        if let log = table[group]?.log, let line = GroupLine.line(of: operation.epoch, in: log) {
            emit(.line(line, group))
        }
        switch operation.action {
        case .add(let member):
            emit(.meet(member.identity))
            if let session = membership(group), let key = session.currentKey(at: sources.time.seconds) {
                send(key, of: session, to: member.identity)
            }
            emit(.event(.added(member.identity.id), group))
        case .remove(own), .removeLeaver(own): return end(group)
        case .remove(let peer), .removeLeaver(let peer):
            emit(.dropped(peer, group))
            guard !before.leavers.contains(peer) else { break }
            emit(.event(operation.action == .removeLeaver(peer) ? .left(peer) : .removed(peer), group))
        case .rename(let title): emit(.event(.renamed(title.text), group))
        case .handover(let peer, _):
            if peer == own { change(group) { $0.stateCheck.settle() } }
            emit(.event(.ownershipTransferred(to: peer), group))
            emit(.ownershipTransferred(group, to: peer))
            // The new owner removes the members who have announced to leave.
            if peer == own { emit(.runHousekeeping) }
        case .policy(let policy):
            emit(.event(.policyChanged, group))
            emit(.policy(policy, after: before.log.policy))
        case .renew: break
        }
        touch(group)
    }

    /// Reports two histories, and sends all members the proof.
    private mutating func notify(_ fork: GroupFork, of group: GroupID) {
        emit(.event(.forked, group))
        let proof = ControlMessage.operations(group, updates: [], bare: [fork.own, fork.other])
        for member in membership(group)?.recipients ?? [] { send(proof, to: member.identity) }
    }

    // MARK: - Missing operations

    /// Answers a member that lacks operations: those since it joined with their keys, the others without keys.
    mutating func answerRequest(
        of group: GroupID,
        from epoch: UInt32,
        by peer: PeerID,
        among sources: some MembershipSources
    ) {
        guard let session = membership(group), sources.inFlightCount(to: peer) < ChatLimits.controlsInFlightCount else {
            return
        }
        var joining: GroupOperation?
        var exit: GroupOperation?
        for operation in session.log.operations {
            if case .add(let member) = operation.action, member.identity.id == peer {
                (joining, exit) = (operation, nil)
            }
            if operation.action.expelled == peer { exit = operation }
        }
        guard case .add(let member) = joining?.action, let joining else { return }
        var updates: [GroupUpdate] = []
        var bare: [GroupOperation] = []
        for operation in session.operations(from: epoch, limit: ControlMessage.operationCount) {
            if operation.epoch <= joining.epoch || operation == exit {
                bare.append(operation)
            } else if let update = session.update(of: operation.epoch) {
                updates.append(update)
            } else {
                guard session.log.owner == peer else { break }
                bare.append(operation)
            }
            if operation == exit { break }
        }
        guard let control = ControlMessage.controlMessages(updates, bare: bare, of: group).first else { return }
        send(control, to: member.identity)
    }

    /// Requests operations that are missing and have not arrived by themselves.
    mutating func askForOperations(among sources: some MembershipSources) {
        let now = sources.time.monotonic
        for (group, state) in states.sorted(by: { $0.key < $1.key }) where state.missing.askAt <= now {
            let missing = state.missing
            let log = membership(group)?.log ?? (state.isRequest ? nil : state.welcome?.log)
            guard let log, log.epoch < missing.epoch, log.fork == nil else {
                change(group) { $0.missing.haveAll() }
                continue
            }
            let isTurnOfSource = missing.askCount.isMultiple(of: 2)
            let known = isTurnOfSource ? missing.source ?? log.owner : log.owner ?? missing.source
            if let known, known != sources.contacts.ownID,
                let identity = sources.contacts.trust[known]?.identity ?? log.member(known)?.identity
            {
                send(.request(group, from: log.epoch + 1), to: identity)
            }
            change(group) { $0.missing.noteAsked(at: now) }
        }
    }
}

extension GroupOperation.Action {
    /// Whether it adds a member.
    fileprivate var isAdmission: Bool {
        if case .add = self { true } else { false }
    }
}
