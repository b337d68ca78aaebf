/// Builds a datagram or message field by field, big-endian.
package struct ByteWriter {
    /// What has been written so far.
    package private(set) var bytes: [UInt8] = []

    /// Starts empty, with room for `capacity` bytes.
    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Goes on where `bytes` end.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Hands out what has been written, as its only owner, and is empty then.
    package mutating func take() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    /// Appends bytes as they are.
    package mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Appends a fixed-width integer, big-endian.
    package mutating func append(integer value: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Appends a variable-length integer: seven bits a byte, least significant first (LEB128).
    package mutating func append(variable value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
