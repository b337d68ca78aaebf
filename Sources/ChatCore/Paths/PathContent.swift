import Bytes
import ChatCrypto
import MeshCore

/// Content that goes from one end of a path to the other.
///
/// Shape: hops at the start (1) ‖ type (1) ‖ fields. Source: PROTOCOL §10 content and receipts.
enum PathContent: Equatable, Sendable {
    /// The answer to a hello, with the answerer's node, for a peer that has also discovered it.
    ///
    /// Fields: node id (8).
    case answer(NodeID)
    /// The request for an answer.
    ///
    /// Fields: number (8).
    case request(UInt64)
    /// The answer to a request. Fields: number (8).
    case reply(UInt64)

    /// The start or end of typing by the sender's user.
    ///
    /// Fields: 1 or 0 (8).
    case typing(Bool)

    /// The start or end of typing in a group.
    ///
    /// Fields: the first bytes of the group's id (7) ‖ 1 or 0 (1).
    case groupTyping(UInt64, Bool)

    /// A part of a transfer of a blob.
    ///
    /// Fields: the message, as PROTOCOL §5.4 defines it.
    case blob(BlobMessage)

    /// The end of a streaming reply.
    ///
    /// Fields: as ``StreamingReplyPart`` has them.
    case streamingReply(StreamingReplyPart)

    private static let blobType: UInt8 = 3
    private static let streamingReplyType: UInt8 = 6

    /// Makes a typing indicator for a conversation.
    init(_ isTyping: Bool, in conversation: ConversationID) {
        switch conversation {
        case .direct: self = .typing(isTyping)
        case .group(let group), .room(let group): self = .groupTyping(Self.digits(of: group), isTyping)
        }
    }

    /// Returns the first 7 bytes of a group's id: enough to distinguish the groups of two peers.
    static func digits(of group: GroupID) -> UInt64 { group.bytes.prefix(7).reduce(0) { $0 << 8 | UInt64($1) } }

    /// Reads content that the other end sealed; nil for a type that only newer versions know.
    static func decode(_ bytes: ArraySlice<UInt8>) -> (content: PathContent, startingHops: UInt8)? {
        let fields = bytes.dropFirst(2)
        guard let startingHops = bytes.first, let type = bytes.dropFirst().first else { return nil }
        if type == blobType { return BlobMessage(decoding: fields).map { (.blob($0), startingHops) } }
        if type == streamingReplyType {
            return StreamingReplyPart(decoding: fields).map { (.streamingReply($0), startingHops) }
        }
        guard fields.count == 8, let value = UInt64(bigEndianBytes: fields) else { return nil }
        switch type {
        case 0: return (.answer(NodeID(value)), startingHops)
        case 1: return (.request(value), startingHops)
        case 2: return (.reply(value), startingHops)
        case 4 where value <= 1: return (.typing(value == 1), startingHops)
        case 5 where value & 0xFF <= 1: return (.groupTyping(value >> 8, value & 1 == 1), startingHops)
        default: return nil
        }
    }

    /// Encodes the content for sealing; only the other end learns the number at which the hops start.
    func encoded(startingHops: UInt8) -> [UInt8] {
        switch self {
        case .answer(let node): [startingHops, 0] + node.value.bigEndianBytes
        case .request(let number): [startingHops, 1] + number.bigEndianBytes
        case .reply(let number): [startingHops, 2] + number.bigEndianBytes
        case .typing(let isTyping): [startingHops, 4] + (isTyping ? 1 : 0 as UInt64).bigEndianBytes
        case .groupTyping(let digits, let isTyping):
            [startingHops, 5] + (digits << 8 | (isTyping ? 1 : 0)).bigEndianBytes
        case .streamingReply(let part): [startingHops, Self.streamingReplyType] + part.encoded()
        case .blob(let message): [startingHops, Self.blobType] + message.encoded()
        }
    }
}

/// The content of the session message inside a probe.
///
/// Shape: version 1 (1) ‖ secret of the path (32). Source: PROTOCOL §10 content and receipts.
enum PathHello {
    private static let version: UInt8 = 1

    /// Reads the secret of a hello; nil for another version.
    static func secret(in content: [UInt8]) -> SecretBytes? {
        guard content.count == 1 + PathSeal.secretByteCount, content[0] == version else { return nil }
        return SecretBytes(copying: content.dropFirst())
    }

    /// Builds the content of a hello.
    static func content(_ secret: SecretBytes) -> [UInt8] {
        [version] + secret.withBytes { Array($0) }
    }
}
