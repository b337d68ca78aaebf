extension CryptoError.Code {
    /// The title is empty, too long, or has characters that are not to be seen.
    public static let titleForbidden = CryptoError.Code("titleForbidden")
    /// One is no member of the group, or no longer.
    public static let notMember = CryptoError.Code("notMember")
    /// Only the owner's key signs operations.
    public static let notOwner = CryptoError.Code("notOwner")
    /// The operation contradicts what the group is: a member added twice, a stranger removed.
    public static let invalidOperation = CryptoError.Code("invalidOperation")
    /// There are as many members, operations or groups as there may be.
    public static let full = CryptoError.Code("full")
    /// Owners have signed two histories of the group; nothing goes on in it.
    public static let frozen = CryptoError.Code("frozen")
}
