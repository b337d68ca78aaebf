import Bytes

/// The name of a group: a hash of the key that signs its first operations; the name therefore certifies itself.
///
/// Shape: 16 bytes. Source: PROTOCOL §16.
public struct GroupID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The bytes of the ID.
    ///
    /// Shape: 16 bytes.
    public let bytes: [UInt8]

    /// Units: bytes in every group ID.
    public static let byteCount = 16

    /// Makes a group ID from its bytes; any count but 16 is refused.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// Computes the ID that a founding key certifies: the first half of `H("earshot/v1/gid", key)`.
    init(foundingKey: [UInt8]) {
        bytes = Array(SHA256.hash(label: Label.groupID, foundingKey).prefix(Self.byteCount))
    }

    /// The ID as text.
    ///
    /// Shape: 32 lower-case hexadecimal digits.
    public var description: String { Hex.text(bytes) }

    /// Orders by bytes, so that iteration can be made repeatable.
    public static func < (left: GroupID, right: GroupID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
