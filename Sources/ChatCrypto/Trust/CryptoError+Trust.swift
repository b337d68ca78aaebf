extension CryptoError.Code {
    /// No such peer is known.
    public static let unknownPeer = CryptoError.Code("unknownPeer")
    /// The trust state of the contact does not allow the operation.
    public static let refusedByTrust = CryptoError.Code("refusedByTrust")
    /// The safety number or the code does not match the two identities.
    public static let numberMismatch = CryptoError.Code("numberMismatch")
}
