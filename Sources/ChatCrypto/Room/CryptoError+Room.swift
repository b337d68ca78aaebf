extension CryptoError.Code {
    /// A code or invite is not for the room of this beacon, or its door is shut.
    public static let wrongRoom = CryptoError.Code("wrongRoom")
    /// A typed code has had its three runs: it is wrong, or somebody plays the host.
    public static let codeUsedUp = CryptoError.Code("codeUsedUp")
}
