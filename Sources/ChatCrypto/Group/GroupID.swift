import Bytes

/// The name of a group: a hash of the key that signs its first operations; the name therefore certifies itself.
///
/// Shape: 16 bytes. Source: PROTOCOL §16.
public struct GroupID: Hashable, Sendable, Comparable, Codable, LosslessStringConvertible {
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

    /// Makes a group ID from its 32 hexadecimal digits; any other number of digits is refused.
    public init?(hex: String) {
        guard let bytes = Hex.bytes(hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// Makes a group ID from its text, as ``init(hex:)`` does.
    public init?(_ description: String) { self.init(hex: description) }

    /// Decodes a group ID from its hexadecimal digits.
    public init(from decoder: any Decoder) throws { try self.init(textFrom: decoder, of: "group ID") }

    /// Computes the ID that a founding key certifies: the first half of `H("earshot/v1/gid", key)`.
    init(foundingKey: [UInt8]) {
        bytes = Array(SHA256.hash(label: Label.groupID, foundingKey).prefix(Self.byteCount))
    }

    /// The ID as text.
    ///
    /// Shape: 32 lower-case hexadecimal digits.
    public var description: String { Hex.text(bytes) }

    /// Encodes the hexadecimal digits as one string.
    public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }

    /// Orders by bytes, so that iteration can be made repeatable.
    public static func < (left: GroupID, right: GroupID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
