extension CryptoError.Code {
    /// The title is empty, too long, or has invisible characters.
    public static let titleForbidden = CryptoError.Code("titleForbidden")
    /// The identity is not a member of the group, or no longer.
    public static let notMember = CryptoError.Code("notMember")
    /// Only the owner's key signs operations.
    public static let notOwner = CryptoError.Code("notOwner")
    /// The operation contradicts the state of the group: it adds a member twice, or removes a peer that is not a
    /// member.
    public static let invalidOperation = CryptoError.Code("invalidOperation")
    /// The number of members, operations or groups has reached its limit.
    public static let full = CryptoError.Code("full")
    /// Owners have signed two histories of the group; the group accepts nothing more.
    public static let frozen = CryptoError.Code("frozen")
    /// The epoch is over, or its message keys may have been used: nothing is sealed before the next epoch begins.
    public static let mustWait = CryptoError.Code("mustWait")
}
