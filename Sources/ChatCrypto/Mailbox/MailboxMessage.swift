import Bytes

/// A message as it lies in a mailbox, and as nodes carry it there and back: the body of an envelope FAR.
///
/// Shape: tag (16) ‖ kind of what is inside (1) ‖ body of an envelope of that kind. Source: PROTOCOL §19.
public struct MailboxMessage: Sendable, Equatable {
    /// The kind of what is inside.
    public enum Content: UInt8, Sendable, CaseIterable {
        /// A session message or group message, after its release hash.
        case sealed = 0
        /// A prekey message with its first session message, after its release hash.
        case prekey = 1
        /// The sealed prekey bundle of a token's owner.
        case bundle = 2
    }

    /// The mailbox.
    public let tag: MailboxTag
    /// The kind of what is inside.
    public let content: Content
    /// The body of an envelope of that kind, or the sealed bundle.
    public let body: [UInt8]

    /// Units: bytes of tag and kind.
    static let prefixByteCount = MailboxTag.byteCount + 1

    /// Makes a message for a mailbox; nil if the body has no size of its kind.
    public init?(tag: MailboxTag, content: Content, body: [UInt8]) {
        let isBucket =
            switch content {
            case .sealed: CarrierKind.sealed.isBucket(bodyByteCount: body.count)
            case .prekey: CarrierKind.prekey.isBucket(bodyByteCount: body.count)
            case .bundle: body.count == Mailboxes.sealedBundleByteCount
            }
        guard isBucket else { return nil }
        self.tag = tag
        self.content = content
        self.body = body
    }

    /// Reads the output of ``encoded()``; nil for anything else.
    public init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes[...])
        guard let tag = reader.bytes(MailboxTag.byteCount).flatMap({ MailboxTag(bytes: $0) }),
            let content = reader.integer(UInt8.self).flatMap({ Content(rawValue: $0) })
        else { return nil }
        self.init(tag: tag, content: content, body: Array(reader.takeRest()))
    }

    /// Encodes the message.
    public func encoded() -> [UInt8] { tag.bytes + [content.rawValue] + body }
}
