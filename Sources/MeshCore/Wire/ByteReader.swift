/// Reads big-endian fields off bytes from a peer; every read that would go past the end answers `nil`.
package struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    /// Starts at the first of `bytes`.
    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// Starts at the first of `bytes`.
    package init(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    /// Units: bytes not read yet.
    package var remainingCount: Int { bytes.endIndex - position }

    /// Whether everything has been read.
    package var isAtEnd: Bool { position == bytes.endIndex }

    /// The next `count` bytes.
    package mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= remainingCount else { return nil }
        defer { position += count }
        return bytes[position..<(position + count)]
    }

    /// All that is left.
    package mutating func takeRest() -> ArraySlice<UInt8> {
        defer { position = bytes.endIndex }
        return bytes[position...]
    }

    /// The next fixed-width integer, big-endian.
    package mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(_ type: Value.Type = Value.self) -> Value?
    {
        guard let field = take(Value.bitWidth / 8) else { return nil }
        return field.reduce(0) { Value(truncatingIfNeeded: UInt64($0) << 8) | Value($1) }
    }

    /// The next variable-length integer: seven bits a byte, least significant first, at most ten bytes (LEB128).
    package mutating func variableInteger() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 70, by: 7) {
            guard let byte = integer(UInt8.self) else { return nil }
            guard shift < 63 || byte <= 1 else { return nil }
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
