import CSodium

/// The passphrase hash Argon2id, version 1.3, with one lane.
///
/// Source: RFC 9106.
package enum Argon2id {
    /// Units: bytes.
    package static let saltByteCount = 16

    /// Derives `count` secret bytes from a passphrase; the function is slow on purpose.
    ///
    /// - Parameters:
    ///   - passphrase: UTF-8 of its NFKC form; the caller normalises.
    ///   - salt: 16 bytes.
    ///   - iterations: passes over the memory, at least 1.
    ///   - memoryByteCount: at least 8 KiB; used in whole KiB.
    /// - Throws: `outOfBounds` for a cost or a length that Argon2 does not support, `outOfMemory`.
    package static func derive(
        passphrase: SecretBytes,
        salt: [UInt8],
        iterations: UInt64,
        memoryByteCount: Int,
        count: Int
    ) throws(CryptoError) -> SecretBytes {
        precondition(salt.count == saltByteCount, "a salt has 16 bytes")
        guard (1...UInt64(UInt32.max)).contains(iterations), (8192...4_398_046_510_080).contains(memoryByteCount),
            (16...65_536).contains(count)
        else {
            throw CryptoError(.outOfBounds, "The cost of the passphrase hash is out of bounds.")
        }
        return try SecretBytes(count: count) { output throws(CryptoError) in
            guard let base = output.baseAddress else { return }
            let result = passphrase.withBytes { text in
                guard let characters = text.baseAddress?.assumingMemoryBound(to: CChar.self) else { return Int32(-1) }
                return crypto_pwhash_argon2id(
                    base.assumingMemoryBound(to: UInt8.self),
                    UInt64(count),
                    characters,
                    UInt64(text.count),
                    salt,
                    iterations,
                    memoryByteCount,
                    crypto_pwhash_argon2id_ALG_ARGON2ID13
                )
            }
            guard result == 0 else {
                throw CryptoError(.outOfMemory, "There is not enough memory for the passphrase hash.")
            }
        }
    }
}
