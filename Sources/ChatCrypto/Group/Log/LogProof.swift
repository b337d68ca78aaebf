/// The proof that a key signs the operations of a group: all changes of the owner's key since the founding.
struct LogProof {
    private let group: GroupID
    /// The keys that sign, from each change on.
    private(set) var signers: [MembershipLog.Signers]
    /// The successor that an operation named, and that no transfer has replaced.
    private var granted: GroupPolicy.Successor?
    private var epoch: UInt32 = 0
    private var transferCount = 0

    /// Verifies the changes of the owner's key and the last operation.
    ///
    /// - Parameters:
    ///   - proofs: the handovers and takeovers before the last operation, and the operations that named the successors of
    ///     takeovers and the present successor.
    ///   - last: the last operation.
    ///   - successor: the present successor.
    /// - Returns: nil if a signature, the order or the number is wrong, or an operation proves nothing.
    init?(
        _ proofs: [GroupOperation],
        _ last: GroupOperation,
        _ successor: GroupPolicy.Successor?,
        foundingKey: [UInt8]
    ) {
        group = GroupID(foundingKey: foundingKey)
        signers = [MembershipLog.Signers(since: 1, owner: foundingKey, successor: nil)]
        for operation in proofs {
            guard operation.isTransfer || operation.isGrant, take(operation) else { return nil }
        }
        guard take(last), granted == successor else { return nil }
    }

    /// Verifies the next operation.
    private mutating func take(_ operation: GroupOperation) -> Bool {
        guard operation.groupID == group, operation.epoch > epoch, let owner = signers.last?.owner,
            let key = operation.isTakeover ? granted?.signingKey : owner, operation.isSigned(by: key)
        else { return false }
        epoch = operation.epoch
        switch operation.edits.first {
        case .handover(let slot, _):
            transferCount += 1
            // The successor that becomes the owner loses its right, and so the operation that named it proves nothing.
            guard granted?.slot != slot else { return false }
        case .takeover:
            transferCount += 1
            granted = nil
        case .policy(let policy) where operation.isGrant:
            guard granted == nil else { return false }
            granted = policy.successor
        default: break
        }
        signers.append(
            MembershipLog.Signers(
                since: epoch.addingClamped(1),
                owner: MembershipLog.key(after: operation, owner: owner, successor: key),
                successor: granted?.signingKey
            )
        )
        return transferCount <= GroupLimits.maximumTransfers
    }
}
