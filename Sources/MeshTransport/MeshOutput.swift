public import MeshCore

/// What a mesh node tells the program around it, in the order it happened.
public enum MeshOutput: Sendable, Equatable {
    /// An envelope that was never here before has come.
    case delivered(Envelope, id: EnvelopeID)
    /// The first datagram with this own envelope left on a link.
    case transmitted(EnvelopeID)
    /// A neighbour acknowledged this own envelope: somebody else holds it.
    case carried(EnvelopeID)
    /// A link came up.
    case linkUp(LinkID, node: NodeID, at: Endpoint)
    /// A link ended.
    case linkDown(LinkID, node: NodeID, reason: LinkEnd)
    /// A payload came for one of this node's labels; with a label in `from`, it claims to answer the hello.
    case pathMessage(PathMessage)
    /// There is no way to this label, which this node sent to, any more.
    case pathLost(PathLabel)
    /// What was to go to this label, or to be opened under it, was not taken.
    case pathRefused(PathLabel)
    /// Something was refused to this label, and more of it is taken now.
    case pathReady(PathLabel)
}
