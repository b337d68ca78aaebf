/// A key that seals other keys in memory, so that thousands of them do not lie there in the clear.
struct KeyWrap: Sendable {
    let key: SecretBytes

    /// Units: bytes of a wrapped key: nonce (12) ‖ sealed key (48).
    static let wrappedByteCount = 60

    init(key: SecretBytes = .random(count: 32)) {
        self.key = key
    }

    /// Seals a key of 32 bytes for one storage position.
    func wrap(_ secret: SecretBytes, for place: [UInt8]) -> [UInt8] {
        // The nonce is random, not counted: a restored snapshot must not seal two keys under one nonce.
        let nonce = randomBytes(AEAD.nonceByteCount)
        return nonce + AEAD.sealSecret(secret, key: key, nonce: nonce, associatedData: place)
    }

    /// Opens a key that `wrap` sealed for the same position.
    func unwrap(_ wrapped: [UInt8], for place: [UInt8]) -> SecretBytes? {
        AEAD.openSecret(
            wrapped[AEAD.nonceByteCount...],
            key: key,
            nonce: Array(wrapped[..<AEAD.nonceByteCount]),
            associatedData: place
        )
    }
}
