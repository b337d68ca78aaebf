package import ChatCrypto
import MeshCore

/// A content of an own message that is not confirmed yet: a message, a control message or a receipt.
package struct OutboxEntry: Sendable {
    /// The kind of an entry, which decides how it ends.
    enum Kind: Sendable {
        /// A message that a user wrote; its receipts end it.
        case message
        /// A control message for a member or contact; its delivery proof ends it, because no receipt names it.
        case control
        /// A receipt; its delivery proof ends it.
        case receipt
    }

    /// The position among the entries that are sealed together: receipts first, all others in the order of writing.
    struct Place: Comparable {
        let isReceipt: Bool
        let number: UInt64
        let id: MessageID

        static func < (one: Place, other: Place) -> Bool {
            (one.isReceipt ? 0 : 1, one.number, one.id) < (other.isReceipt ? 0 : 1, other.number, other.id)
        }
    }

    /// The entries that may travel in one message.
    ///
    /// Control messages travel alone: each may have to wait unopened for another, and its release may tell its author
    /// that it has arrived when that of a text may not.
    struct Queue: Hashable {
        let conversation: ConversationID
        let isControl: Bool
        let generation: UInt32

        /// The most contents in one message.
        var maximumCount: Int { isControl ? 1 : MessageItems.maximumCount }
    }

    /// The record that holds the content.
    enum Row: Hashable {
        /// That of a content which was never sealed.
        case content(MessageID)
        /// That of an envelope and its contents.
        case pack(EnvelopeID)

        var name: [UInt8] {
            switch self {
            case .content(let id): id.bytes
            case .pack(let id): id.bytes
            }
        }
    }

    let id: MessageID
    /// The peer in whose session it is sealed, or the group or room whose members can open it.
    let conversation: ConversationID
    let kind: Kind
    /// The number of the entry, which rises in the order of writing.
    let number: UInt64
    /// The generation of the identity that seals it, counted from 0; that of a group is always the first.
    let generation: UInt32
    /// The time of writing.
    ///
    /// Units: milliseconds since 1970.
    let createdAt: UInt64
    /// The time at which its files were last spread.
    ///
    /// Units: milliseconds since 1970; 0 if it has none.
    var filesSpreadAt: UInt64 = 0
    /// The record that holds its content.
    var row: Row
    /// The envelope that it is sealed in; nil while it waits.
    var envelope: EnvelopeID?
    /// Whether the peer has requested a file of it, and so has opened it.
    var isOpened = false
    var status = DeliveryStatus.queued

    /// Makes an entry that waits.
    init(
        _ id: MessageID,
        in conversation: ConversationID,
        as kind: Kind,
        number: UInt64,
        by generation: UInt32,
        at wall: UInt64
    ) {
        self.id = id
        self.conversation = conversation
        self.kind = kind
        self.number = number
        self.generation = generation
        createdAt = wall
        row = .content(id)
    }

    /// Restores a stored content, which waits; nil if it has no id.
    init?(_ content: ProtoOutboxContent, in conversation: ConversationID, by generation: UInt32) {
        guard let id = MessageID(bytes: content.id) else { return nil }
        self.init(
            id,
            in: conversation,
            as: content.receipt ? .receipt : content.note ? .control : .message,
            number: content.number.bounded,
            by: generation,
            at: content.createdAt.bounded
        )
    }

    /// Encodes the entry with its content.
    func encoded(_ content: [UInt8]) -> ProtoOutboxContent {
        var encoded = ProtoOutboxContent()
        encoded.id = .bytes(id.bytes)
        encoded.content = .bytes(content)
        encoded.createdAt = createdAt
        encoded.number = number
        encoded.receipt = kind == .receipt
        encoded.note = kind == .control
        return encoded
    }

    /// Whether a user wrote it.
    var isMessage: Bool { kind == .message }

    /// Whether it is a control message.
    package var isControl: Bool { kind == .control }

    var place: Place { Place(isReceipt: kind == .receipt, number: number, id: id) }

    var queue: Queue { Queue(conversation: conversation, isControl: isControl, generation: generation) }

    /// The peer in whose session it is sealed; nil for a message to a group.
    package var peer: PeerID? {
        if case .direct(let peer) = conversation { peer } else { nil }
    }

    /// Whether it is sealed in a session of the identity with this number; groups and rooms have no such session.
    func isSealed(by generation: UInt32) -> Bool {
        peer != nil && self.generation == generation
    }

    /// Whether it has not been confirmed in the time for which it is kept.
    func isOver(at wall: UInt64) -> Bool {
        wall - min(wall, createdAt) >= (kind == .receipt ? ChatLimits.receiptAge : ChatLimits.outboxAge)
    }
}
