/// An envelope in the store.
package struct StoredEnvelope: Sendable, Equatable {
    /// The envelope's name.
    package let id: EnvelopeID
    /// The place in the order of arrival, never used twice.
    package let sequence: UInt64
    /// The envelope as it came, its hops already counted up; `life` is as it was then.
    package let envelope: Envelope
    /// How its kind is treated.
    package let rule: KindRule
    /// The release hash it carries, or (of a release) proves; nil if it has none.
    package let releaseHash: [UInt8]?
    /// When its life ends.
    package internal(set) var deadline: MeshInstant
    /// The neighbour that brought it; nil for this node's own.
    package internal(set) var origin: NodeID?
    /// Whether it has enough life left to be offered, and so counts in the digest.
    package internal(set) var isOffered: Bool

    /// Units: bytes on the wire.
    var byteCount: Int { Envelope.headerByteCount + envelope.body.count }

    /// What a log keeps of it; nil for a kind that is not kept.
    func record(now: MeshInstant) -> StoreRecord? {
        guard rule.keeping == .disk else { return nil }
        var copy = envelope
        copy.life = StoragePolicy.life(until: deadline, now: now)
        return .held(copy, shortID: id.shortID, isOwn: origin == nil)
    }

    /// The message to hand on, with what is left of its life; nil when nothing is.
    package func message(now: MeshInstant) -> [UInt8]? {
        var copy = envelope
        copy.life = StoragePolicy.life(until: deadline, now: now)
        return copy.life > 0 ? copy.encoded() : nil
    }
}
