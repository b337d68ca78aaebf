/// One node that is heard on one interface.
public struct NeighbourInfo: Sendable, Equatable {
    /// The node, by the id in its beacons.
    public var node: NodeID
    /// Where it is reached, and by which interface.
    public var endpoint: Endpoint
    /// Whether a link to it is up, by this interface or another.
    public var isLinked: Bool
    /// When its last beacon came.
    public var lastHeard: MeshInstant

    /// Makes the description of a neighbour.
    public init(node: NodeID, endpoint: Endpoint, isLinked: Bool, lastHeard: MeshInstant) {
        self.node = node
        self.endpoint = endpoint
        self.isLinked = isLinked
        self.lastHeard = lastHeard
    }
}
