/// Reads fields off bytes that anyone may have written; every read past the end answers `nil`.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    /// Starts at the first of `bytes`; what is read keeps the places it has there.
    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Starts at the first of `bytes`; what is read keeps the places it has there.
    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// Whether everything has been read.
    var isAtEnd: Bool { rest.isEmpty }

    /// Units: bytes not read yet.
    var remainingCount: Int { rest.count }

    /// The next byte, still to be read.
    var next: UInt8? { rest.first }

    /// The next byte.
    mutating func byte() -> UInt8? { rest.popFirst() }

    /// The next `count` bytes.
    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Goes past `count` bytes; false, and nowhere, if there are fewer.
    mutating func skip(_ count: Int) -> Bool { bytes(count) != nil }

    /// The next integer, its first byte the highest.
    mutating func big<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
        bytes(Value.bitWidth / 8)?.reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }

    /// The next integer, its first byte the lowest.
    mutating func little<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
        bytes(Value.bitWidth / 8)?.reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }
}

extension Collection<UInt8> {
    /// Whether the text stands at the start, byte for byte.
    func begins(with text: StaticString) -> Bool {
        text.withUTF8Buffer { starts(with: $0) }
    }
}
