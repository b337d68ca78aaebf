/// A fast 64-bit mix of words and bytes for traces and null cryptography.
///
/// It gives no protection against an attacker.
struct Checksum: Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed ^ 0x51_7C_C1_B7_27_22_0A_95
    }

    var value: UInt64 {
        var mixed = state
        mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
        mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
        return mixed ^ (mixed >> 32)
    }

    mutating func add(_ word: UInt64) {
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 29
    }

    /// Adds the length and every byte, so that the boundaries between byte strings count too.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        add(UInt64(bytes.count))
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset + 8 <= buffer.count {
                add(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                offset += 8
            }
            var rest: UInt64 = 0
            while offset < buffer.count {
                rest = rest << 8 | UInt64(buffer[offset])
                offset += 1
            }
            add(rest)
        }
    }

    /// Two independent words, for callers that need more than 64 bits.
    var words: (UInt64, UInt64) {
        var second = self
        second.add(0x636F_6465)
        return (value, second.value)
    }

    /// The bytes of `words`.
    ///
    /// Shape: 16 bytes, most significant first.
    var code: [UInt8] {
        let (first, second) = words
        return [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            bytes.storeBytes(of: first.bigEndian, as: UInt64.self)
            bytes.storeBytes(of: second.bigEndian, toByteOffset: 8, as: UInt64.self)
            count = 16
        }
    }

    /// Returns whether `bytes` equals `code`.
    func isCode(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == 16 else { return false }
        let (first, second) = words
        return bytes.withUnsafeBytes { buffer in
            buffer.loadUnaligned(as: UInt64.self) == first.bigEndian
                && buffer.loadUnaligned(fromByteOffset: 8, as: UInt64.self) == second.bigEndian
        }
    }
}
