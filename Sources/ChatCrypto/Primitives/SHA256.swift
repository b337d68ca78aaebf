import CSodium

/// The hash SHA-256.
package enum SHA256 {
    /// Units: bytes.
    package static let byteCount = 32

    /// Hashes the parts one after the other, as if joined.
    package static func hash(_ parts: [UInt8]...) -> [UInt8] {
        digest(parts)
    }

    /// Hashes for one purpose: `H(label, x)`, where x is the parts joined.
    ///
    /// Source: PROTOCOL §1.
    package static func hash(label: Label, _ parts: [UInt8]...) -> [UInt8] {
        digest([label.bytes] + parts)
    }

    /// `H(label, secret ‖ parts)`, without a copy of the secret outside its memory.
    package static func hash(label: Label, secret: SecretBytes, _ parts: [UInt8]...) -> [UInt8] {
        var state = crypto_hash_sha256_state()
        crypto_hash_sha256_init(&state)
        crypto_hash_sha256_update(&state, label.bytes, UInt64(label.bytes.count))
        secret.withPointer { _ = crypto_hash_sha256_update(&state, $0, UInt64(secret.count)) }
        return finish(&state, parts)
    }

    private static func digest(_ parts: [[UInt8]]) -> [UInt8] {
        var state = crypto_hash_sha256_state()
        crypto_hash_sha256_init(&state)
        return finish(&state, parts)
    }

    private static func finish(_ state: inout crypto_hash_sha256_state, _ parts: [[UInt8]]) -> [UInt8] {
        for part in parts {
            crypto_hash_sha256_update(&state, part, UInt64(part.count))
        }
        var digest = [UInt8](repeating: 0, count: byteCount)
        crypto_hash_sha256_final(&state, &digest)  // erases the state
        return digest
    }
}
