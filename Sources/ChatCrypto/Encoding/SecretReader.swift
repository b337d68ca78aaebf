import Bytes

/// A reader for the fields of a record that holds secrets; a read past the end answers `nil`.
struct SecretReader {
    private let record: SecretBytes
    private var position = 0

    /// Starts at the first byte of `record`.
    init(_ record: SecretBytes) {
        self.record = record
    }

    /// Whether the whole record has been read.
    var isAtEnd: Bool { position == record.count }

    /// Units: bytes not read yet.
    var remainingCount: Int { record.count - position }

    /// Reads the next `count` bytes, which are public.
    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard let range = advance(count) else { return nil }
        return record.withBytes { Array($0[range]) }
    }

    /// Reads the next `count` bytes, which are secret.
    mutating func secret(_ count: Int) -> SecretBytes? {
        guard let range = advance(count) else { return nil }
        return record.slice(range)
    }

    /// Reads the next fixed-width integer.
    mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(_ type: Value.Type = Value.self) -> Value? {
        bytes(Value.bitWidth / 8).flatMap { Value(bigEndianBytes: $0) }
    }

    /// The next byte as a truth value; any byte other than 0 and 1 answers `nil`.
    mutating func flag() -> Bool? {
        guard let byte = integer(UInt8.self), byte <= 1 else { return nil }
        return byte == 1
    }

    /// Moves back, so that the last `count` bytes of the record are unread.
    mutating func rewind(_ count: Int) { position = max(0, min(position, record.count - count)) }

    private mutating func advance(_ count: Int) -> Range<Int>? {
        guard count >= 0, count <= record.count - position else { return nil }
        defer { position += count }
        return position..<(position + count)
    }
}
