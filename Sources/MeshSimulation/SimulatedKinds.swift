public import MeshCore

extension KindPolicy {
    /// The kinds of a simulated mesh: one of every rule, the same as those of chat.
    public static let simulated = KindPolicy([
        .sealed: .message, .prekey: .firstMessage, .bundle: .introduction, .room: .announcement, .live: .live,
        .release: .proof, .chunk: .chunk,
    ])
}

extension MeshConfiguration {
    /// A node of a simulated mesh.
    public static var simulated: MeshConfiguration { MeshConfiguration(kinds: .simulated) }
}

extension EnvelopeKind {
    /// A message; its body begins with the hash of its proof of delivery.
    public static let sealed: EnvelopeKind = 0
    /// A message that begins a session.
    public static let prekey: EnvelopeKind = 1
    /// An introduction.
    public static let bundle: EnvelopeKind = 2
    /// An announcement.
    public static let room: EnvelopeKind = 3
    /// A message that is worthless later.
    public static let live: EnvelopeKind = 4
    /// A proof of delivery, of 16 bytes.
    public static let release: EnvelopeKind = 6
    /// A part of a large object.
    public static let chunk: EnvelopeKind = 7
}
