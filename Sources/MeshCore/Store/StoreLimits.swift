/// How much an envelope store holds.
///
/// Source: PROTOCOL §12 constants.
public struct StoreLimits: Sendable, Equatable {
    /// Units: bytes of encoded envelopes.
    public var byteCount = 64 * 1_048_576
    /// The number of envelopes.
    public var envelopeCount = 20_000
    /// The number of remembered envelopes that are here no more.
    public var tombstoneCount = 131_072

    /// The limits of an ordinary node.
    public init() {}

    /// Units: bytes; chunks fill half of the store at most.
    var chunkByteCount: Int { byteCount / 2 }

    /// The number of releases: half of the store at most.
    ///
    /// There is one for each message that arrived anywhere, and they go last; else a mesh of 20,000 messages a day
    /// would hold nothing but them, and what is on its way to somebody away, or comes before it is expected, would find
    /// no place.
    var releaseCount: Int { envelopeCount / 2 }
}
