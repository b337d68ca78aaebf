import ChatCrypto
import MeshCore

/// How groups change: the owner's operations, on their way and applied.
extension ChatEngine {
    /// Does things as the owner, all of them or none, and tells everybody whom they concern.
    ///
    /// - Parameter welcoming: Whether newcomers are sent their welcome; else they get it by other means.
    mutating func perform(
        _ actions: [GroupOperation.Action],
        in group: GroupID,
        welcoming: Bool = true
    ) throws {
        guard let before = groups.membership(group) else { throw Self.notMember(group, groups) }
        let now = step.time.seconds
        var updates: [GroupUpdate] = []
        var changes: [SessionChange] = []
        do {
            try groups.table.update(group) { (session: inout GroupSession) throws(CryptoError) in
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
        for change in changes { records.write(change, in: &step) }
        groups.states[group]?.doubt = .settled
        let operations = updates.map(\.operation)
        let notes = Self.notes(updates, bare: [], of: group)
        for member in before.recipients {
            let removal = operations.first { $0.action.expelled == member.identity.id }
            let ending = removal.map { GroupNote.operations(group, updates: [], bare: [$0]) }
            for note in ending.map({ [$0] }) ?? notes { try send(note, to: member.identity) }
        }
        for operation in operations {
            try follow(operation, before: before, in: group)
        }
        for case .add(let newcomer) in actions where welcoming {
            try welcome(newcomer, into: group)
        }
        if actions.contains(where: \.isAdmission) { repeatTimer(of: group) }
    }

    /// Sets the group's timer to what it is: newcomers cannot open what set it before they came.
    private mutating func repeatTimer(of group: GroupID) {
        let timer = conversations.timer(of: conversationID(of: group))
        guard timer.seconds > 0 else { return }
        // Where the outbox is full they learn it from the messages, which have it in them.
        _ = try? setTimer(.seconds(Int64(timer.seconds)), of: conversationID(of: group))
    }

    /// The same for what follows from what others said: where it cannot be done, nothing is.
    mutating func performIfPossible(
        _ actions: [GroupOperation.Action],
        in group: GroupID,
        welcoming: Bool = true
    ) throws {
        guard let session = groups.membership(group), session.log.fork == nil,
            outbox.noteCount + session.log.members.count < ChatLimits.noteCount
        else { return }
        guard isSure(of: group) else { return try confirm(group) }
        var trial = session
        for action in actions {
            guard (try? trial.perform(action, at: step.time.seconds)) != nil else { return }
        }
        try perform(actions, in: group, welcoming: welcoming)
    }

    private mutating func welcome(
        _ newcomer: GroupMember,
        into group: GroupID
    ) throws {
        guard let session = groups.membership(group) else { return }
        let welcome = session.welcome(
            remainingSeconds: room?.remainingSeconds(at: step.time.monotonic) ?? 0,
            bundles: roster(of: session, for: newcomer.identity.id),
            maximumByteCount: ChatLimits.welcomeByteCount
        )
        guard let welcome else { return }
        try send(.welcome(welcome), to: newcomer.identity)
    }

    // MARK: - Operations of others

    /// Takes operations that somebody passed on, in rising order.
    mutating func receive(
        _ updates: [GroupUpdate],
        of group: GroupID,
        from sender: PeerID
    ) throws {
        if groups.membership(group) == nil, groups.states[group]?.welcome != nil {
            try complete(group, with: updates.map(\.operation), from: sender)
        }
        guard let asked = groups.membership(group), asked.log.member(sender) != nil else { return }
        try apply(updates, of: group)
        try takeAnswer(updates, to: asked, from: sender)
    }

    private mutating func apply(
        _ updates: [GroupUpdate],
        of group: GroupID
    ) throws {
        for (index, update) in updates.enumerated() {
            guard let before = groups.membership(group) else { return }
            // An owner who has lost its own operations needs no key of an epoch that is long over.
            let isOver = before.isOwner && updates.dropFirst(index + 1).contains(where: \.bringsKey)
            let applied = groups.table.update(group) {
                $0.apply(update, isOver: isOver, at: step.time.seconds)
            }
            guard let applied else { return }
            records.write(applied.change, in: &step)
            switch applied.outcome {
            case .applied: try follow(update.operation, before: before, in: group)
            case .forked(let fork): try tell(fork, of: group)
            case .known: continue
            case .gap, .refused: return
            }
        }
    }

    /// What an operation that has been applied leads to here.
    private mutating func follow(
        _ operation: GroupOperation,
        before: GroupSession,
        in group: GroupID
    ) throws {
        recallSoon()
        try placeLine(of: operation, in: group)
        switch operation.action {
        case .add(let member):
            try meet(member.identity)
            if let session = groups.membership(group), let key = session.currentKey(at: step.time.seconds) {
                try send(key, of: session, to: member.identity)
            }
            step.perform(.tell(.group(group, .added(member.identity.id))))
        case .remove(ownID), .letGo(ownID): return try end(group)
        case .remove(let peer), .letGo(let peer):
            try forgetRecipient(peer, of: group)
            try dropNotes(to: peer, of: group)
            forgetNewcomer(peer, of: group)
            guard !before.leavers.contains(peer) else { break }
            let hasLeft = operation.action == .letGo(peer)
            step.perform(.tell(.group(group, hasLeft ? .left(peer) : .removed(peer))))
        case .rename(let title): step.perform(.tell(.group(group, .renamed(title.text))))
        case .handover(let peer, _):
            if peer == ownID { groups.states[group]?.doubt = .settled }
            step.perform(.tell(.group(group, .handedOver(to: peer))))
            let identity = peer == ownID ? sessions.identity : nil
            room?.handOver(of: group, to: identity, at: step.time)
            try settleRoom()
            // Those who have said that they leave are put out by the new owner.
            if peer == ownID { nextHousekeeping = step.time.monotonic }
        case .policy(let policy):
            step.perform(.tell(.group(group, .policyChanged)))
            room?.take(policy, after: before.log.policy, at: step.time.monotonic)
            try settleRoom()
        case .renew: break
        }
        touch(group)
    }

    /// Tells of two histories, and gives everybody the proof.
    private mutating func tell(
        _ fork: GroupFork,
        of group: GroupID
    ) throws {
        step.perform(.tell(.group(group, .forked)))
        let proof = GroupNote.operations(group, updates: [], bare: [fork.own, fork.other])
        for member in groups.membership(group)?.recipients ?? [] {
            try send(proof, to: member.identity)
        }
    }

    /// Ends what a group has going on here: its keys are gone.
    mutating func end(_ group: GroupID) throws {
        groups.states[group]?.haveAll()
        endHistory(of: group)
        touch(group)
        step.perform(.tell(.group(group, .ended)))
        room?.finish(.closed)
        try settleRoom()
    }

    // MARK: - Missing operations

    /// Answers who lacks operations: with their keys those from when the asker was in, without keys the others.
    mutating func answerRequest(
        of group: GroupID,
        from epoch: UInt32,
        by peer: PeerID
    ) throws {
        guard let session = groups.membership(group), outbox.inFlightCount(to: peer) < ChatLimits.notesInFlightCount
        else { return }
        var entrance: GroupOperation?
        var exit: GroupOperation?
        for operation in session.log.operations {
            if case .add(let member) = operation.action, member.identity.id == peer {
                (entrance, exit) = (operation, nil)
            }
            if operation.action.expelled == peer { exit = operation }
        }
        guard case .add(let member) = entrance?.action, let entrance else { return }
        var updates: [GroupUpdate] = []
        var bare: [GroupOperation] = []
        for operation in session.operations(from: epoch, limit: GroupNote.operationCount) {
            if operation.epoch <= entrance.epoch || operation == exit {
                bare.append(operation)
            } else if let update = session.update(of: operation.epoch) {
                updates.append(update)
            } else {
                guard session.log.owner == peer else { break }
                bare.append(operation)
            }
            if operation == exit { break }
        }
        guard let note = Self.notes(updates, bare: bare, of: group).first else { return }
        try send(note, to: member.identity)
    }

    /// Asks for operations that are missing and have not come by themselves.
    mutating func askForOperations() throws {
        let now = step.time.monotonic
        for (group, state) in groups.states.sorted(by: { $0.key < $1.key }) where state.askAt <= now {
            let log = groups.membership(group)?.log ?? (state.record.request ? nil : state.welcome?.log)
            guard let log, log.epoch < state.wanted, log.fork == nil else {
                groups.states[group]?.haveAll()
                continue
            }
            let known = state.askCount.isMultiple(of: 2) ? state.source ?? log.owner : log.owner ?? state.source
            if let known, let identity = trust[known]?.identity ?? log.member(known)?.identity, known != ownID {
                try send(.request(group, from: log.epoch + 1), to: identity)
            }
            groups.states[group]?.askCount += 1
            groups.states[group]?.askAt = now.advanced(by: state.askPause)
            groups.states[group]?.askPause = min(state.askPause * 2, ChatLimits.longestGroupAskPause)
        }
    }

    /// Operations as notes, as many to one as fit.
    private static func notes(_ updates: [GroupUpdate], bare: [GroupOperation], of group: GroupID) -> [GroupNote] {
        var notes: [GroupNote] = []
        var next: (updates: [GroupUpdate], bare: [GroupOperation], byteCount: Int) = ([], [], 0)
        func finish() {
            guard !next.updates.isEmpty || !next.bare.isEmpty else { return }
            notes.append(.operations(group, updates: next.updates, bare: next.bare))
            next = ([], [], 0)
        }
        func makeRoom(for operation: GroupOperation) {
            let count = next.updates.count + next.bare.count
            let isFull = next.byteCount + operation.bytes.count > ChatLimits.operationsByteCount
            if isFull || count >= GroupNote.operationCount { finish() }
            next.byteCount += operation.bytes.count
        }
        for operation in bare {
            makeRoom(for: operation)
            next.bare.append(operation)
        }
        for update in updates {
            makeRoom(for: update.operation)
            next.updates.append(update)
        }
        finish()
        return notes
    }
}

extension GroupOperation.Action {
    /// Whether it brings somebody in.
    fileprivate var isAdmission: Bool {
        if case .add = self { true } else { false }
    }
}
