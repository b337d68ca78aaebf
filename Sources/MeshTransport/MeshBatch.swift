public import MeshCore

/// The effects that a mesh node hands to its program at one time, in the order in which they happened.
///
/// The effects that the node carries out itself are not among them: datagrams, changes of the store, and drops.
public struct MeshBatch: Sendable, Equatable {
    /// The node's present name in the mesh, by which other nodes on its segments can link to it.
    public let nodeID: NodeID
    /// Whether posts take so much of the node that messages to one peer should not be posted.
    public let isBusy: Bool
    /// The effects; never empty when they come from a node.
    public let effects: [MeshEffect]

    /// Makes a batch, as a node hands it over.
    package init(nodeID: NodeID, isBusy: Bool = false, effects: [MeshEffect]) {
        self.nodeID = nodeID
        self.isBusy = isBusy
        self.effects = effects
    }
}
