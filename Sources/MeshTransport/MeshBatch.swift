public import MeshCore

/// The effects that a mesh node hands to the program around it at one time, in the order they happened.
///
/// Among them is nothing that the node carries out itself: no datagram, no change of the store, nothing dropped.
public struct MeshBatch: Sendable, Equatable {
    /// The mesh's present name of this node, by which others on its segments can link to it.
    public let nodeID: NodeID
    /// The effects; never empty when they come from a node.
    public let effects: [MeshEffect]

    /// Makes a batch, as a node hands it over.
    package init(nodeID: NodeID, effects: [MeshEffect]) {
        self.nodeID = nodeID
        self.effects = effects
    }
}
