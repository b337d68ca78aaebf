import Bytes

/// The members and the settings of a group, the newest operations, and the proofs of each change of the owner's key.
///
/// A pure value. Operations apply only in the order of their hashes. The last operation is a checkpoint: it signs the
/// whole state and the hash of all operations before it. So older operations are dropped, and their number has no
/// limit. If an owner signs two operations for one epoch, each member that sees both detects it: the log freezes, with
/// both operations as the proof. Source: PROTOCOL §16.
public struct MembershipLog: Sendable {
    /// An operation that is kept for members that lack it.
    struct Kept: Sendable {
        let operation: GroupOperation
        /// The time at which it was applied.
        ///
        /// Units: seconds since 1970 by the local clock.
        let appliedAt: UInt32
    }

    /// The keys that sign operations from an epoch on.
    struct Signers: Hashable, Sendable {
        let since: UInt32
        let owner: [UInt8]
        let successor: [UInt8]?
    }

    /// The key whose hash is the group's ID; it signs until the first transfer.
    ///
    /// Shape: 32 bytes.
    public let foundingKey: [UInt8]
    /// The group's name.
    public let groupID: GroupID
    /// The two operations that contradict each other; nil if the group is not frozen.
    public private(set) var fork: GroupFork?
    private(set) var state: LogState
    /// The newest operations, in order.
    private(set) var kept: [Kept]
    /// All handovers and takeovers, and before each takeover the operation that named the successor, in rising order.
    public private(set) var transfers: [GroupOperation]
    /// The operation that named the present successor.
    private(set) var grant: GroupOperation?
    /// The valid keys, in rising order; those before the oldest kept operation may be missing.
    private(set) var signers: [Signers]
    /// The times at which slots were emptied, for the owner, by the local clock.
    private(set) var emptied: [UInt16: UInt32]
    /// The epochs in which the blocks of 128 slots were renewed last.
    private(set) var renewals: [UInt32]
    /// The members that may know the secrets of all nodes.
    private(set) var holders: TreeHolders

    /// Starts a log without operations.
    public init(foundingKey: [UInt8]) {
        self.foundingKey = foundingKey
        groupID = GroupID(foundingKey: foundingKey)
        state = LogState()
        kept = []
        transfers = []
        signers = [Signers(since: 1, owner: foundingKey, successor: nil)]
        emptied = [:]
        renewals = [0]
        holders = TreeHolders(former: [])
    }

    /// The number of the last operation, which is also the present epoch.
    public var epoch: UInt32 { kept.last?.operation.epoch ?? 0 }

    /// The hash that stands for all operations.
    ///
    /// Shape: 32 bytes.
    public var hash: [UInt8] { kept.last?.operation.hash ?? GroupOperation.firstPreviousHash }

    /// The operations that are kept, in order.
    public var operations: [GroupOperation] { kept.map(\.operation) }

    /// The members in their slots.
    public var table: MemberTable { state.table }

    /// The settings that the owner has chosen.
    public var policy: GroupPolicy { state.policy }

    /// The title; nil as long as there is none.
    public var title: GroupTitle? { state.title }

    /// The slot of the owner; nil as long as there is no operation.
    public var ownerSlot: UInt16? { state.owner }

    /// The member that signs operations; nil as long as there is no operation.
    public var owner: PeerID? { state.owner.flatMap { state.table[$0]?.member.identity.id } }

    /// The members, in the order of their slots.
    public var members: [GroupMember] { state.table.members.map(\.entry.member) }

    /// The key that signs the next operation.
    public var signingKey: [UInt8] { signers(at: next)?.owner ?? foundingKey }

    /// The key that signs a takeover; nil if the policy names no successor.
    public var successorKey: [UInt8]? { signers(at: next)?.successor }

    /// The epoch that the next operation begins.
    private var next: UInt32 { epoch.addingClamped(1) }

    /// Finds the member with an ID; nil if there is none.
    public func member(_ peer: PeerID) -> GroupMember? {
        state.table.slot(of: peer).flatMap { state.table[$0]?.member }
    }

    /// The epoch in which a member was added; nil for a peer that is no member.
    public func joinEpoch(of peer: PeerID) -> UInt32? { state.table.slot(of: peer).flatMap { state.table[$0]?.epoch } }

    // MARK: - Applying

    /// An operation that fits, or the reason why it does not.
    enum Prepared: Sendable {
        case fits(LogState, TreePlan)
        case outcome(LogOutcome)
    }

