package import MeshCore

extension EnvelopeKind {
    /// A ratchet or group message, after the hash of its delivery proof.
    package static let sealed: EnvelopeKind = 0
    /// A handshake message with its first ratchet message, after the hash of its delivery proof.
    package static let prekey: EnvelopeKind = 1
    /// A signed prekey bundle.
    package static let bundle: EnvelopeKind = 2
    /// A room's beacon or join message.
    package static let room: EnvelopeKind = 3
    /// A message that is worthless later.
    package static let live: EnvelopeKind = 4
    /// Delivery proofs of one recipient.
    package static let release: EnvelopeKind = 6
    /// A piece of a small attachment for an offline contact.
    package static let chunk: EnvelopeKind = 7
}

extension KindPolicy {
    /// The kinds of envelope that chat sends.
    ///
    /// Source: PROTOCOL §2.
    package static let chat = KindPolicy([
        .sealed: .message, .prekey: .firstMessage, .bundle: .introduction, .room: .announcement, .live: .live,
        .release: .proof, .chunk: .chunk,
    ])
}
