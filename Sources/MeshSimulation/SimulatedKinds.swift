public import MeshCore

extension KindPolicy {
    /// The kinds of a simulated mesh, one for every rule.
    ///
    /// They are the same as those of chat, except that bodies may have any size.
    public static let simulated = KindPolicy(
        [
            .sealed: .message, .prekey: .firstMessage, .bundle: .introduction, .room: .announcement, .live: .live,
            .release: .proof, .chunk: .chunk, 8: .farMessage, 9: .watch, 10: .head,
            11: .gateway, 12: .farChunk,
        ].merging(([13, 14, 15] as [EnvelopeKind]).map { ($0, .later) }) { own, _ in own }
    )
}

extension MeshConfiguration {
    /// The configuration of a node in a simulated mesh.
    public static var simulated: MeshConfiguration { MeshConfiguration(kinds: .simulated) }
}

extension EnvelopeKind {
    /// A message.
    ///
    /// Its body begins with the hash of its delivery proof.
    public static let sealed: EnvelopeKind = 0
    /// A message that begins a session.
    public static let prekey: EnvelopeKind = 1
    /// An introduction.
    public static let bundle: EnvelopeKind = 2
    /// An announcement.
    public static let room: EnvelopeKind = 3
    /// A message that loses its value if it is late.
    public static let live: EnvelopeKind = 4
    /// A delivery proof of 16 bytes.
    public static let release: EnvelopeKind = 6
    /// A chunk of a large object.
    public static let chunk: EnvelopeKind = 7
}
