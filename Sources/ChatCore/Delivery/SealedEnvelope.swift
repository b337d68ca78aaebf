import ChatCrypto
import MeshCore

/// An envelope's kind and its sealed body.
struct SealedEnvelope: Sendable {
    let kind: EnvelopeKind
    let body: [UInt8]
    /// The envelope's id, computed once: it is a hash of the whole body.
    ///
    /// Source: PROTOCOL §5.1.
    let id: EnvelopeID
    /// The proof whose hash the body holds; nil for a message to a group, which has none.
    let deliveryProof: DeliveryProof?

    init(kind: EnvelopeKind, body: [UInt8], deliveryProof: DeliveryProof? = nil) {
        let name = EnvelopeName.bytes(kindByte: Envelope.version << 4 | kind.rawValue, body: body)
        guard let id = EnvelopeID(bytes: name) else { preconditionFailure("an envelope name of \(name.count) bytes") }
        (self.kind, self.body, self.id, self.deliveryProof) = (kind, body, id, deliveryProof)
    }
}

extension SealedEnvelope {
    /// Makes the envelope of a message that a session has sealed.
    init?(_ message: SealedMessage) {
        guard let kind = EnvelopeKind(rawValue: message.kind.rawValue) else { return nil }
        self.init(kind: kind, body: message.body, deliveryProof: message.deliveryProof)
    }
}

extension ProtoOutboxRecord {
    /// The envelope of the content; nil while it is not sealed.
    var envelope: SealedEnvelope? {
        guard let kind = EnvelopeKind(rawValue: UInt8(clamping: kind)), !body.isEmpty else { return nil }
        return SealedEnvelope(kind: kind, body: [UInt8](body), deliveryProof: DeliveryProof(bytes: deliveryProof))
    }

    /// Sets the envelope of the content.
    mutating func seal(_ envelope: SealedEnvelope, at wall: UInt64) {
        kind = UInt32(envelope.kind.rawValue)
        body = .bytes(envelope.body)
        deliveryProof = .bytes(envelope.deliveryProof?.bytes ?? [])
        sealedAt = wall
    }
}
