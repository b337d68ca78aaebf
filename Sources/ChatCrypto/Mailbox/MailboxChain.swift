import Bytes

/// The tags of one direction of mail, a new one each day.
///
/// The key of a day gives those of all later days, and none of an earlier one. So who keeps only the key of a day cannot
/// tell which mail lay there before. Source: PROTOCOL §19.
public struct MailboxChain: Sendable {
    /// The most days that one call steps over; a clock that is further off is wrong.
    static let maximumStepCount: UInt32 = 400

    /// The first day whose key is kept, counted from 1970-01-01 UTC.
    public private(set) var firstDay: UInt32
    private var key: SecretBytes

    /// Begins a chain with the key of its first day.
    ///
    /// - Parameter key: 32 bytes.
    init(firstDay: UInt32, key: SecretBytes) {
        self.firstDay = firstDay
        self.key = key
    }

    /// Returns the tag of a day; nil for a day whose key is gone, or that is too far ahead.
    public func tag(of day: UInt32) -> MailboxTag? { key(of: day).map(MailboxTag.init(of:)) }

    /// Returns the key of a day's mailbox; nil for a day whose key is gone, or that is too far ahead.
    public func mailbox(of day: UInt32) -> MailboxKey? { key(of: day).map(MailboxKey.init(of:)) }

    /// Forgets the keys of all days before one; the day never goes back.
    ///
    /// - Returns: whether a key was forgotten.
    @discardableResult
    public mutating func forget(before day: UInt32) -> Bool {
        guard day > firstDay, let next = key(of: day) else { return false }
        (firstDay, key) = (day, next)
        return true
    }

    /// Returns the key of a day: `F(d + 1) = HMAC(F(d), 02)`.
    func key(of day: UInt32) -> SecretBytes? {
        guard day >= firstDay, day - firstDay <= Self.maximumStepCount else { return nil }
        return (firstDay..<day).reduce(key) { key, _ in SecretBytes(copying: HMACSHA256.code([2], key: key)) }
    }
}

extension MailboxChain {
    /// Units: bytes.
    static let encodedByteCount = 36

    /// Shape: first day (4) ‖ key (32).
    func encode(into writer: inout SecretWriter) {
        writer.append(integer: firstDay)
        writer.append(key)
    }

    /// Reads the output of `encode`; nil for too few bytes.
    init?(decoding reader: inout SecretReader) {
        guard let firstDay = reader.integer(UInt32.self), let key = reader.secret(32) else { return nil }
        self.init(firstDay: firstDay, key: key)
    }
}
