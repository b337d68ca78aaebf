import Bytes

/// The random name of one end of a path, by which relays find the way back to it; it lasts for minutes.
///
/// Shape: 8 bytes, big-endian. Source: PROTOCOL §5.1.
public struct PathLabel: Hashable, Sendable, Comparable {
    /// Units: bytes on the wire.
    public static let byteCount = 8

    /// The label as a number.
    public let value: UInt64

    /// Makes a label from its value.
    public init(_ value: UInt64) {
        self.value = value
    }

    /// The label in front of a probe's body; nil if the body is shorter.
    init?(ofProbe body: [UInt8]) {
        var reader = ByteReader(body)
        guard let value = reader.integer(UInt64.self) else { return nil }
        self.value = value
    }

    /// The label as it stands on the wire.
    public var bytes: [UInt8] {
        var writer = ByteWriter(capacity: Self.byteCount)
        writer.append(integer: value)
        return writer.bytes
    }

    /// Orders by value, so that iteration can be made repeatable.
    public static func < (left: PathLabel, right: PathLabel) -> Bool {
        left.value < right.value
    }
}
