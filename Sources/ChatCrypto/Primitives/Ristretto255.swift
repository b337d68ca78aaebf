import CSodium

/// The prime-order group ristretto255.
///
/// Source: RFC 9496.
enum Ristretto255 {
    /// Units: bytes of an encoded element, and also of a scalar.
    static let byteCount = 32

    /// Makes a uniform random scalar.
    static func randomScalar() -> SecretBytes {
        let wide = SecretBytes.random(count: 64)
        return SecretBytes(count: byteCount) { output in
            guard let base = output.baseAddress else { return }
            let scalar = base.assumingMemoryBound(to: UInt8.self)
            wide.withPointer { crypto_core_ristretto255_scalar_reduce(scalar, $0) }
        }
    }

    /// Maps a hash of 64 bytes to an element.
    static func element(ofHash hash: SecretBytes) -> SecretBytes {
        precondition(hash.count == 64, "a hash for an element has 64 bytes")
        return SecretBytes(count: byteCount) { output in
            guard let base = output.baseAddress else { return }
            let element = base.assumingMemoryBound(to: UInt8.self)
            hash.withPointer { _ = crypto_core_ristretto255_from_hash(element, $0) }
        }
    }

    /// Whether the bytes are an element other than the neutral one.
    static func isElement(_ bytes: [UInt8]) -> Bool {
        bytes.count == byteCount && crypto_core_ristretto255_is_valid_point(bytes) == 1 && bytes.contains { $0 != 0 }
    }

    /// Multiplies an element by a scalar; nil if the bytes are not an element, or the product is the neutral one.
    static func multiply(_ element: SecretBytes, by scalar: SecretBytes) -> SecretBytes? {
        guard element.count == byteCount, scalar.count == byteCount else { return nil }
        var isValid = false
        let product = SecretBytes(count: byteCount) { output in
            guard let base = output.baseAddress else { return }
            let product = base.assumingMemoryBound(to: UInt8.self)
            isValid = scalar.withPointer { scalar in
                element.withPointer { crypto_scalarmult_ristretto255(product, scalar, $0) == 0 }
            }
        }
        return isValid ? product : nil
    }
}
