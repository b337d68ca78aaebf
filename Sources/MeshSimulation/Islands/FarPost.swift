import MeshCore

/// An envelope of kind FAR that a host wrote for one reader: a message, or the receipt for one.
///
/// Shape of its body: tag (16) ‖ hash of the delivery proof (16) ‖ content. Source: PROTOCOL §19.
struct FarPost: Sendable {
    let author: Int
    let reader: Int
    let writtenAt: MeshInstant
    let body: [UInt8]
    let deliveryProof: [UInt8]
    /// The number of the message that it confirms; nil for a message.
    let confirmed: Int?
    /// The times at which its reader got it; more than one is a fault.
    var arrivals: [MeshInstant] = []

    init(number: Int, author: Int, reader: Int, confirmed: Int?, writtenAt: MeshInstant) {
        (self.author, self.reader, self.confirmed, self.writtenAt) = (author, reader, confirmed, writtenAt)
        deliveryProof = Array(SimNet.body(Self.firstProof + number).prefix(16))
        let head = Self.tag(from: author, to: reader)
        let hash = NullCryptography().proofHash(deliveryProof: deliveryProof)
        body = head + hash + [UInt8](repeating: 1, count: Self.byteCount - head.count - hash.count)
    }

    /// The id of the envelope.
    var id: EnvelopeID {
        let envelope = Envelope(kind: .far, life: Envelope.maximumLife, body: body)
        return NullCryptography().envelopeID(kindByte: envelope.kindByte, body: body[...])
    }

    /// Returns the name of the mailbox of what one host writes to another.
    static func tag(from author: Int, to reader: Int) -> [UInt8] {
        Array(SimNet.body(firstTag + author * mostHosts + reader).prefix(16))
    }

    private static let firstProof = 300_000_000
    private static let firstTag = 400_000_000
    private static let mostHosts = 10_000
    /// The size of a short text message under its tag.
    ///
    /// Units: bytes.
    private static let byteCount = 317
}

extension EnvelopeKind {
    /// A message that also lies in a mailbox at a hub.
    static let far: EnvelopeKind = 8
    /// A request for the mail of fifteen mailboxes.
    static let watch: EnvelopeKind = 9
    /// The presence of a gateway.
    static let gateway: EnvelopeKind = 11
}
