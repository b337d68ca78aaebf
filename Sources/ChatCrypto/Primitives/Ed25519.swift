import CSodium

/// The signature Ed25519.
///
/// libsodium verifies on every platform: implementations differ on malformed keys and signatures, and the members of
/// one group must agree on the validity of a signature. In addition, the key and R must lie in the subgroup of prime
/// order. Source: RFC 8032; PROTOCOL §1.
package enum Ed25519 {
    /// Units: bytes.
    package static let publicKeyByteCount = 32
    /// Units: bytes.
    package static let signatureByteCount = 64

    /// A private key with its public key.
    package struct SigningKey: Sendable {
        /// The 32 bytes from which the key is made, for storage.
        package let seed: SecretBytes
        /// The public key.
        ///
        /// Shape: 32 bytes.
        package let publicKey: [UInt8]
        /// The key in libsodium's form: the seed, then the public key.
        private let expanded: SecretBytes

        /// Makes a new key.
        package init() {
            self.init(seed: .random(count: 32))
        }

        /// Takes a key from its 32 bytes.
        package init(seed: SecretBytes) {
            precondition(seed.count == 32, "an Ed25519 seed has 32 bytes")
            self.seed = seed
            var point = [UInt8](repeating: 0, count: publicKeyByteCount)
            expanded = SecretBytes(count: 64) { output in
                guard let base = output.baseAddress else { return }
                let key = base.assumingMemoryBound(to: UInt8.self)
                seed.withPointer { _ = crypto_sign_ed25519_seed_keypair(&point, key, $0) }
            }
            publicKey = point
        }

        /// Signs for one purpose: the label with its length, then the message.
        package func sign(_ label: Label, _ message: [UInt8]) -> [UInt8] {
            signature(of: label.bytes + message)
        }

        /// Signs bytes without a label, as the published vectors do.
        func signature(of message: [UInt8]) -> [UInt8] {
            var signature = [UInt8](repeating: 0, count: signatureByteCount)
            expanded.withPointer {
                _ = crypto_sign_ed25519_detached(&signature, nil, message, UInt64(message.count), $0)
            }
            return signature
        }
    }

    /// Whether the owner of `key` signed the message for this purpose; false for any bytes that are not a signature.
    package static func verify(_ signature: [UInt8], _ label: Label, _ message: [UInt8], key: [UInt8]) -> Bool {
        isSignature(signature, of: label.bytes + message, key: key)
    }

    /// Verifies bytes without a label, as the published vectors do.
    static func isSignature(_ signature: [UInt8], of message: [UInt8], key: [UInt8]) -> Bool {
        guard signature.count == signatureByteCount, key.count == publicKeyByteCount else { return false }
        guard crypto_sign_ed25519_verify_detached(signature, message, UInt64(message.count), key) == 0 else {
            return false
        }
        // Versions of libsodium check with or without the cofactor. In the subgroup of prime order both give the same
        // result.
        return crypto_core_ed25519_is_valid_point(key) == 1 && crypto_core_ed25519_is_valid_point(signature) == 1
    }
}
