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
    /// The number of the last envelopes that are known, stored or not.
    public var seenCount = 131_072

    /// Creates the limits of an ordinary node.
    public init() {}

    /// The number of delivery proofs: at most half of the store.
    ///
    /// There is one for each message that arrived anywhere. Without this limit, a mesh with many messages a day would
    /// store nothing else, and messages for offline contacts, or messages that come before
    /// they are expected, would find no room.
    var releaseCount: Int { envelopeCount / 2 }
}
