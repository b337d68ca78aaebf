/// The owner's choices of slots and blocks.
extension MembershipLog {
    /// Chooses empty slots for new members: first those that were not emptied within 8 days, then new ones of a deeper
    /// tree, and in a group of the largest size those that were emptied longest ago.
    ///
    /// - Returns: nil if there are not enough slots.
    func freeSlots(_ count: Int, at now: UInt32) -> [UInt16]? {
        var slots: [UInt16] = []
        var slot: UInt16 = 0
        while slots.count < count, slot < GroupLimits.maximumMembers {
            if state.table[slot] == nil, !isResting(slot, at: now) { slots.append(slot) }
            slot += 1
        }
        let resting = emptied.keys.filter { isResting($0, at: now) && state.table[$0] == nil }
            .sorted { (emptied[$0] ?? 0, $0) < (emptied[$1] ?? 0, $1) }
        slots += resting.prefix(count - slots.count)
        return slots.count == count ? slots : nil
    }

    private func isResting(_ slot: UInt16, at now: UInt32) -> Bool {
        emptied[slot].map { now.subtractingClamped($0) <= GroupLimits.emptySlotSeconds } ?? false
    }

    /// The block of slots whose members got fresh secrets longest ago, as an edit; nil for a group without members.
    public var nextRenewal: GroupEdit? { nextRenewals.first }

    /// The blocks of slots with members, those that were renewed longest ago first.
    var nextRenewals: [GroupEdit] {
        let height = min(GroupLimits.maximumBlockHeight, table.depth)
        return renewals.indices.filter { !table.slots(in: $0 << height..<($0 + 1) << height).isEmpty }
            .sorted { (renewals[$0], $0) < (renewals[$1], $1) }
            .map { .renew(first: UInt16($0 << height), height: UInt8(height)) }
    }

    /// The number of blocks that were not renewed since an owner, who knows the secrets of all nodes, lost its role.
    public var blocksToRenew: Int { blocksToRenew(in: table, renewed: []) }

    /// Whether the owner has to renew blocks before an operation, or in it, because a member that the operation removes
    /// would otherwise read on: the member knows the secrets of all nodes.
    ///
    /// - Parameters:
    ///   - edits: the edits of the operation.
    ///   - next: the group after the operation.
    func mustRenew(before edits: [GroupEdit], _ next: LogState) -> Bool {
        let peers = edits.compactMap(\.emptied).compactMap { table[$0]?.member.identity.id }
        guard peers.contains(where: { holders.isFormer($0) }) else { return false }
        let height = min(GroupLimits.maximumBlockHeight, next.table.depth)
        let renewed = edits.compactMap { edit -> Int? in
            guard case .renew(let first, let k) = edit, Int(k) == height else { return nil }
            return Int(first) >> height
        }
        return blocksToRenew(in: next.table, renewed: Set(renewed)) > 0
    }

    /// Counts the blocks with members that were not renewed since an owner lost its role.
    private func blocksToRenew(in table: MemberTable, renewed: Set<Int>) -> Int {
        let height = min(GroupLimits.maximumBlockHeight, table.depth)
        return (0..<(1 << table.depth) >> height).count { index in
            // A block that the operation adds has new members alone.
            let isOld = renewals.indices.contains(index) && renewals[index] < holders.lostAt
            return isOld && !renewed.contains(index)
                && !table.slots(in: index << height..<(index + 1) << height).isEmpty
        }
    }
}
