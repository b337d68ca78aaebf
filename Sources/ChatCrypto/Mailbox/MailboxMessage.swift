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
        /// A piece of a small attachment, padded: the body of a CHUNK, zeros, and the length of that body.
        case piece = 3
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
            case .sealed, .piece: CarrierKind.sealed.isBucket(bodyByteCount: body.count)
            case .prekey: CarrierKind.prekey.isBucket(bodyByteCount: body.count)
            case .bundle: body.count == Mailboxes.sealedBundleByteCount
            }
        guard isBucket else { return nil }
        self.tag = tag
        self.content = content
        self.body = body
    }

    /// Makes a message for a mailbox from a piece of an attachment; nil if the piece is too long.
    ///
    /// Nothing releases a piece: what stands in the place of its release hash is its label.
    public init?(tag: MailboxTag, piece: [UInt8]) {
        let count = piece.count + Self.lengthByteCount
        guard !piece.isEmpty, let size = EnvelopeSizes.sealed.filter({ $0 >= count }).min() else { return nil }
        let padding = [UInt8](repeating: 0, count: size - count)
        self.init(tag: tag, content: .piece, body: piece + padding + UInt16(piece.count).bigEndianBytes)
    }

    /// The piece of an attachment without its padding; nil if there is none.
    public var piece: [UInt8]? {
        guard content == .piece, let length = UInt16(bigEndianBytes: body.suffix(Self.lengthByteCount)), length > 0,
            let message = MailboxMessage(tag: tag, piece: Array(body.prefix(Int(length)))), message == self
        else { return nil }
        return Array(body.prefix(Int(length)))
    }

    private static let lengthByteCount = 2

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
