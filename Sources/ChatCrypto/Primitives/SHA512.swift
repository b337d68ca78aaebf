import CSodium

/// The hash SHA-512.
package enum SHA512 {
    /// Units: bytes.
    package static let byteCount = 64

    /// Hashes the concatenated parts.
    package static func hash(_ parts: [UInt8]...) -> [UInt8] {
        digest(parts)
    }

    /// Hashes for one purpose: SHA-512 over the label after its length, then the concatenated parts.
    package static func hash(label: Label, _ parts: [UInt8]...) -> [UInt8] {
        digest([label.bytes] + parts)
    }

    /// Hashes a secret into another secret.
    static func secretHash(_ secret: SecretBytes) -> SecretBytes {
        SecretBytes(count: byteCount) { output in
            guard let base = output.baseAddress else { return }
            let digest = base.assumingMemoryBound(to: UInt8.self)
            secret.withPointer { _ = crypto_hash_sha512(digest, $0, UInt64(secret.count)) }
        }
    }

    private static func digest(_ parts: [[UInt8]]) -> [UInt8] {
        var state = crypto_hash_sha512_state()
        crypto_hash_sha512_init(&state)
        for part in parts {
            crypto_hash_sha512_update(&state, part, UInt64(part.count))
        }
        var digest = [UInt8](repeating: 0, count: byteCount)
        crypto_hash_sha512_final(&state, &digest)
        return digest
    }
}
