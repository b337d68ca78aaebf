import Bytes

/// The name that all pieces of one object have in common: the first 8 bytes of their bodies.
///
/// Only kinds whose rule places them by their body have one. Source: PROTOCOL §5.5 holders.
package struct ObjectTag: Hashable, Comparable, Sendable {
    /// The bytes as a big-endian number.
    package let value: UInt64

    /// The size on the wire.
    ///
    /// Units: bytes.
    package static let byteCount = 8

    /// Creates a tag from its value.
    package init(_ value: UInt64) {
        self.value = value
    }

    /// Reads the tag of a body; returns nil if the body is shorter.
    package init?(of body: [UInt8]) {
        var reader = ByteReader(body)
        guard let value = reader.integer(UInt64.self) else { return nil }
        self.init(value)
    }

    /// The place of all its pieces among those that shelves divide.
    var place: UInt16 { UInt16(truncatingIfNeeded: value >> 48) }

    /// The first byte of the tag.
    var firstByte: UInt8 { UInt8(truncatingIfNeeded: value >> 56) }

    package static func < (left: ObjectTag, right: ObjectTag) -> Bool { left.value < right.value }
}