    /// Checks an operation of any peer without applying it.
    func prepare(_ operation: GroupOperation) -> Prepared {
        guard operation.groupID == groupID else { return .outcome(.refused(.otherGroup)) }
        guard operation.epoch <= next else { return .outcome(.gap(next: next)) }
        if operation.epoch <= epoch { return .outcome(compare(operation)) }
        guard fork == nil else { return .outcome(.refused(.frozen)) }
        guard isSigned(operation) else { return .outcome(.refused(.notSigned)) }
        guard operation.previousHash == hash else {
            // The owner has signed an operation that follows another history than the local one. A successor proves
            // nothing by that: it may follow any history as soon as it has a key.
            guard !operation.isTakeover, let own = kept.last?.operation else { return .outcome(.refused(.invalid)) }
            return .outcome(.forked(GroupFork(own: own, other: operation)))
        }
        do {
            let (next, plan) = try apply(operation.edits)
            guard operation.depth == next.table.depth, operation.stateRoot == next.root,
                operation.tree?.wrapCount ?? 0 == plan.wrapCount
            else { return .outcome(.refused(.invalid)) }
            return .fits(next, plan)
        } catch {
            return .outcome(.refused(error))
        }
    }

    /// Computes the state after edits.
    func apply(_ edits: [GroupEdit]) throws(LogRefusal) -> (state: LogState, plan: TreePlan) {
        guard edits.count <= GroupLimits.maximumEdits, edits.count < 2 || !edits.contains(where: \.standsAlone) else {
            throw .invalid
        }
        let takesOver = edits == [.takeover]
        let isTransfer = takesOver || edits.contains { if case .handover = $0 { true } else { false } }
        let count = transfers.count { $0.isTransfer }
        guard !isTransfer || count < GroupLimits.maximumTransfers else { throw .full }
        guard GroupOperation.epochs ~= next else { throw .full }
        var state = state
        let plan = try state.apply(edits, at: next, signingKey: signingKey)
        return (state, plan)
    }

    /// Compares an operation with the one that the log has for its epoch.
    private func compare(_ operation: GroupOperation) -> LogOutcome {
        guard let first = kept.first?.operation.epoch, operation.epoch >= first else {
            guard fork == nil, let own = kept.last?.operation, contradicts(operation) else { return .refused(.tooOld) }
            return .forked(GroupFork(own: own, other: operation))
        }
        let own = kept[Int(operation.epoch - first)].operation
        if own.hash == operation.hash { return .known }
        guard fork == nil else { return .refused(.frozen) }
        guard isSigned(operation), !isLateTakeover(operation, insteadOf: own) else { return .refused(.notSigned) }
        return .forked(GroupFork(own: own, other: operation))
    }

    /// Whether an operation before all that are kept is a handover by the present owner that this log lacks: the owner has
    /// handed the group over, and led this member into a history of its own.
    ///
    /// A former owner proves nothing by such an operation; it could freeze the group at any time.
    private func contradicts(_ operation: GroupOperation) -> Bool {
        guard operation.edits.contains(where: { if case .handover = $0 { true } else { false } }),
            signers(at: operation.epoch)?.owner == signingKey, isSignedByOwner(operation)
        else { return false }
        return !transfers.contains { $0.hash == operation.hash }
    }

    /// Whether the present owner has signed an operation of any epoch; its place in the log is not compared.
    public func isSignedByOwner(_ operation: GroupOperation) -> Bool {
        operation.groupID == groupID && !operation.isTakeover && operation.isSigned(by: signingKey)
    }

    /// Whether a takeover for an earlier epoch proves nothing: it follows another history, or the successor has lost its
    /// right, and could otherwise freeze the group for ever.
    private func isLateTakeover(_ operation: GroupOperation, insteadOf own: GroupOperation) -> Bool {
        guard operation.isTakeover else { return false }
        let key = signers(at: operation.epoch)?.successor
        return operation.previousHash != own.previousHash
            || signers.contains { $0.since > operation.epoch && $0.successor != key }
    }

    private func isSigned(_ operation: GroupOperation) -> Bool {
        guard let signers = signers(at: operation.epoch) else { return false }
        guard operation.isTakeover else { return operation.isSigned(by: signers.owner) }
        return signers.successor.map { operation.isSigned(by: $0) } ?? false
    }

    private func signers(at epoch: UInt32) -> Signers? { signers.last { $0.since <= epoch } }

