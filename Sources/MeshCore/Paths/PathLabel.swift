import Bytes

/// The identifier of one end of a path, with which relays find the way back to it.
///
/// An envelope's author has its short id as a label. Any other label is random. It lasts for minutes.
///
/// Shape: 8 bytes, big-endian. Source: PROTOCOL §5.1.
public struct PathLabel: Hashable, Sendable, Comparable {
    /// The size on the wire.
    ///
    /// Units: bytes.
    public static let byteCount = 8

    /// The label as a number.
    public let value: UInt64

    /// Creates a label from its value.
    public init(_ value: UInt64) {
        self.value = value
    }

    /// The label of an envelope's author, to which its trail leads.
    public init(trailOf id: EnvelopeID) {
        value = id.shortID
    }

    /// The label on the wire.
    public var bytes: [UInt8] {
        var writer = ByteWriter(capacity: Self.byteCount)
        writer.append(integer: value)
        return writer.bytes
    }

    /// Orders by value, so that iteration is repeatable.
    public static func < (left: PathLabel, right: PathLabel) -> Bool {
        left.value < right.value
    }
}
