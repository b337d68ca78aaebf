import Bytes

/// A request for the mail of some mailboxes: the body of an envelope WATCH.
///
/// All have one size, so that they do not show how many mailboxes a node watches.
///
/// Shape: 15 tags (240) ‖ random bytes (12), of which the first is even to stay, and odd for once. Unused places are
/// random bytes. Source: PROTOCOL §19.
public enum MailboxWatch {
    /// The number of tags in one request.
    public static let tagCount = 15
    /// The time for which a gateway watches the mailboxes of a request.
    public enum Mode: Sendable {
        /// As long as a gateway keeps a request.
        case stay
        /// Once: for the mail that lies there already.
        case once
    }

    /// Units: bytes.
    public static let byteCount = tagCount * MailboxTag.byteCount + 12

    /// Makes the requests for some tags, in random order and split anew each time.
    public static func requests(
        for tags: [MailboxTag],
        _ mode: Mode = .stay,
        using random: inout some RandomNumberGenerator
    ) -> [[UInt8]] {
        let shuffled = tags.shuffled(using: &random)
        return stride(from: 0, to: shuffled.count, by: tagCount).map { start in
            let used = shuffled[start...].prefix(tagCount).flatMap(\.bytes)
            var body = used + (used.count..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            body[modePlace] = body[modePlace] & 0xFE | (mode == .once ? 1 : 0)
            return body
        }
    }

    /// The place of the byte whose last bit is 1 in a request for what lies there already.
    private static let modePlace = tagCount * MailboxTag.byteCount

    /// Reads the places of a request, of which some may be random; nil for another size.
    public static func tags(in body: [UInt8]) -> [MailboxTag]? {
        guard body.count == byteCount else { return nil }
        return (0..<tagCount).compactMap { place in
            MailboxTag(bytes: body[place * MailboxTag.byteCount..<(place + 1) * MailboxTag.byteCount])
        }
    }
}
