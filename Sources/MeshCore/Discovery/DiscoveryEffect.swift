/// What discovery asks of the engine, to be carried out in the order given.
package enum DiscoveryEffect: Equatable, Sendable {
    /// Send a beacon to the discovery groups on this interface.
    case multicast([UInt8], on: InterfaceID)
    /// Send a beacon to one node, from the endpoint's interface's unicast socket.
    case send([UInt8], to: Endpoint)
    /// A link to this node is wanted; nil for a static peer, whoever answers there.
    case dial(NodeID?, Endpoint)
    /// Somebody was heard at an endpoint that is being dialled: it can be reached just now.
    case hurry(Endpoint)
    /// This link is replaced by another and is to be closed.
    case close(LinkID)
    /// This node has taken another node id, to be used in all later handshakes.
    case renamed(NodeID)
    /// `Discovery.rootStatus` names another root and is to be told on all links.
    case rootChanged
    /// The counter of the root in `Discovery.rootStatus`, or its distance, is to be told on all links.
    case rootRaised
    /// A beacon was dropped.
    case dropped(DropReason)
}
