/// A message as it lies in a mailbox, sealed by the ``MailboxKey`` of the day.
///
/// Shape: kind of what is inside (1) ‖ body. Source: PROTOCOL §19.
public struct MailboxMessage: Sendable, Equatable {
    /// The kind of what is inside.
    public enum Content: UInt8, Sendable, CaseIterable {
        /// A session message or group message, after its release hash.
        case sealed = 0
        /// A prekey message with its first session message, after its release hash.
        case prekey = 1
        /// The prekey bundle of one side of a token.
        case bundle = 2
        /// A piece of a small attachment: the body of a CHUNK.
        case piece = 3
    }

    /// The kind of what is inside.
    public let content: Content
    /// The body of an envelope of that kind; of a bundle and a piece, padded.
    public let body: [UInt8]

    /// Units: bytes of a bundle with its padding, which is as long as the shortest prekey message.
    static let bundleByteCount = EnvelopeSizes.prekey.min() ?? 0

    /// Makes a message of a body that has a size of its kind; nil for one of another size.
    public init?(content: Content, body: [UInt8]) {
        let isBucket =
            switch content {
            case .sealed, .piece: CarrierKind.sealed.isBucket(bodyByteCount: body.count)
            case .prekey: CarrierKind.prekey.isBucket(bodyByteCount: body.count)
            case .bundle: body.count == Self.bundleByteCount
            }
        guard isBucket else { return nil }
        (self.content, self.body) = (content, body)
    }

    /// Makes the message of a prekey bundle.
    public init?(bundle: PrekeyBundle) {
        self.init(content: .bundle, body: Padding.pad(bundle.bytes, toMultipleOf: Self.bundleByteCount))
    }

    /// Makes the message of a piece of an attachment; nil for an empty one, or one that is too long.
    ///
    /// - Parameter piece: The body of a CHUNK.
    public init?(piece: [UInt8]) {
        let least = piece.count + Padding.lengthByteCount
        guard !piece.isEmpty, let size = EnvelopeSizes.sealed.filter({ $0 >= least }).min() else { return nil }
        self.init(content: .piece, body: Padding.pad(piece, toMultipleOf: size))
    }

    /// The prekey bundle, verified; nil for anything else.
    public var bundle: PrekeyBundle? {
        guard content == .bundle, let bytes = Padding.strip(body) else { return nil }
        return try? PrekeyBundle(verifying: Array(bytes))
    }

    /// The body of the CHUNK; nil for anything else.
    public var piece: [UInt8]? {
        guard content == .piece, let bytes = Padding.strip(body), !bytes.isEmpty else { return nil }
        return Array(bytes)
    }

    /// Reads what ``encoded()`` made; nil for anything else.
    init?(decoding bytes: [UInt8]) {
        guard let content = bytes.first.flatMap(Content.init) else { return nil }
        self.init(content: content, body: Array(bytes.dropFirst()))
    }

    /// Encodes the message.
    func encoded() -> [UInt8] { [content.rawValue] + body }
}
