/// Seals records at rest under one key, each with a fresh random nonce in front.
///
/// Random nonces are safe for 2^28 records a key; whoever owns the key counts.
/// Shape: nonce 12 · ciphertext · tag 16.
/// Source: PROTOCOL §11.
package struct RecordAEAD: Sendable {
    /// Units: bytes that sealing adds.
    package static let overhead = AEAD.nonceByteCount + AEAD.tagByteCount

    let key: SecretBytes

    /// Seals under a key of 32 bytes.
    package init(key: SecretBytes) {
        precondition(key.count == AEAD.keyByteCount, "a record key has 32 bytes")
        self.key = key
    }

    /// Seals a record; `associatedData` says which row it is, so that it opens nowhere else.
    package func seal(_ plaintext: [UInt8], associatedData: [UInt8]) -> [UInt8] {
        let nonce = randomBytes(AEAD.nonceByteCount)
        return nonce + AEAD.seal(plaintext, key: key, nonce: nonce, associatedData: associatedData)
    }

    /// Opens a record; nil if it is not the one that was sealed for this row.
    package func open(_ sealed: [UInt8], associatedData: [UInt8]) -> [UInt8]? {
        guard sealed.count >= RecordAEAD.overhead else { return nil }
        return AEAD.open(
            sealed.dropFirst(AEAD.nonceByteCount),
            key: key,
            nonce: Array(sealed.prefix(AEAD.nonceByteCount)),
            associatedData: associatedData
        )
    }

    /// Seals a secret without a copy of it in ordinary memory.
    package func seal(_ secret: SecretBytes, associatedData: [UInt8]) -> [UInt8] {
        let nonce = randomBytes(AEAD.nonceByteCount)
        return nonce + AEAD.sealSecret(secret, key: key, nonce: nonce, associatedData: associatedData)
    }

    /// Opens a secret without a copy of it in ordinary memory.
    package func openSecret(_ sealed: [UInt8], associatedData: [UInt8]) -> SecretBytes? {
        guard sealed.count >= RecordAEAD.overhead else { return nil }
        return AEAD.openSecret(
            sealed.dropFirst(AEAD.nonceByteCount),
            key: key,
            nonce: Array(sealed.prefix(AEAD.nonceByteCount)),
            associatedData: associatedData
        )
    }
}
