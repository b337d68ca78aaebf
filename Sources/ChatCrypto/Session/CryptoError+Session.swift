extension CryptoError.Code {
    /// A message from or to this identity itself.
    public static let ownIdentity = CryptoError.Code("ownIdentity")
    /// There is no session to send on, and no usable prekey bundle to begin one.
    public static let needsBundle = CryptoError.Code("needsBundle")
    /// The peer has not answered on any session yet, and this kind of envelope cannot carry a prekey message.
    public static let notAnswered = CryptoError.Code("notAnswered")
    /// The content is empty, or larger than one envelope holds.
    public static let contentSize = CryptoError.Code("contentSize")
    /// A chain or counter has reached its end.
    public static let exhausted = CryptoError.Code("exhausted")
    /// The session changed or ended after the message was opened, and the message no longer opens.
    public static let stale = CryptoError.Code("stale")
    /// The costly part of opening a prekey message may not begin yet.
    static let postponed = CryptoError.Code("postponed")
}
