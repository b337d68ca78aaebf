/// The running hash and the chaining key of a handshake: the data that both sides have seen, and the secret that both
/// sides know.
///
/// The same code runs Noise's published vectors, the link handshake and the prekey message of a session. Source: The
/// Noise Protocol Framework, revision 34, section 5.2, with SHA-256 and AES-256-GCM.
package struct SymmetricState: Sendable {
    /// The hash of all data that was mixed in.
    ///
    /// Shape: 32 bytes.
    package private(set) var hash: [UInt8]
    /// The secret into which all key material was mixed.
    ///
    /// Shape: 32 bytes.
    package private(set) var chainingKey: SecretBytes
    /// The cipher of the newest key; nil until the first key is mixed in.
    ///
    /// Payloads travel in the clear until then.
    private var cipher: CipherState?

    /// Starts with the protocol's name in ASCII, padded to 32 bytes, or hashed if it is longer.
    package init(protocolName: String) {
        let name = Array(protocolName.utf8)
        let padding = SHA256.byteCount - name.count
        hash = padding >= 0 ? name + [UInt8](repeating: 0, count: padding) : SHA256.hash(name)
        chainingKey = SecretBytes(copying: hash)
    }

    /// Binds public bytes to all later messages.
    package mutating func mixHash(_ bytes: [UInt8]) {
        hash = SHA256.hash(hash, bytes)
    }

    /// Mixes in a shared secret; later messages are sealed with a key that depends on it.
    package mutating func mixKey(_ inputKey: SecretBytes) {
        let output = expand(inputKey, count: 64)
        chainingKey = output.slice(0..<32)
        cipher = CipherState(key: output.slice(32..<64))
    }

    /// Mixes a pre-shared key into the hash as well, as `psk` tokens do.
    ///
    /// The part that goes into the hash reveals nothing about the keys and needs no erasure.
    package mutating func mixKeyAndHash(_ inputKey: SecretBytes) {
        let output = expand(inputKey, count: 96)
        chainingKey = output.slice(0..<32)
        mixHash(output.withBytes { Array($0[32..<64]) })
        cipher = CipherState(key: output.slice(64..<96))
    }

    /// Seals under the newest key, bound to the hash; the output is clear text as long as there is no key.
    package mutating func encryptAndHash(_ plaintext: [UInt8]) -> [UInt8] {
        let ciphertext = cipher?.seal(plaintext, associatedData: hash) ?? plaintext
        mixHash(ciphertext)
        return ciphertext
    }

    /// Opens the output of `encryptAndHash`.
    ///
    /// - Throws: `authenticationFailed`. After an error the state is unchanged.
    package mutating func decryptAndHash(_ ciphertext: ArraySlice<UInt8>) throws(CryptoError) -> [UInt8] {
        let plaintext: [UInt8]
        if cipher == nil {
            plaintext = Array(ciphertext)
        } else {
            guard let opened = cipher?.open(ciphertext, associatedData: hash) else {
                throw CryptoError(.authenticationFailed, "A handshake message does not authenticate.")
            }
            plaintext = opened
        }
        mixHash(Array(ciphertext))
        return plaintext
    }

    /// Derives the ciphers of the finished handshake: the initiator's direction, then the responder's.
    package func split() -> (CipherState, CipherState) {
        let output = expand(SecretBytes(copying: []), count: 64)
        return (CipherState(key: output.slice(0..<32)), CipherState(key: output.slice(32..<64)))
    }

    /// The number of bytes that `encryptAndHash` adds at this point.
    var overhead: Int { cipher == nil ? 0 : AEAD.tagByteCount }

    private func expand(_ inputKey: SecretBytes, count: Int) -> SecretBytes {
        HKDF.derive(salt: chainingKey, inputKey: inputKey, info: [], count: count)
    }
}
