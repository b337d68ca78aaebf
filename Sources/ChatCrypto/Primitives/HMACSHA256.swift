import CSodium

/// The message authentication code HMAC-SHA256.
///
/// Source: RFC 2104.
package enum HMACSHA256 {
    /// Units: bytes.
    package static let byteCount = 32

    /// Authenticates the concatenated parts.
    package static func code(_ parts: [UInt8]..., key: SecretBytes) -> [UInt8] {
        var stream = Stream(key: key)
        return code(parts, &stream)
    }

    /// Authenticates the concatenated parts.
    package static func code(_ parts: [UInt8]..., key: PreparedKey) -> [UInt8] {
        var stream = Stream(key.state)
        return code(parts, &stream)
    }

    private static func code(_ parts: [[UInt8]], _ stream: inout Stream) -> [UInt8] {
        for part in parts { stream.update(part) }
        return [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
            stream.finish(into: UnsafeMutableRawBufferPointer(buffer))
            initialized = byteCount
        }
    }

    /// A key that is processed once for many codes, which halves the cost of a short code.
    ///
    /// The value holds the state after the key, which is as secret as the key.
    package struct PreparedKey: Sendable {
        let state: SecretBytes

        /// Processes a key.
        package init(_ key: SecretBytes) {
            state = SecretBytes(count: MemoryLayout<crypto_auth_hmacsha256_state>.size) { output in
                var stream = Stream(key: key)
                stream.move(into: output)
            }
        }
    }

    /// Authenticates a message; the code is itself a secret, such as the next key of a chain.
    package static func secretCode(_ message: [UInt8], key: SecretBytes) -> SecretBytes {
        var stream = Stream(key: key)
        stream.update(message)
        return SecretBytes(count: byteCount) { stream.finish(into: $0) }
    }

    /// One computation that takes its input in parts.
    struct Stream {
        private var state = crypto_auth_hmacsha256_state()

        init(key: SecretBytes) {
            key.withPointer { _ = crypto_auth_hmacsha256_init(&state, $0, key.count) }
        }

        /// Continues from a state that was moved into secret memory.
        fileprivate init(_ kept: SecretBytes) {
            kept.withBytes { kept in withUnsafeMutableBytes(of: &state) { $0.copyMemory(from: kept) } }
        }

        /// Writes the state into memory of its size and erases it here.
        fileprivate mutating func move(into output: UnsafeMutableRawBufferPointer) {
            withUnsafeBytes(of: state) { output.copyMemory(from: $0) }
            sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha256_state>.size)
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
