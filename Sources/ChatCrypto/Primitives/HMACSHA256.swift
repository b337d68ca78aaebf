import CSodium

/// The message authentication code HMAC-SHA256.
///
/// Source: RFC 2104.
package enum HMACSHA256 {
    /// Units: bytes.
    package static let byteCount = 32

    /// Authenticates the parts, joined.
    package static func code(_ parts: [UInt8]..., key: SecretBytes) -> [UInt8] {
        var stream = Stream(key: key)
        for part in parts { stream.update(part) }
        return [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
            stream.finish(into: UnsafeMutableRawBufferPointer(buffer))
            initialized = byteCount
        }
    }

    /// Authenticates a message; the code is itself a secret, such as the next key of a chain.
    package static func secretCode(_ message: [UInt8], key: SecretBytes) -> SecretBytes {
        var stream = Stream(key: key)
        stream.update(message)
        return SecretBytes(count: byteCount) { stream.finish(into: $0) }
    }

    /// One computation, piece by piece.
    struct Stream {
        private var state = crypto_auth_hmacsha256_state()

        init(key: SecretBytes) {
            key.withPointer { _ = crypto_auth_hmacsha256_init(&state, $0, key.count) }
        }

        mutating func update(_ bytes: [UInt8]) {
            crypto_auth_hmacsha256_update(&state, bytes, UInt64(bytes.count))
        }

        mutating func update(_ bytes: UnsafeRawBufferPointer) {
            guard let base = bytes.baseAddress else { return }
            crypto_auth_hmacsha256_update(&state, base.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
        }

        /// Writes the first 32 bytes of `output` and erases the state.
        mutating func finish(into output: UnsafeMutableRawBufferPointer) {
            precondition(output.count >= HMACSHA256.byteCount, "a code needs 32 bytes")
            guard let base = output.baseAddress else { return }
            crypto_auth_hmacsha256_final(&state, base.assumingMemoryBound(to: UInt8.self))
            sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha256_state>.size)
        }
    }
}
