/// The members, the title and the owner of a group: the sum of the operations that its owners have signed.
///
/// A pure value. Operations apply only in the order of their hashes, so members with the same number of operations have
/// the same state. If an owner signs two operations for one epoch, every member that sees both detects it: the log
/// freezes, with both operations as the proof. Invariant: operation n begins epoch n, each operation names the hash of
/// the one before, and each was signed by the valid key. Source: PROTOCOL §16.
public struct MembershipLog: Sendable {
    /// The key whose hash is the group's ID; it signs until the first handover.
    ///
    /// Shape: 32 bytes.
    public let foundingKey: [UInt8]
    /// The group's name.
    public let groupID: GroupID
    /// All operations, in order.
    public private(set) var operations: [GroupOperation] = []
    /// The members, in the order in which they joined.
    public private(set) var members: [GroupMember] = []
    /// The member that signs operations; nil as long as there is no operation.
    public private(set) var owner: PeerID?
    /// The title; nil as long as there is none.
    public private(set) var title: GroupTitle?
    /// The settings that the owner has chosen.
    public private(set) var policy = GroupPolicy.standard
    /// The two operations that contradict each other; nil if the group is not frozen.
    public private(set) var fork: GroupFork?
    /// The signing keys with the epoch from which each is valid, in rising order.
    private var keys: [(since: UInt32, key: [UInt8])]

    /// Starts a log without operations.
    public init(foundingKey: [UInt8]) {
        self.foundingKey = foundingKey
        groupID = GroupID(foundingKey: foundingKey)
        keys = [(1, foundingKey)]
    }

    /// The number of operations, which is also the number of the present epoch.
    public var epoch: UInt32 { UInt32(operations.count) }

    /// The hash that stands for all operations.
    ///
    /// Shape: 32 bytes.
    public var hash: [UInt8] { operations.last?.hash ?? GroupOperation.firstPreviousHash }

    /// The key that signs the next operation.
    public var signingKey: [UInt8] { key(at: epoch + 1) }

    /// Finds the member with an ID; nil if there is none.
    public func member(_ peer: PeerID) -> GroupMember? {
        members.first { $0.identity.id == peer }
    }

    // MARK: - Writing

    /// Adds an operation that this node signs.
    ///
    /// - Throws: `notOwner`, `frozen`, `invalidOperation`, `full`.
    mutating func append(
        _ action: GroupOperation.Action,
        headerKeyHash: [UInt8]?,
        by owner: GroupOwnerKey
    ) throws(CryptoError) -> GroupOperation {
        guard owner.publicKey == signingKey else { throw CryptoError(.notOwner, "Only the owner can change a group.") }
        guard fork == nil else {
            throw CryptoError(.frozen, "The owner has signed two different histories of the group.")
        }
        if let refusal = refusal(of: action) { throw refusal.error }
        let operation = GroupOperation(
            action,
            of: groupID,
            epoch: epoch + 1,
            after: hash,
            headerKeyHash: headerKeyHash,
            by: owner
        )
        take(operation)
        return operation
    }

    /// Applies an operation from any peer.
    public mutating func apply(_ operation: GroupOperation) -> LogOutcome {
        let outcome = outcome(of: operation)
        switch outcome {
        case .applied: take(operation)
        case .forked(let proof): fork = proof
        case .known, .gap, .refused: break
        }
        return outcome
    }

    /// Computes the outcome of an operation without applying it.
    func outcome(of operation: GroupOperation) -> LogOutcome {
        guard operation.groupID == groupID else { return .refused(.otherGroup) }
        guard operation.epoch <= epoch + 1 else { return .gap(next: epoch + 1) }
        if operation.epoch <= epoch {
            let own = operations[Int(operation.epoch) - 1]
            if own.hash == operation.hash { return .known }
            guard fork == nil else { return .refused(.frozen) }
            guard operation.isSigned(by: key(at: operation.epoch)) else { return .refused(.notSigned) }
            return .forked(GroupFork(own: own, other: operation))
        }
        guard fork == nil else { return .refused(.frozen) }
        guard operation.isSigned(by: signingKey) else { return .refused(.notSigned) }
        guard operation.previousHash == hash else {
            // The owner has signed an operation that follows another history than the local one.
            guard let own = operations.last else { return .refused(.invalid) }
            return .forked(GroupFork(own: own, other: operation))
        }
        return refusal(of: operation.action).map { .refused($0) } ?? .applied
    }

    /// Finds the key that signs the operation of an epoch.
    private func key(at epoch: UInt32) -> [UInt8] {
        keys.last { $0.since <= epoch }?.key ?? foundingKey
    }

    /// Checks whether an action fits the state of the group, and answers the reason if it does not.
    private func refusal(of action: GroupOperation.Action) -> LogRefusal? {
        guard operations.count < GroupLimits.maximumOperations else { return .full }
        guard !operations.isEmpty else {
            guard case .add = action else { return .invalid }
            return nil
        }
        switch action {
        case .add(let newMember):
            guard member(newMember.identity.id) == nil else { return .invalid }
            return members.count < Int(policy.memberLimit) ? nil : .full
        case .remove(let peer), .removeLeaver(let peer):
            return member(peer) != nil && peer != owner ? nil : .invalid
        case .handover(let peer, let key):
            return member(peer) != nil && peer != owner && key != signingKey ? nil : .invalid
        case .rename, .policy, .renew:
            return nil
        }
    }

    private mutating func take(_ operation: GroupOperation) {
        operations.append(operation)
        switch operation.action {
        case .add(let member):
            members.append(member)
            owner = owner ?? member.identity.id
        case .remove(let peer), .removeLeaver(let peer): members.removeAll { $0.identity.id == peer }
        case .rename(let title): self.title = title
        case .handover(let peer, let key):
            owner = peer
            keys.append((operation.epoch + 1, key))
        case .policy(let policy): self.policy = policy
        case .renew: break
        }
    }
}
