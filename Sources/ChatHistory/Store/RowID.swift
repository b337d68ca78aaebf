/// The name of a row, or of a conversation, as a store sees it: it looks random and tells a reader of the disk nothing.
///
/// Shape: 16 bytes. Source: PROTOCOL §11.
public struct RowID: Hashable, Sendable, Comparable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// The length of an id.
    ///
    /// Units: bytes.
    public static let byteCount = 16

    /// The label of rows that belong to no conversation.
    public static let zero = RowID(high: 0, low: 0)

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes an id from 16 bytes; refuses any other length.
    public init?(bytes: some Collection<UInt8>) {
        // One copy as an array costs less than byte by byte access to an unknown collection.
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The id as bytes.
    ///
    /// Shape: 16 bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        append(to: &bytes)
        return bytes
    }

    /// Appends the 16 bytes to others.
    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: high)
        bytes.append(bigEndian: low)
    }

    /// The 16 bytes in hexadecimal; safe to show, because they name nothing outside the store.
    public var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Compares ids in the order of their bytes.
    public static func < (left: RowID, right: RowID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