    mutating func freeze(_ proof: GroupFork) { fork = proof }

    /// Notes that the owner before the last operation, which is a transfer, is the one that this node knew before it
    /// rejoined.
    mutating func notePreviousOwner(_ peer: PeerID) { holders.previousOwner = peer }

    /// Takes an operation that fits, and answers the epochs of those that are dropped for it.
    mutating func take(_ operation: GroupOperation, _ next: LogState, at now: UInt32) -> [UInt32] {
        let successorBefore = successorKey
        noteTransfer(operation)
        let key = Self.key(after: operation, owner: signingKey, successor: successorBefore)
        noteSlots(operation, next, at: now)
        holders.note(operation, from: state)
        state = next
        kept.append(Kept(operation: operation, appliedAt: now))
        let successor = next.policy.successor?.signingKey
        if successor == nil { grant = nil }
        let valid = Signers(since: operation.epoch.addingClamped(1), owner: key, successor: successor)
        if signers.last.map({ $0.owner != valid.owner || $0.successor != valid.successor }) ?? true {
            signers.append(valid)
        }
        if blocksToRenew == 0 { holders.forgetFormer() }
        return prune(at: now)
    }

    /// Computes the owner's key after an operation that fits.
    static func key(after operation: GroupOperation, owner: [UInt8], successor: [UInt8]?) -> [UInt8] {
        if operation.isTakeover { return successor ?? owner }
        if case .handover(_, let key) = operation.edits.first { return key }
        return owner
    }

    private mutating func noteTransfer(_ operation: GroupOperation) {
        if operation.isTakeover, let grant, !transfers.contains(grant) {
            let index = transfers.firstIndex { $0.epoch > grant.epoch } ?? transfers.endIndex
            transfers.insert(grant, at: index)
        }
        if operation.isTransfer { transfers.append(operation) }
        if operation.isGrant { grant = operation }
    }

    private mutating func noteSlots(_ operation: GroupOperation, _ next: LogState, at now: UInt32) {
        for slot in operation.edits.compactMap(\.emptied) { emptied[slot] = now }
        for case .add(let slot, _) in operation.edits { emptied[slot] = nil }
        emptied = emptied.filter { now.subtractingClamped($0.value) <= GroupLimits.emptySlotSeconds }
        let height = GroupLimits.maximumBlockHeight
        let blockCount = max(1, (1 << next.table.depth) >> height)
        renewals += repeatElement(operation.epoch, count: blockCount - renewals.count)
        for case .renew(let first, let k) in operation.edits where Int(k) == min(height, next.table.depth) {
            renewals[Int(first) >> height] = operation.epoch
        }
    }

    /// Drops the operations that are too old, too many, or too large together.
    private mutating func prune(at now: UInt32) -> [UInt32] {
        var count = max(0, kept.count - GroupLimits.maximumKeptOperations)
        var byteCount = kept[count...].reduce(0) { $0 + $1.operation.bytes.count }
        while kept.count - count > GroupLimits.minimumKeptOperations,
            byteCount > GroupLimits.maximumKeptByteCount
                || now.subtractingClamped(kept[count].appliedAt) > GroupLimits.keptSeconds
        {
            byteCount -= kept[count].operation.bytes.count
            count += 1
        }
        let dropped = kept.prefix(count).map(\.operation.epoch)
        kept.removeFirst(count)
        if let first = kept.first?.operation.epoch, let current = signers.lastIndex(where: { $0.since <= first }) {
            signers.removeFirst(current)
        }
        return dropped
    }

    // MARK: - Restoring

    init(
        foundingKey: [UInt8],
        state: LogState,
        kept: [Kept],
        transfers: [GroupOperation],
        grant: GroupOperation?,
        signers: [Signers],
        emptied: [UInt16: UInt32] = [:],
        renewals: [UInt32],
        holders: TreeHolders
    ) {
        self.foundingKey = foundingKey
        groupID = GroupID(foundingKey: foundingKey)
        self.state = state
        self.kept = kept
        self.transfers = transfers
        self.grant = grant
        self.signers = signers
        self.emptied = emptied
        self.renewals = renewals
        self.holders = holders
    }
}

extension GroupOperation {
    /// Whether the operation makes another member the owner.
    var isTransfer: Bool {
        if case .handover = edits.first { return true }
        return isTakeover
    }

    /// Whether the operation names a successor.
    var isGrant: Bool {
        if case .policy(let policy) = edits.first { policy.successor != nil } else { false }
    }
}
