import CSodium

/// The keyed hash SipHash-2-4 of a number, for tables and sketches that strangers' values go into.
///
/// Source: Aumasson, Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012; PROTOCOL §5.
package enum ShortHash {
    /// Hashes a value under a salt.
    ///
    /// Shape: both are written as 8 bytes, big-endian; the key is the salt and 8 zero bytes. The result is SipHash's
    /// 8 bytes, read big-endian.
    package static func of(_ value: UInt64, salt: UInt64) -> UInt64 {
        let key = (salt.bigEndian, UInt64(0))
        var input = value.bigEndian
        var result: UInt64 = 0
        withUnsafeBytes(of: key) { key in
            withUnsafeBytes(of: &input) { input in
                withUnsafeMutableBytes(of: &result) { result in
                    _ = crypto_shorthash_siphash24(
                        result.bindMemory(to: UInt8.self).baseAddress,
                        input.bindMemory(to: UInt8.self).baseAddress,
                        UInt64(input.count),
                        key.bindMemory(to: UInt8.self).baseAddress
                    )
                }
            }
        }
        return UInt64(bigEndian: result)
    }
}
