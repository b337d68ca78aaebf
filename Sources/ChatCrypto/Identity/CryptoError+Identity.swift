extension CryptoError.Code {
    /// The nickname is empty.
    public static let nicknameEmpty = CryptoError.Code("nicknameEmpty")
    /// The nickname takes more than 32 bytes of UTF-8.
    public static let nicknameTooLong = CryptoError.Code("nicknameTooLong")
    /// The nickname contains a control or a bidirectional character, or is not in the composed form NFC.
    public static let nicknameForbidden = CryptoError.Code("nicknameForbidden")
    /// The bundle, prekey or statement is outside its time.
    public static let expired = CryptoError.Code("expired")
}
