/// What an operation from elsewhere did to a log.
public enum LogOutcome: Hashable, Sendable {
    /// It is the newest operation now.
    case applied
    /// It was there already.
    case known
    /// Earlier ones are missing; this is the next that is needed.
    case gap(next: UInt32)
    /// It contradicts one that is there, and owners signed both: the log is frozen.
    case forked(GroupFork)
    /// It changed nothing.
    case refused(LogRefusal)
}

/// Why an operation changed nothing.
public enum LogRefusal: Hashable, Sendable {
    /// It is about another group.
    case otherGroup
    /// The owner did not sign it.
    case notSigned
    /// It contradicts what the group is: a member added twice, a stranger removed.
    case invalid
    /// There are as many members or operations as there may be.
    case full
    /// The log is frozen.
    case frozen
    /// The header key that it needs is missing, or is another.
    case needsHeaderKey

    /// The same as an error, for the owner's own operations.
    var error: CryptoError {
        switch self {
        case .full: CryptoError(.full, "There are as many members or operations as there may be.")
        case .frozen: CryptoError(.frozen, "The group's history has been signed twice.")
        case .notSigned: CryptoError(.notOwner, "Only the owner changes a group.")
        case .otherGroup, .invalid, .needsHeaderKey:
            CryptoError(.invalidOperation, "The operation does not fit the group.")
        }
    }
}

/// Two operations that cannot both be true and were both signed by owners of the group: proof for everybody.
public struct GroupFork: Hashable, Sendable {
    /// The one that this member has applied.
    public let own: GroupOperation
    /// The one that came besides: for the same place, or for the next upon another history.
    public let other: GroupOperation
}
