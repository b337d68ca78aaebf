/// The result of applying an operation to a log.
public enum LogOutcome: Hashable, Sendable {
    /// The operation is now the newest one.
    case applied
    /// The log has the operation already.
    case known
    /// Earlier operations are missing.
    ///
    /// `next` is the first of them.
    case gap(next: UInt32)
    /// The operation contradicts one in the log, and owners signed both; the log is frozen.
    case forked(GroupFork)
    /// The operation changed nothing.
    case refused(LogRefusal)
}

/// The reason why an operation changed nothing.
public enum LogRefusal: Hashable, Sendable {
    /// The operation is for another group.
    case otherGroup
    /// The owner did not sign the operation.
    case notSigned
    /// The operation contradicts the state of the group: it adds a member twice, or removes a peer that is not a
    /// member.
    case invalid
    /// The number of members or operations has reached its limit.
    case full
    /// The log is frozen.
    case frozen
    /// The header key that the operation needs is missing or does not match.
    case needsHeaderKey

    /// The error that this refusal becomes for the owner's own operations.
    var error: CryptoError {
        switch self {
        case .full: CryptoError(.full, "The largest number of members or operations is reached.")
        case .frozen: CryptoError(.frozen, "The owner has signed two different histories of the group.")
        case .notSigned: CryptoError(.notOwner, "Only the owner can change a group.")
        case .otherGroup, .invalid, .needsHeaderKey:
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
