/// Seals records at rest under one key, each with a fresh random nonce in front.
///
/// Nobody counts the records under a key, for their number stays within what random nonces bear: of n records two share
/// a nonce with a chance of n² / 2^97, so 2^-41 for 2^28 and 2^-33 for 2^32, where NIST SP 800-38D wants at most 2^-32. A
/// message that comes writes some ten records. A home with 1,000 messages a day writes 2^28 in 73 years; a contact who
/// sends 400 a second, as many as a link may bring, makes it write 2^32 in 12 days without a pause, over a terabyte.
/// And a repetition helps only whoever has both ciphertexts, the first of which is mostly overwritten by then.
///
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
