import Bytes

/// The name under which a relay on the internet keeps mail for one day.
///
/// Whoever lacks the key of the day cannot compute it, and cannot tell which tags belong together.
///
/// Shape: 16 bytes. Source: PROTOCOL §19.
public struct MailboxTag: Hashable, Sendable {
    /// Units: bytes.
    public static let byteCount = 16

    /// The bytes of the tag.
    ///
    /// Shape: 16 bytes.
    public let bytes: [UInt8]

    /// Makes a tag from its bytes; any count but 16 is refused.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// Makes the tag of a key of a day: the first half of `HMAC(F, 01)`.
    init(of key: SecretBytes) {
        bytes = Array(HMACSHA256.code([1], key: key).prefix(Self.byteCount))
    }

    /// Reads the tag of mail, the body of an envelope FAR or FARCHUNK; nil for too few bytes.
    public init?(ofMail mail: [UInt8]) { self.init(bytes: mail.prefix(Self.byteCount)) }

    /// Makes the tag of a group in one epoch for one day, which all members watch.
    ///
    /// - Parameters:
    ///   - group: the group.
    ///   - headerKey: the header key of the epoch; 32 bytes.
    ///   - day: the day, counted from 1970-01-01 UTC.
    package init(of group: GroupID, headerKey: SecretBytes, day: UInt32) {
        let key = Self.key(of: group, headerKey: headerKey)
        bytes = Array(HMACSHA256.code(day.bigEndianBytes, key: key).prefix(Self.byteCount))
    }

    /// Derives the key of a group's mailboxes in one epoch.
    static func key(of group: GroupID, headerKey: SecretBytes) -> SecretBytes {
        HKDF.derive(salt: group.bytes, inputKey: headerKey, info: Label.mailboxOfGroup, count: 32)
    }
}
