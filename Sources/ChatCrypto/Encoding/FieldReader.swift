/// Reads big-endian fields off public bytes; every read past the end answers `nil`.
struct FieldReader {
    private var rest: ArraySlice<UInt8>

    /// Starts at the first of `bytes`.
    init(_ bytes: some Collection<UInt8>) {
        rest = ArraySlice(bytes)
    }

    /// Whether everything has been read.
    var isAtEnd: Bool { rest.isEmpty }

    /// Units: bytes not read yet.
    var remainingCount: Int { rest.count }

    /// The next `count` bytes.
    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// The next fixed-width integer.
    mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(_ type: Value.Type = Value.self) -> Value? {
        bytes(Value.bitWidth / 8).flatMap { Value(bigEndianBytes: $0) }
    }

    /// The next byte as a truth value; anything but 0 and 1 is refused.
    mutating func flag() -> Bool? {
        guard let byte = integer(UInt8.self), byte <= 1 else { return nil }
        return byte == 1
    }

    /// The next byte string behind its one-byte length.
    mutating func shortField() -> [UInt8]? {
        guard let count = integer(UInt8.self) else { return nil }
        return bytes(Int(count))
    }
}
