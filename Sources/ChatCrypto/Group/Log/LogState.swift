import Bytes

/// The members, the owner, the title and the policy of a group: all that operations change and that an operation names
/// by one hash.
///
/// Source: PROTOCOL §16.
struct LogState: Sendable {
    private(set) var table = MemberTable()
    /// The slot of the member that signs operations; nil before the first operation.
    private(set) var owner: UInt16?
    private(set) var title: GroupTitle?
    private(set) var policy = GroupPolicy.standard

    init() {}

    /// Restores a state; nil if the owner is not a member.
    init?(table: MemberTable, owner: UInt16, title: GroupTitle?, policy: GroupPolicy) {
        guard table[owner] != nil else { return nil }
        self.table = table
        self.owner = owner
        self.title = title
        self.policy = policy
    }

    /// The hash that names the state.
    var root: [UInt8] { MemberTable.stateRoot(of: table, settings) }

    /// The state besides the members.
    ///
    /// Shape: owner's slot (2) ‖ title length (1) ‖ title ‖ policy.
    var settings: [UInt8] {
        let title = title?.bytes ?? []
        return (owner ?? 0).bigEndianBytes + [UInt8(title.count)] + title + policy.encoded
    }

    /// The slots whose members write; nil if all do.
    var writers: Set<UInt16>? {
        policy.onlyAdminsWrite ? Set(policy.admins + [owner].compactMap { $0 }) : nil
    }

    /// Computes the smallest depth that has all slots of the edits, and at least the present one.
    func depth(after edits: [GroupEdit]) -> Int {
        var depth = table.depth
        for case .add(let slot, _) in edits {
            while Int(slot) >= 1 << depth { depth += 1 }
        }
        return depth
    }

    /// Applies the edits of an operation, and answers the plan of its secrets.
    ///
    /// - Parameters:
    ///   - epoch: the epoch that the operation begins.
    ///   - signingKey: the owner's key.
    mutating func apply(
        _ edits: [GroupEdit],
        at epoch: UInt32,
        signingKey: [UInt8]
    ) throws(LogRefusal) -> TreePlan {
        let depth = depth(after: edits)
        while table.depth < depth { table.grow() }
        if owner == nil {
            guard case .add(let slot, _) = edits.first else { throw .invalid }
            owner = slot
        }
        var changed: Set<UInt16> = []
        for edit in edits { try apply(edit, at: epoch, signingKey: signingKey, changed: &changed) }
        guard let owner, table[owner] != nil else { throw .invalid }
        return TreePlan(
            emptied: edits.compactMap(\.emptied),
            renewed: try renewed(by: edits),
            in: table
        )
    }

    private mutating func apply(
        _ edit: GroupEdit,
        at epoch: UInt32,
        signingKey: [UInt8],
        changed: inout Set<UInt16>
    ) throws(LogRefusal) {
        switch edit {
        case .add(let slot, let member):
            guard changed.insert(slot).inserted, table[slot] == nil, table.slot(of: member.identity.id) == nil else {
                throw .invalid
            }
            guard table.count < Int(policy.memberLimit) else { throw .full }
            table.set(MemberTable.Entry(member: member, epoch: epoch), in: slot)
        case .remove(let slot), .removeLeaver(let slot):
            // A slot that changes twice in one operation would give its new member a leaf that the former one knows.
            guard changed.insert(slot).inserted, table[slot] != nil, slot != owner else { throw .invalid }
            table.set(nil, in: slot)
            policy.withdraw(slot)
        case .rename(let title): self.title = title
        case .handover(let slot, let key):
            guard table[slot] != nil, slot != owner, key != signingKey else { throw .invalid }
            owner = slot
            if policy.successor?.slot == slot { policy.withdrawSuccessor() }
        case .policy(let policy):
            guard policy.admins.allSatisfy({ table[$0] != nil }) else { throw .invalid }
            if let successor = policy.successor {
                guard table[successor.slot] != nil, successor.slot != owner, successor.signingKey != signingKey else {
                    throw .invalid
                }
            }
            self.policy = policy
        case .renew: break
        case .takeover:
            guard let successor = policy.successor else { throw .invalid }
            owner = successor.slot
            policy.withdrawSuccessor()
        }
    }

    /// Lists the slots with a member in renewed blocks; a block needs a member and has to be inside the tree.
    private func renewed(by edits: [GroupEdit]) throws(LogRefusal) -> [UInt16] {
        var slots: Set<UInt16> = []
        for case .renew(let first, let height) in edits {
            let block = GroupEdit.block(first: first, height: height)
            let members = table.slots(in: block)
            guard block.upperBound <= 1 << table.depth, !members.isEmpty else { throw .invalid }
            slots.formUnion(members)
        }
        return slots.sorted()
    }
}
