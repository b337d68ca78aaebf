/// A builder of datagrams and messages, field by field, big-endian.
public struct ByteWriter {
    @usableFromInline var written: [UInt8]

    /// The bytes written so far.
    @inlinable public var bytes: [UInt8] { written }

    /// Creates an empty writer with room for `capacity` bytes.
    @inlinable
    public init(capacity: Int = 0) {
        written = []
        written.reserveCapacity(capacity)
    }

    /// Continues after the last byte of `bytes`.
    @inlinable
    public init(_ bytes: [UInt8]) {
        written = bytes
    }

    /// Moves the written bytes out of the writer without a copy.
    ///
    /// The writer is empty afterwards.
    @inlinable
    public mutating func take() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &written)
        return taken
    }

    /// Appends bytes unchanged.
    @inlinable
    public mutating func append(_ more: some Sequence<UInt8>) {
        written.append(contentsOf: more)
    }

    /// Appends a fixed-width integer, big-endian.
    @inlinable
    public mutating func append(integer value: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            written.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Computes the size of a variable-length integer.
    ///
    /// Units: bytes.
    @inlinable
    public static func byteCount(variable value: UInt64) -> Int {
        max(1, (UInt64.bitWidth - value.leadingZeroBitCount + 6) / 7)
    }

    /// Appends a variable-length integer: seven bits a byte, least significant first (LEB128).
    @inlinable
    public mutating func append(variable value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            written.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        written.append(UInt8(rest))
    }
}
