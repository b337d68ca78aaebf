import Bytes

/// A secret in an identity's link, with which people who were never near its owner write to them.
///
/// Whoever has it can see how much mail lies there for the owner, and no more. Source: PROTOCOL §19.
public struct MailboxToken: Hashable, Sendable {
    /// Units: bytes.
    public static let byteCount = 16

    /// The bytes of the token.
    ///
    /// Shape: 16 bytes.
    public let bytes: [UInt8]
    /// The first day of its use, counted from 1970-01-01 UTC.
    public let day: UInt32

    /// Makes a token from its parts; nil for another number of bytes.
    public init?(bytes: [UInt8], day: UInt32) {
        guard bytes.count == Self.byteCount else { return nil }
        (self.bytes, self.day) = (bytes, day)
    }

    /// The first day on which it is of no use any more.
    public var endDay: UInt32 { day.addingClamped(Mailboxes.tokenDays) }
}
