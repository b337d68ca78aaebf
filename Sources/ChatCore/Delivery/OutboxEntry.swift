package import ChatCrypto
import MeshCore

/// A message, control message or receipt that is not confirmed yet.
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

    /// The position in the order of writing; entries of older stores without a number are ordered by their time.
    struct Place: Comparable {
        let number: UInt64
        let createdAt: UInt64
        let id: MessageID

        static func < (one: Place, other: Place) -> Bool {
            (one.number, one.createdAt, one.id) < (other.number, other.createdAt, other.id)
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
    /// The time of sealing, or of the last spreading of its envelope.
    ///
    /// Units: milliseconds since 1970.
    var sealedAt: UInt64 = 0
    /// The number of times its envelope was spread again.
    var tries: UInt32 = 0
    /// The time at which its files were last spread.
    ///
    /// Units: milliseconds since 1970; 0 if it has none.
    var filesSpreadAt: UInt64 = 0
    var envelope: EnvelopeID?
    /// Whether the peer has requested a file of it, and so has opened it.
    var isOpened = false
    var proofHash: [UInt8] = []
    var status = DeliveryStatus.queued

    /// Restores the stored records.
    ///
    /// - Parameter conversation: The peer or group that the record names.
    init(_ id: MessageID, in conversation: ConversationID, _ record: ProtoOutboxRecord) {
        self.id = id
        self.conversation = conversation
        kind = record.receipt ? .receipt : record.note ? .control : .message
        number = record.number.bounded
        generation = record.generation
        createdAt = record.createdAt.bounded
        guard let envelope = record.envelope else { return }
        self.envelope = envelope.id
        proofHash = Array(record.body.prefix(16))
        sealedAt = record.sealedAt.bounded
        tries = record.tries.bounded
    }

    /// Whether a user wrote it.
    var isMessage: Bool { kind == .message }

    /// Whether it is a control message.
    package var isControl: Bool { kind == .control }

    var place: Place { Place(number: number, createdAt: createdAt, id: id) }

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

    /// Whether a message to a group has to be spread again: the pauses grow.
    func isToSpread(at wall: UInt64) -> Bool {
        let pause = min(ChatLimits.resealPause << UInt64(min(tries, 16)), ChatLimits.longestResealPause)
        return conversation.group != nil && sealedAt + pause <= wall
    }
}
