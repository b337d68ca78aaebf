public import ChatCrypto

extension MessageID {
    /// Makes an id from 32 hexadecimal digits.
    public init?(hex: String) {
        guard let bytes = [UInt8](hex: hex) else { return nil }
        self.init(bytes: bytes)
    }
}
