/// An envelope in the store.
package struct StoredEnvelope: Sendable, Equatable {
    /// The envelope's id.
    package let id: EnvelopeID
    /// The position in the order of arrival, never used twice.
    package let sequence: UInt64
    /// The envelope as it arrived; `life` is the one on arrival.
    package let envelope: Envelope
    /// The rule of its kind.
    package let rule: KindRule
    /// The release hash that the envelope contains, or those that its delivery proofs prove.
    package let proofHashes: [[UInt8]]
    /// The end of its life.
    package internal(set) var deadline: MeshInstant
    /// The neighbour that delivered it; nil for this node's own.
    package internal(set) var origin: NodeID?
    /// Whether it has enough life left to be offered, and so counts in the digest.
    package internal(set) var isOffered: Bool
    /// Whether it is a message that came by a comparison of stores, or follows from that.
    ///
    /// Its life is then only what a neighbour said.
    package internal(set) var isOld: Bool
    /// Its place among those that shelves divide.
    let place: UInt16
    /// Whether chosen nodes keep it, so that neighbours are not offered it.
    let isApart: Bool

    /// Units: bytes for which it counts in a store.
    var charge: Int { max(EnvelopeStore.leastCharge, byteCount) }

    /// The object that it is a piece of; nil if its kind has no pieces.
    var tag: ObjectTag? { rule.isPlacedByBody ? ObjectTag(of: envelope.body) : nil }

    /// The size on the wire.
    ///
    /// Units: bytes.
    var byteCount: Int { Envelope.headerByteCount + envelope.body.count }

    /// Returns the record for a log; nil for a kind that is not stored on disk.
    func record(now: MeshInstant) -> StoreRecord? {
        guard rule.storage == .disk else { return nil }
        var copy = envelope
        copy.life = StoragePolicy.life(until: deadline, now: now)
        return .held(
            copy,
            shortID: id.shortID,
            isOwn: origin == nil,
            isApart: isApart,
            isFar: origin == Router.farNode
        )
    }

    /// Returns the encoded envelope with its remaining life; nil if no life is left.
    package func message(now: MeshInstant) -> [UInt8]? {
        var copy = envelope
        copy.life = StoragePolicy.life(until: deadline, now: now)
        return copy.life > 0 ? copy.encoded() : nil
    }
}
