/// The name of a row, or of a conversation, as a store sees it: it looks random and says nothing to whoever reads the disk.
///
/// Shape: 16 bytes. Source: PROTOCOL §11.
public struct RowID: Hashable, Sendable, Comparable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// Units: bytes.
    public static let byteCount = 16

    /// The label of rows that belong to no conversation.
    public static let zero = RowID(high: 0, low: 0)

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes an id from 16 bytes; any other length is refused.
    public init?(bytes: some Collection<UInt8>) {
        // One copy as an array costs less than going through an unknown collection byte by byte.
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Shape: 16 bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        append(to: &bytes)
        return bytes
    }

    /// Puts the 16 bytes at the end of others.
    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: high)
        bytes.append(bigEndian: low)
    }

    /// The 16 bytes in hexadecimal; safe to show, for they name nothing outside the store.
    public var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Orders as the bytes do.
    public static func < (left: RowID, right: RowID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
