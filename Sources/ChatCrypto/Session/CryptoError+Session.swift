extension CryptoError.Code {
    /// A message or flight to or from oneself.
    public static let ownIdentity = CryptoError.Code("ownIdentity")
    /// There is no session to send on, and no usable bundle to make one from.
    public static let needsBundle = CryptoError.Code("needsBundle")
    /// The peer has not answered on any session yet, and this kind of message cannot carry a first flight.
    public static let notAnswered = CryptoError.Code("notAnswered")
    /// The content is empty, or larger than one envelope holds.
    public static let contentSize = CryptoError.Code("contentSize")
    /// A chain or counter is at its end.
    public static let exhausted = CryptoError.Code("exhausted")
    /// The session changed or ended since the message was opened, and the message opens no more.
    public static let stale = CryptoError.Code("stale")
}
