import Bytes

extension GroupSession {
    // MARK: - Operations

    /// Makes and signs an operation as the owner of the group.
    ///
    /// The owner gives fresh secrets to the members of ``GroupUpdate/leaves``; its own other devices are not among them.
    ///
    /// - Parameters:
    ///   - actions: at most 64 changes. A handover, and a policy with a successor, stand alone.
    ///   - now: seconds since 1970 by the local clock.
    /// - Returns: the update for the members. A member that the operation adds gets a welcome.
    /// - Throws: `notOwner`, `frozen`, `invalidOperation`, `full`. `invalidOperation` as well for the removal of a member
    ///   that knows the secrets of all nodes: renew all blocks before, or in the same operation; see
    ///   ``mustRenew(before:)``.
    public mutating func perform(
        _ actions: [GroupAction],
        at now: UInt32
    ) throws(CryptoError) -> (update: GroupUpdate, change: SessionChange) {
        guard let ownerKey, ownerKey.publicKey == log.signingKey else { throw LogRefusal.notSigned.error }
        guard let tree else {
            throw CryptoError(.invalidOperation, "The secrets of the group are missing.")
        }
        let update = try perform(edits(for: actions, at: now), with: tree, signedBy: ownerKey, at: now)
        return (update, takeChange())
    }

    /// Whether the owner has to renew blocks before it removes a member, because the member was the owner, knows the
    /// secrets of all nodes, and would read on.
    ///
    /// Renew a block with ``GroupAction/renewBlock`` as long as there are ``MembershipLog/blocksToRenew``.
    public func mustRenew(before removal: PeerID) -> Bool {
        guard isOwner, let slot = log.table.slot(of: removal) else { return false }
        let edits = [GroupEdit.remove(slot)]
        return (try? log.apply(edits)).map { log.mustRenew(before: edits, $0.state) } ?? false
    }

    /// Takes over the group as its successor.
    ///
    /// It has its own path alone, so ``slotsToRepair`` is not empty afterwards.
    ///
    /// - Throws: `notOwner` if the policy does not name this node's key.
    public mutating func takeOver(at now: UInt32) throws(CryptoError) -> (update: GroupUpdate, change: SessionChange) {
        guard let key = offeredKey, key.publicKey == log.successorKey else { throw LogRefusal.notSigned.error }
        let tree = try presentTree()
        let update = try perform([.takeover], with: tree, signedBy: key, at: now)
        ownerKey = key
        offeredKey = nil
        return (update, takeChange())
    }

    /// Whether the owner should give members fresh secrets: a message was written since the last time, a day ago.
    public func wantsRenewal(at now: UInt32) -> Bool {
        guard isOwner, log.fork == nil, let epoch = epochs.last else { return false }
        let last = log.kept.last { $0.operation.edits.contains { if case .renew = $0 { true } else { false } } }
        let since = last?.appliedAt ?? log.kept.first?.appliedAt ?? epoch.begunAt
        let isUsed = epochs.contains {
            ($0.messageCount > 0 || !$0.senders.isEmpty) && $0.number >= last?.operation.epoch ?? 0
        }
        return isUsed && now.subtractingClamped(since) >= GroupLimits.renewalSeconds
            || epoch.messageCount >= GroupLimits.messagesPerEpoch
    }

    // MARK: - Missing secrets

    /// The slots of the members whose secrets an owner lacks, because its data directory was an earlier copy, or because
    /// it took over the group.
    public var slotsToRepair: [UInt16] {
        guard isOwner else { return [] }
        return tree?.unknownSlots(in: log.table) ?? log.table.members.map(\.slot).filter { $0 != slot }
    }

    /// Gives members whose secrets this owner has lost fresh ones: as many as one operation has room for.
    ///
    /// Repeat it until ``slotsToRepair`` is empty. A member that is not among them yet may be unable to follow; it gets a
    /// welcome once it is.
    ///
    /// - Throws: `invalidOperation` if no secret is missing, `frozen`, `full`.
    public mutating func repair(at now: UInt32) throws(CryptoError) -> (update: GroupUpdate, change: SessionChange) {
        guard let ownerKey, !slotsToRepair.isEmpty else { throw LogRefusal.invalid.error }
        let tree = try presentTree()
        let edits = nextRepair()
        let update = try perform(edits, with: tree, fillsGaps: true, signedBy: ownerKey, at: now)
        return (update, takeChange())
    }

    /// Chooses renewals that fit into one operation.
    private func nextRepair() -> [GroupEdit] {
        // Without the own path there is no root, so its slot comes first.
        var slots = slotsToRepair.filter { $0 == slot } + slotsToRepair.filter { $0 != slot }
        while slots.count > 1, !fits(Self.renewals(of: slots)) { slots.removeLast(slots.count / 2) }
        return Self.renewals(of: slots)
    }

