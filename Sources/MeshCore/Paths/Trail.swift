/// The way back to the author of an envelope: the link on which it first came, or the node that pushed it.
///
/// Source: PROTOCOL §5.1.
package struct Trail: Equatable, Sendable {
    /// The node that pushed an envelope, as it claims.
    package struct Pusher: Equatable, Sendable {
        /// The node id.
        package let node: NodeID
        /// The endpoint of its unicast socket.
        package let endpoint: Endpoint

        /// Creates a description.
        package init(node: NodeID, endpoint: Endpoint) {
            self.node = node
            self.endpoint = endpoint
        }
    }

    /// The direction of the author.
    package enum Hop: Equatable, Sendable {
        /// The envelope is one of this node.
        case here
        /// It came by a link.
        case link(LinkID)
        /// It came by a push.
        case pusher(Pusher)
    }

    /// The label of the author, which is the short id of the envelope.
    package let label: PathLabel
    /// The direction of the author.
    package let hop: Hop
    /// Whether the envelope searches for a path, and carries no message.
    package let isProbe: Bool

    /// Creates a trail.
    package init(label: PathLabel, hop: Hop, isProbe: Bool) {
        self.label = label
        self.hop = hop
        self.isProbe = isProbe
    }

    /// Creates the trail of an envelope that came by a link, or is one of this node.
    package init(label: PathLabel, link: LinkID?, isProbe: Bool) {
        self.init(label: label, hop: link.map(Hop.link) ?? .here, isProbe: isProbe)
    }
}
