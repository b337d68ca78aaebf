/// One node discovered on one interface.
public struct NeighbourInfo: Sendable, Equatable {
    /// The node, by the id in its beacons.
    public var node: NodeID
    /// The endpoint at which the node is reachable, and the interface.
    public var endpoint: Endpoint
    /// Whether a link to the node is up, on this interface or another.
    public var isLinked: Bool
    /// The time of its last beacon.
    public var lastSeen: MeshInstant

    /// Creates the description of a neighbour.
    public init(node: NodeID, endpoint: Endpoint, isLinked: Bool, lastSeen: MeshInstant) {
        self.node = node
        self.endpoint = endpoint
        self.isLinked = isLinked
        self.lastSeen = lastSeen
    }
}
