import Bytes

extension GroupSession {
    /// Notes an operation that cannot be applied before others are here: if the owner signed it, the present epoch is over,
    /// and nothing is sealed until then.
    public mutating func noteLater(_ operation: GroupOperation) -> SessionChange {
        guard isMember, operation.epoch > log.epoch, log.isSignedByOwner(operation), sealsFrom <= log.epoch else {
            return SessionChange()
        }
        note(endOf: log.epoch)
        return takeChange()
    }

    /// Applies an operation from any peer.
    ///
    /// New keys may open packets that arrived too early: try those packets again.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - leaf: the fresh secret that the owner has sent this member for the operation's epoch, if it has.
    ///   - now: seconds since 1970 by the local clock.
    /// - Returns: after `needsLeaf` and `needsPath` keep the operation, and ask for what is missing. The present epoch is
    ///   over, so this node seals nothing until then; see ``mustWait``.
    public mutating func apply(
        _ operation: GroupOperation,
        leaf: LeafSecret? = nil,
        at now: UInt32
    ) -> (outcome: LogOutcome, change: SessionChange) {
        guard let path else { return (.refused(.frozen), SessionChange()) }
        switch log.prepare(operation) {
        case .outcome(let outcome):
            if case .forked(let proof) = outcome {
                log.freeze(proof)
                changed.insert(.group)
            }
            return (outcome, takeChange())
        case .fits(let state, let plan):
            guard state.table.slot(of: own.id) == path.slot else {
                take(operation, state, at: now)
                eraseKeys()
                return (.applied, takeChange())
            }
            switch advanced(path, operation, state, plan, leaf) {
            case .needsLeaf where !isOwner:
                note(endOf: log.epoch)
                return (.refused(.needsLeaf), takeChange())
            case .needsPath where !isOwner:
                note(endOf: log.epoch)
                return (.refused(.needsPath), takeChange())
            case .needsLeaf, .needsPath: follow(operation, state, plan, secrets: nil, path, at: now)
            case .advanced(let secrets): follow(operation, state, plan, secrets: secrets, path, at: now)
            }
            return (.applied, takeChange())
        }
    }

    /// Computes the secrets of this member's path after an operation.
    private func advanced(
        _ path: MemberPath,
        _ operation: GroupOperation,
        _ state: LogState,
        _ plan: TreePlan,
        _ leaf: LeafSecret?
    ) -> MemberPath.Result {
        // An owner that has lost its leaf has a path that leads nowhere.
        if isOwner, let tree, tree.secret(of: TreeNode(slot: path.slot)) == nil { return .needsPath }
        return path.advanced(
            plan,
            depth: state.table.depth,
            tree: operation.tree,
            leaf: leaf.flatMap { $0.epoch == operation.epoch ? $0.secret : nil },
            associatedData: associatedData
        )
    }

    /// Moves to the epoch of an operation that another node made, or that this owner has forgotten.
    ///
    /// - Parameter secrets: the secrets of this member's path; nil if an owner has lost them.
    private mutating func follow(
        _ operation: GroupOperation,
        _ state: LogState,
        _ plan: TreePlan,
        secrets: [SecretBytes]?,
        _ path: MemberPath,
        at now: UInt32
    ) {
        let slot = path.slot
        if var copy = tree, copy.epoch == log.epoch {
            let own = secrets.map { (slot, $0) }
            copy.follow(plan, state.table, operation, own: own, associatedData: associatedData)
            tree = copy
        }
        // An epoch whose secrets are lost gets random ones, which open nothing.
        let lost = { (0...state.table.depth).map { _ in SecretBytes.random(count: NodeSecret.byteCount) } }
        var present = secrets ?? tree?.path(of: slot) ?? lost()
        if secrets == nil, let root = tree?.root { present[state.table.depth] = root }
        let before = log.ownerSlot
        begin(operation, state, present, slot: slot, at: now)
        if secrets == nil { note(endOf: log.epoch) }
        if log.ownerSlot == slot, before != slot {
            ownerKey = nil
            takeOffer()
        } else if log.ownerSlot != slot {
            ownerKey = nil
        }
        if tree != nil, log.ownerSlot != slot { dropTree() }
    }

    /// Begins the epoch of an operation that fits.
    mutating func begin(
        _ operation: GroupOperation,
        _ state: LogState,
        _ secrets: [SecretBytes],
        slot: UInt16,
        at now: UInt32
    ) {
        guard let root = secrets.last else { return }
        take(operation, state, at: now)
        path = MemberPath(slot: slot, present: secrets)
        if !epochs.isEmpty { epochs[epochs.count - 1].endedAt = now }
        let epoch = GroupEpoch(operation, root: root, state: state, wrap: wrap, at: now)
        epochs.append(epoch)
        changed.formUnion(epoch.tree.pages.map { .epoch(epoch.number, $0) })
        changed.formUnion((tree?.takeChangedPages() ?? []).map { .secrets($0) })
        boundEpochs()
    }

    /// Takes an operation into the log and forgets the members that it removes.
    private mutating func take(_ operation: GroupOperation, _ state: LogState, at now: UInt32) {
        let (grant, known) = (log.grant, Set(log.transfers.map(\.epoch)))
        for slot in operation.edits.compactMap(\.emptied) {
            if let peer = log.table[slot]?.member.identity.id { leavers.removeAll { $0 == peer } }
            forget(slot)
            changed.insert(.members(RecordPage.of(TreeNode(slot: slot))))
        }
        for case .add(let slot, _) in operation.edits { changed.insert(.members(RecordPage.of(TreeNode(slot: slot)))) }
        let dropped = log.take(operation, state, at: now)
        let proofs = Set(log.transfers.map(\.epoch)).symmetricDifference(known)
            .union(grant == log.grant ? [] : [grant, log.grant].compactMap { $0?.epoch })
        changed.formUnion(proofs.union(dropped + [operation.epoch]).map { .operation($0) })
        changed.insert(.group)
    }

    /// Erases the chains of a member in all epochs.
    private mutating func forget(_ slot: UInt16) {
        for index in epochs.indices where epochs[index].senders[slot] != nil {
            markAll(of: slot, in: epochs[index])
            epochs[index].forget(slot)
        }
        aheadKeys.erase { $0.slot == slot }
    }
}
