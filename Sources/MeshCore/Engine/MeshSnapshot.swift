/// What an engine says of itself at one moment.
public struct MeshSnapshot: Sendable, Equatable {
    /// The node's current name.
    public let nodeID: NodeID
    /// The links that are up, by their numbers.
    public let links: [LinkInfo]
    /// How many of them have been silent for suspiciously long.
    public let suspectLinkCount: Int
    /// The nodes heard, by interface and node id.
    public let neighbours: [NeighbourInfo]
    /// How many envelopes are held for others.
    public let storedCount: Int
    /// Units: bytes of the envelopes held.
    public let storedByteCount: Int
    /// How much was dropped since the start, by reason.
    public let drops: [DropReason: Int]
    /// What else has been counted since the start.
    public let counters: MeshCounters
}
