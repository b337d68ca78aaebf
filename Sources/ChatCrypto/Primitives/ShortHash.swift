import Bytes
import CSodium

/// The keyed hash SipHash-2-4 of a number, for tables and sketches whose entries come from unknown peers.
///
/// Source: Aumasson, Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012; PROTOCOL §5.
package enum ShortHash {
    /// Hashes a value under a salt.
    ///
    /// Shape: both are written as 8 bytes, big-endian; the key is the salt and 8 zero bytes. The result is SipHash's
    /// 8 bytes, read big-endian.
    package static func of(_ value: UInt64, salt: UInt64) -> UInt64 {
        let key = salt.bigEndianBytes + [UInt8](repeating: 0, count: 8)
        let input = value.bigEndianBytes
        var result = [UInt8](repeating: 0, count: 8)
        crypto_shorthash_siphash24(&result, input, UInt64(input.count), key)
        return result.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
