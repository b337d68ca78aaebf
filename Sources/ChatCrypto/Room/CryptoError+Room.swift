extension CryptoError.Code {
    /// The code or invite is not for the room of this beacon, or the room has stopped its admission.
    public static let wrongRoom = CryptoError.Code("wrongRoom")
    /// The typed code has used its three runs: it is wrong, or an impostor poses as the host.
    public static let codeUsedUp = CryptoError.Code("codeUsedUp")
}
