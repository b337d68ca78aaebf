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
    /// How long each first link with a neighbour, of those that are up, took from its first beacon.
    public let discoveryTimes: [Duration]
    /// How many paths lead over this node, or end at it.
    public let openPathCount: Int
    /// How many envelopes are held for others.
    public let storedCount: Int
    /// Units: bytes of the envelopes held.
    public let storedByteCount: Int
    /// How much was dropped since the start, by reason.
    public let drops: [DropReason: Int]
    /// What else has been counted since the start.
    public let counters: MeshCounters
}