    /// Whether an operation has room for the sealed secrets of renewals.
    private func fits(_ edits: [GroupEdit]) -> Bool {
        guard let plan = try? log.apply(edits).plan else { return false }
        let fields = GroupOperation.fixedByteCount + edits.count * edits[0].encoded.count + TreePart.fixedByteCount
        return fields + plan.wrapCount * NodeSecret.wrapByteCount <= GroupLimits.maximumOperationByteCount
    }

    /// The tree, or one of this node's own path if there is none.
    private func presentTree() throws(CryptoError) -> OwnerTree {
        if let tree { return tree }
        guard let path else { throw CryptoError(.notMember, "This identity is not a member of the group.") }
        return OwnerTree(path, depth: log.table.depth, epoch: log.epoch)
    }

    // MARK: - Edits

    /// Chooses slots and blocks for changes.
    private func edits(for actions: [GroupAction], at now: UInt32) throws(CryptoError) -> [GroupEdit] {
        let count = actions.count { if case .add = $0 { true } else { false } }
        guard var free = log.freeSlots(count, at: now) else { throw LogRefusal.full.error }
        var blocks = log.nextRenewals[...]
        var edits: [GroupEdit] = []
        for action in actions {
            switch action {
            case .add(let member): edits.append(.add(free.removeFirst(), member))
            case .remove(let peer): edits.append(.remove(try slot(of: peer)))
            case .removeLeaver(let peer): edits.append(.removeLeaver(try slot(of: peer)))
            case .rename(let title): edits.append(.rename(title))
            case .handover(let peer, let key): edits.append(.handover(try slot(of: peer), signingKey: key))
            case .policy(let policy): edits.append(.policy(policy))
            case .renew(let peer): edits.append(.renew(first: try slot(of: peer), height: 0))
            case .renewBlock:
                guard let edit = blocks.popFirst() else { throw LogRefusal.invalid.error }
                edits.append(edit)
            }
        }
        return edits
    }

    private func slot(of peer: PeerID) throws(CryptoError) -> UInt16 {
        guard let slot = log.table.slot(of: peer) else { throw LogRefusal.invalid.error }
        return slot
    }

    /// Covers slots with at most 64 blocks.
    private static func renewals(of slots: [UInt16]) -> [GroupEdit] {
        var height = 0
        while Set(slots.map { $0 >> height }).count > GroupLimits.maximumEdits { height += 1 }
        return Set(slots.map { $0 >> height }).sorted().map { .renew(first: $0 << height, height: UInt8(height)) }
    }

    // MARK: - Signing

    /// Makes, signs and applies an operation.
    ///
    /// - Parameter fillsGaps: whether nodes with unknown secrets get random ones, which their members do not know.
    mutating func perform(
        _ edits: [GroupEdit],
        with present: OwnerTree,
        fillsGaps: Bool = false,
        signedBy key: GroupOwnerKey,
        at now: UInt32
    ) throws(CryptoError) -> GroupUpdate {
        guard log.fork == nil else { throw LogRefusal.frozen.error }
        let next: (state: LogState, plan: TreePlan)
        do {
            next = try log.apply(edits)
        } catch { throw error.error }
        guard !log.mustRenew(before: edits, next.state) else {
            throw CryptoError(.invalidOperation, "The member knows all secrets of the group. Renew all blocks first.")
        }
        var tree = present
        let data = associatedData
        guard let slot = next.state.table.slot(of: own.id), tree.epoch == log.epoch,
            let result = tree.perform(next.plan, next.state.table, edits, fillsGaps: fillsGaps, associatedData: data),
            let secrets = tree.usePath(of: slot)
        else { throw CryptoError(.invalidOperation, "Secrets of the group are missing.") }
        let operation = GroupOperation(
            edits,
            of: id,
            epoch: log.epoch + 1,
            after: log.hash,
            result: (next.state.root, next.state.table.depth),
            tree: result.tree,
            by: key
        )
        guard operation.bytes.count <= GroupLimits.maximumOperationByteCount else { throw LogRefusal.full.error }
        self.tree = tree
        begin(operation, next.state, secrets, slot: slot, at: now)
        sealsFrom = 0
        var handedTree: SecretBytes?
        if case .handover = edits.first {
            handedTree = tree.exported()
            ownerKey = nil
            dropTree()
        }
        return GroupUpdate(operation: operation, leaves: leaves(result, operation, except: slot), tree: handedTree)
    }

    /// Lists the fresh secrets of an operation with their members; a new member has its own from the welcome.
    private func leaves(
        _ result: OwnerTree.Result,
        _ operation: GroupOperation,
        except own: UInt16
    ) -> [(member: GroupMember, secret: LeafSecret)] {
        result.leaves.filter { $0.slot != own }.compactMap { leaf in
            guard let entry = log.table[leaf.slot], entry.epoch < operation.epoch else { return nil }
            return (entry.member, LeafSecret(epoch: operation.epoch, secret: leaf.secret))
        }
    }
}
