/// The state of an engine at one moment.
public struct MeshSnapshot: Sendable, Equatable {
    /// The node's current id.
    public let nodeID: NodeID
    /// The links that are up, in the order of their numbers.
    public let links: [LinkInfo]
    /// The number of links that have been silent for suspiciously long.
    public let suspectLinkCount: Int
    /// The discovered nodes, by interface and node id.
    public let neighbours: [NeighbourInfo]
    /// The time from a neighbour's first beacon to the first link with it, for each such link that is up.
    public let discoveryTimes: [Duration]
    /// The number of paths that pass through this node or end at it.
    public let openPathCount: Int
    /// The number of stored envelopes.
    public let storedCount: Int
    /// The size of the stored envelopes.
    ///
    /// Units: bytes.
    public let storedByteCount: Int
    /// The number of drops since the start, by reason.
    public let drops: [DropReason: Int]
    /// The other counters since the start.
    public let counters: MeshCounters
}
