extension CryptoError.Code {
    /// No such peer is known.
    public static let unknownPeer = CryptoError.Code("unknownPeer")
    /// The state of the contact does not allow it.
    public static let refusedByTrust = CryptoError.Code("refusedByTrust")
    /// The safety number is not that of the two identities.
    public static let numberMismatch = CryptoError.Code("numberMismatch")
}
