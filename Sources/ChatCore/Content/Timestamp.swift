/// A moment of a wall clock between 1970 and the end of the year 9999.
///
/// A number from a peer, an archive or a disk is clamped into this span, so that neither a conversion nor a sum traps.
public struct Timestamp: Hashable, Comparable, Codable, Sendable {
    /// The last moment of the year 9999, beyond which RFC 3339 has no text.
    public static let latest = Timestamp(clamping: 253_402_300_799_999)

    /// The moment.
    ///
    /// Units: milliseconds since 1970.
    public let milliseconds: UInt64

    /// Makes the nearest moment of the span.
    ///
    /// - Parameter milliseconds: Milliseconds since 1970.
    public init(clamping milliseconds: UInt64) {
        self.milliseconds = min(milliseconds, 253_402_300_799_999)
    }

    /// Decodes the nearest moment of the span from its milliseconds since 1970.
    public init(from decoder: any Decoder) throws {
        self.init(clamping: try decoder.singleValueContainer().decode(UInt64.self))
    }

    /// Encodes the milliseconds since 1970 as one number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    /// Whether the left moment is the earlier one.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}
