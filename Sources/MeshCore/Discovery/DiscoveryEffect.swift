/// The effects of discovery, which the engine carries out in the given order.
package enum DiscoveryEffect: Equatable, Sendable {
    /// Send a beacon to the discovery groups on this interface.
    case multicast([UInt8], on: InterfaceID)
    /// Send a beacon to one node, from the endpoint's interface's unicast socket.
    case send([UInt8], to: Endpoint)
    /// Dial this node: a link to it is wanted.
    ///
    /// Nil for a static peer, where any node may answer.
    case dial(NodeID?, Endpoint)
    /// Retry the dial to this endpoint now: a beacon came from there.
    ///
    /// An answer to an own question shows that the node is there; another beacon may be forged.
    case retryNow(Endpoint, isAnswer: Bool)
    /// Close this link: another one replaces it.
    case close(LinkID)
    /// This node needs another node key.
    ///
    /// Call `Discovery.takeNodeID` with the id of the new key, and use the key in all later handshakes.
    case nodeIDExpired
    /// A beacon was dropped.
    case dropped(DropReason)
}
