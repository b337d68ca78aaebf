/// A key of Noise with the count of its uses, which is the nonce.
///
/// A message that does not open leaves the count unchanged. Source: The Noise Protocol Framework, revision 34, section
/// 5.1.
package struct CipherState: Sendable {
    /// The key, for layers that number their packets themselves.
    package let key: SecretBytes
    private var uses: UInt64 = 0

    init(key: SecretBytes) {
        precondition(key.count == AEAD.keyByteCount, "a cipher key has 32 bytes")
        self.key = key
    }

    /// Seals the next message; the result is 16 bytes longer.
    package mutating func seal(_ plaintext: [UInt8], associatedData: [UInt8]) -> [UInt8] {
        precondition(uses < CipherState.reservedNumber, "a key is renewed before its nonces run out")
        defer { uses += 1 }
        return AEAD.seal(plaintext, key: key, nonce: CipherState.nonce(uses), associatedData: associatedData)
    }

    /// Opens the next message; nil if it does not authenticate, and then the state is unchanged.
    package mutating func open(_ ciphertext: ArraySlice<UInt8>, associatedData: [UInt8]) -> [UInt8]? {
        guard uses < CipherState.reservedNumber,
            let plaintext = AEAD.open(
                ciphertext,
                key: key,
                nonce: CipherState.nonce(uses),
                associatedData: associatedData
            )
        else { return nil }
        uses += 1
        return plaintext
    }

    /// The number that no message may have, because `rekeyed` uses it.
    static let reservedNumber = UInt64.max

    /// Computes the nonce of a message number.
    ///
    /// Shape: 4 zero bytes, then the number, 8 bytes big-endian. Source: revision 34, section 12.4.
    static func nonce(_ number: UInt64) -> [UInt8] {
        PacketNonce(number).bytes
    }

    /// Computes the key that follows `key`; the earlier key cannot be computed from it.
    ///
    /// Source: revision 34, section 4.2, `REKEY`.
    static func rekeyed(_ key: SecretBytes) -> SecretBytes {
        let zeros = [UInt8](repeating: 0, count: AEAD.keyByteCount)
        let sealed = AEAD.sealSecret(
            SecretBytes(copying: zeros),
            key: key,
            nonce: nonce(reservedNumber),
            associatedData: []
        )
        return SecretBytes(copying: sealed[..<AEAD.keyByteCount])
    }
}
