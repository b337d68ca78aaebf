import CSodium

/// The Diffie-Hellman function X25519.
///
/// Source: RFC 7748.
package enum X25519 {
    /// Units: bytes of a public key, and also of a private key and of a shared secret.
    package static let keyByteCount = 32

    /// A private key with its public key.
    package struct PrivateKey: Sendable {
        /// The 32 bytes from which the key is made, for storage.
        package let seed: SecretBytes
        /// The public key.
        ///
        /// Shape: 32 bytes, little-endian as in RFC 7748.
        package let publicKey: [UInt8]

        /// Makes a new key.
        package init() {
            self.init(seed: .random(count: keyByteCount))
        }

        /// Takes a key from its 32 bytes.
        package init(seed: SecretBytes) {
            precondition(seed.count == keyByteCount, "an X25519 key has 32 bytes")
            self.seed = seed
            var point = [UInt8](repeating: 0, count: keyByteCount)
            seed.withPointer { _ = crypto_scalarmult_curve25519_base(&point, $0) }
            publicKey = point
        }

        /// Computes the secret that is shared with the owner of a public key.
        ///
        /// - Throws: `malformed` if the key does not have 32 bytes; `lowOrderPoint` if the secret would be zero for
        ///   every private key.
        package func sharedSecret(with publicKey: [UInt8]) throws(CryptoError) -> SecretBytes {
            guard publicKey.count == keyByteCount else {
                throw CryptoError(.malformed, "A public key has 32 bytes.")
            }
            return try SecretBytes(count: keyByteCount) { output throws(CryptoError) in
                guard let base = output.baseAddress else { return }
                let point = base.assumingMemoryBound(to: UInt8.self)
                guard seed.withPointer({ crypto_scalarmult_curve25519(point, $0, publicKey) }) == 0 else {
                    throw CryptoError(.lowOrderPoint, "The public key has a small order.")
                }
            }
        }
    }
}
