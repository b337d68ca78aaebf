/// A reader of fields from untrusted bytes.
///
/// A read past the end returns `nil` and does not move the reader.
///
/// Slices keep the indices that they have in the input.
public struct ByteReader {
    @usableFromInline let input: ArraySlice<UInt8>
    @usableFromInline var position: Int

    /// Starts at the first byte of `bytes`.
    @inlinable
    public init(_ bytes: ArraySlice<UInt8>) {
        input = bytes
        position = bytes.startIndex
    }

    /// Starts at the first byte of `bytes`.
    @inlinable
    public init(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    /// Starts at the first byte of `bytes`, which the reader copies.
    @inlinable
    public init(_ bytes: some Collection<UInt8>) {
        self.init(ArraySlice(bytes))
    }

    /// The number of unread bytes.
    ///
    /// Units: bytes.
    @inlinable public var remainingCount: Int { input.endIndex - position }

    /// Whether all bytes have been read.
    @inlinable public var isAtEnd: Bool { position == input.endIndex }

    /// The next unread byte.
    ///
    /// The reader does not move.
    @inlinable public var next: UInt8? { isAtEnd ? nil : input[position] }

    /// Takes the next byte.
    @inlinable
    public mutating func byte() -> UInt8? {
        guard position < input.endIndex else { return nil }
        defer { position += 1 }
        return input[position]
    }

    /// Takes the next `count` bytes.
    @inlinable
    public mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= remainingCount else { return nil }
        defer { position += count }
        return input[position..<(position + count)]
    }

    /// Takes the next `count` bytes as a separate array.
    @inlinable
    public mutating func bytes(_ count: Int) -> [UInt8]? {
        take(count).map { Array($0) }
    }

    /// Takes all remaining bytes.
    @inlinable
    public mutating func takeRest() -> ArraySlice<UInt8> {
        defer { position = input.endIndex }
        return input[position...]
    }

    /// Skips `count` bytes; returns false and does not move if fewer remain.
    @inlinable
    public mutating func skip(_ count: Int) -> Bool { take(count) != nil }

    /// Takes the next fixed-width integer, big-endian.
    @inlinable
    public mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value? {
        guard let field = take(Value.bitWidth / 8) else { return nil }
        return Value(truncatingIfNeeded: field.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }

    /// Takes the next fixed-width integer, little-endian.
    @inlinable
    public mutating func littleEndian<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value? {
        guard let field = take(Value.bitWidth / 8) else { return nil }
        return Value(truncatingIfNeeded: field.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }

    /// Takes the next byte as a Boolean; returns nil for any value other than 0 and 1.
    @inlinable
    public mutating func flag() -> Bool? {
        guard let byte = byte(), byte <= 1 else { return nil }
        return byte == 1
    }

    /// Takes the next byte string, which follows its one-byte length.
    @inlinable
    public mutating func shortField() -> [UInt8]? {
        guard let count = byte() else { return nil }
        return bytes(Int(count))
    }

    /// Takes the next variable-length integer: seven bits a byte, least significant first, at most ten bytes (LEB128).
    @inlinable
    public mutating func variableInteger() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 70, by: 7) {
            guard let byte = byte() else { return nil }
            guard shift < 63 || byte <= 1 else { return nil }
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
