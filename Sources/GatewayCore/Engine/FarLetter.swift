import MeshCore

/// An envelope that may go through a hub, with the fields that a gateway reads.
///
/// Shape of its body: tag (16) ‖ name (16) ‖ … Source: PROTOCOL §19.
struct FarLetter: Sendable {
    let envelope: Envelope
    let tag: MailTag
    /// The name of the mail: the hash of the delivery proof that ends its way, if there is one.
    let proofHash: ArraySlice<UInt8>

    /// Units: bytes of the whole envelope.
    var byteCount: Int { Envelope.headerByteCount + envelope.body.count }

    /// Whether it is a piece of an attachment, which goes after messages.
    var isChunk: Bool { envelope.kind == .farChunk }

    /// Reads an envelope; nil for one of another kind, or without the fields.
    init?(_ envelope: Envelope) {
        guard envelope.kind == .far || envelope.kind == .farChunk,
            envelope.body.count >= 2 * MailTag.byteCount,
            let tag = MailTag(bytes: envelope.body.prefix(MailTag.byteCount))
        else { return nil }
        self.envelope = envelope
        self.tag = tag
        proofHash = envelope.body[MailTag.byteCount..<2 * MailTag.byteCount]
    }
}

extension EnvelopeKind {
    /// Delivery proofs, which end the way of envelopes.
    static let release: EnvelopeKind = 6
    /// A message that also lies in a mailbox at a hub.
    static let far: EnvelopeKind = 8
    /// A request for the mail of some mailboxes.
    static let watch: EnvelopeKind = 9
    /// A piece of an attachment that also lies in a mailbox at a hub.
    static let farChunk: EnvelopeKind = 12
    /// The presence of a gateway.
    static let gateway: EnvelopeKind = 11
}
