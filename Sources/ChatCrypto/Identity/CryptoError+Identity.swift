extension CryptoError.Code {
    /// The nickname is empty, or has no visible character.
    public static let nicknameEmpty = CryptoError.Code("nicknameEmpty")
    /// The nickname takes more than 32 bytes of UTF-8.
    public static let nicknameTooLong = CryptoError.Code("nicknameTooLong")
    /// The nickname contains a character that `NameCharacters` refuses, or is not in the composed form NFC.
    public static let nicknameForbidden = CryptoError.Code("nicknameForbidden")
    /// The bundle, prekey or statement is outside its validity period.
    public static let expired = CryptoError.Code("expired")
}
