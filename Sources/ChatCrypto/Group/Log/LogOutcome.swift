/// The result of applying an operation to a group.
public enum LogOutcome: Hashable, Sendable {
    /// The operation is now the newest one.
    case applied
    /// The group has the operation already.
    case known
    /// Earlier operations are missing.
    ///
    /// `next` is the first of them.
    case gap(next: UInt32)
    /// The operation contradicts one of the group, and owners signed both; the group is frozen.
    case forked(GroupFork)
    /// The operation changed nothing.
    case refused(LogRefusal)
}

/// The reason why an operation changed nothing.
public enum LogRefusal: Hashable, Sendable, Error {
    /// The operation is for another group.
    case otherGroup
    /// Neither the owner nor its successor signed the operation.
    case notSigned
    /// The operation contradicts the state of the group, or its number of sealed secrets is wrong.
    case invalid
    /// The number of members or of transfers, or the size of the operation, has reached its limit.
    case full
    /// The group is frozen.
    case frozen
    /// The operation is older than those that are kept.
    case tooOld
    /// The fresh secret of this member's leaf is missing; apply the operation again with it. Until then this node waits.
    case needsLeaf
    /// This member's secrets do not fit the operation; ask the owner for a welcome. Until then this node waits.
    case needsPath

    /// The error that this refusal becomes for the owner's own operations.
    var error: CryptoError {
        switch self {
        case .full: CryptoError(.full, "The group, or the operation, has reached its largest size.")
        case .frozen: CryptoError(.frozen, "The owner has signed two different histories of the group.")
        case .notSigned: CryptoError(.notOwner, "Only the owner can change a group.")
        case .otherGroup, .invalid, .tooOld, .needsLeaf, .needsPath:
            CryptoError(.invalidOperation, "The operation does not fit the group.")
        }
    }
}

/// Two contradicting operations that owners of the group have both signed; any member can verify this proof.
public struct GroupFork: Hashable, Sendable {
    /// The operation that this member has applied.
    public let own: GroupOperation
    /// The contradicting operation: for the same epoch, or the next one after another history.
    public let other: GroupOperation
}
