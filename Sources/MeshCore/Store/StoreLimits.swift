/// The limits of an envelope store.
///
/// Source: PROTOCOL §12 constants.
public struct StoreLimits: Sendable, Equatable {
    /// The size of the encoded envelopes of others, each at least 512 bytes, and as much for own ones.
    ///
    /// Units: bytes.
    public var byteCount = 64 * 1_048_576
    /// The number of envelopes of others, and as many own ones.
    public var envelopeCount = 65_536

    /// Creates the limits of an ordinary node.
    public init() {}

    /// The number of delivery proofs: at most half of the store.
    ///
    /// There is one for each message that arrived anywhere, and they are evicted last. Without this limit, a mesh with
    /// 20,000 messages a day would store nothing else, and messages for offline contacts, or messages that come before
    /// they are expected, would find no room.
    var releaseCount: Int { envelopeCount / 2 }
}
