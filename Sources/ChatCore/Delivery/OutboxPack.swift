import ChatCrypto
import MeshCore

/// An envelope of the outbox, and those of its contents that are not confirmed yet.
struct OutboxPack: Sendable {
    let id: EnvelopeID
    let conversation: ConversationID
    let generation: UInt32
    /// The release hash of the envelope, by which receipts and releases name it.
    let proofHash: [UInt8]
    /// The proof of that hash; nil for a message to a group.
    let deliveryProof: DeliveryProof?
    /// The contents, in their order in the envelope.
    var contents: [MessageID]
    /// The time of sealing, or of the last spreading of the envelope.
    ///
    /// Units: milliseconds since 1970.
    var sealedAt: UInt64
    /// The number of times that the envelope was spread again.
    var tries: UInt32 = 0
    /// Whether the envelope counts no longer: its contents are sealed again, each in its turn.
    var isRetired = false

    /// Whether a message to a group has to be spread again: the pauses grow.
    func isToSpread(at wall: UInt64) -> Bool {
        let pause = min(ChatLimits.resealPause << UInt64(min(tries, 16)), ChatLimits.longestResealPause)
        return conversation.group != nil && sealedAt + pause <= wall
    }
}
