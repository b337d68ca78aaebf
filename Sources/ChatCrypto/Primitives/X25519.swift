import CSodium

/// The Diffie-Hellman function X25519.
///
/// Source: RFC 7748.
package enum X25519 {
    /// Units: bytes, of a public key, a private key and a shared secret alike.
    package static let keyByteCount = 32

    /// A private key with its public one.
    package struct PrivateKey: Sendable {
        /// The 32 bytes the key is made of, for safekeeping.
        package let seed: SecretBytes
        /// Shape: 32 bytes, little-endian as in RFC 7748.
        package let publicKey: [UInt8]

        /// Makes a new key.
        package init() {
            self.init(seed: .random(count: keyByteCount))
        }

        /// Takes up a key from its 32 bytes.
        package init(seed: SecretBytes) {
            precondition(seed.count == keyByteCount, "an X25519 key has 32 bytes")
            self.seed = seed
            var point = [UInt8](repeating: 0, count: keyByteCount)
            seed.withPointer { _ = crypto_scalarmult_curve25519_base(&point, $0) }
            publicKey = point
        }

        /// The secret shared with the owner of a public key.
        ///
        /// - Throws: `malformed` if the key has not 32 bytes; `lowOrderPoint` if the secret would be zero whatever the
        ///   private key is.
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
