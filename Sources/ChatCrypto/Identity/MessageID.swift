import Bytes

/// The name of a message; it is a hash of the content, so two versions of a message cannot have the same name.
///
/// Shape: 16 bytes. Source: PROTOCOL §10.
public struct MessageID: Hashable, Sendable, Comparable, Codable, LosslessStringConvertible {
    /// The bytes of the ID.
    ///
    /// Shape: 16 bytes.
    public let bytes: [UInt8]

    /// Makes a message ID from its bytes; any count but 16 is refused.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Makes a message ID from its 32 hexadecimal digits; any other number of digits is refused.
    public init?(hex: String) {
        guard let bytes = Hex.bytes(hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// Makes a message ID from its text, as ``init(hex:)`` does.
    public init?(_ description: String) { self.init(hex: description) }

    /// Decodes a message ID from its hexadecimal digits.
    public init(from decoder: any Decoder) throws { try self.init(textFrom: decoder, of: "message ID") }

    /// Names the content that a sender puts into a conversation: the first half of `H("earshot/v1/mid", sender ‖ chat ‖
    /// content)`.
    ///
    /// - Parameters:
    ///   - sender: the author.
    ///   - chat: the conversation's own name, of one fixed length for each kind of conversation.
    ///   - content: the content as it is sealed.
    public init(sender: PeerID, chat: [UInt8], content: [UInt8]) {
        bytes = Array(SHA256.hash(label: Label.messageID, sender.bytes, chat, content).prefix(16))
    }

    /// The ID as text.
    ///
    /// Shape: 32 lower-case hexadecimal digits.
    public var description: String { Hex.text(bytes) }

    /// Encodes the hexadecimal digits as one string.
    public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }

    /// Orders by bytes, so that iteration can be made repeatable.
    public static func < (left: MessageID, right: MessageID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// Hashes all bytes in one call, which takes a tenth of the time of one call per byte.
    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
