/// A cipher for records at rest under one key; each record has a fresh random nonce in front.
///
/// Records under a key are not counted, because their number stays within the limit of random nonces: of n records two
/// share a nonce with a chance of n² / 2^97, so 2^-41 for 2^28 and 2^-33 for 2^32. NIST SP 800-38D requires at most
/// 2^-32. An incoming message writes about ten records. A data directory with 1,000 messages a day writes 2^28 records
/// in 73 years. A contact that sends 400 messages a second, the maximum of a link, makes it write 2^32 records in 12
/// days without a pause, over a terabyte. A repeated nonce helps only an attacker who has both ciphertexts, and the
/// first one is mostly overwritten by then.
///
/// Shape: nonce 12 · ciphertext · tag 16. Source: PROTOCOL §11.
package struct RecordAEAD: Sendable {
    /// Units: bytes that sealing adds.
    package static let overhead = AEAD.nonceByteCount + AEAD.tagByteCount

    let key: SecretBytes

    /// Makes a cipher with a key of 32 bytes.
    package init(key: SecretBytes) {
        precondition(key.count == AEAD.keyByteCount, "a record key has 32 bytes")
        self.key = key
    }

    /// Seals a record.
    ///
    /// `associatedData` names its row, so that the record opens in no other row.
    package func seal(_ plaintext: [UInt8], associatedData: [UInt8]) -> [UInt8] {
        let nonce = randomBytes(AEAD.nonceByteCount)
        return nonce + AEAD.seal(plaintext, key: key, nonce: nonce, associatedData: associatedData)
    }

    /// Opens a record; nil if it was not sealed for this row.
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
