/// A fast 64-bit mix of words and bytes: for traces and null cryptography, no defence against anybody.
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

    /// Adds the length and every byte, so that no two runs of bytes join to the same sum.
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

    /// Shape: 16 bytes.
    var code: [UInt8] {
        var second = self
        second.add(0x636F_6465)
        return [value, second.value].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        }
    }
}
