/// An event of a mesh engine.
///
/// The shell translates everything that happens into these events.
public enum MeshEvent: Equatable, Sendable {
    /// A UDP datagram arrived, by multicast or to the unicast socket of the endpoint's interface.
    case datagram([UInt8], from: Endpoint, multicast: Bool)
    /// An interface's sockets are open; `unicastPort` is the port of its unicast socket.
    case interfaceUp(InterfaceID, prefixes: [Prefix], unicastPort: UInt16)
    /// An interface's sockets are closed.
    case interfaceDown(InterfaceID)
    /// The time `nextDeadline` is reached.
    ///
    /// An early tick changes nothing.
    case tick
    /// This node submits its own envelope; `life` in ticks of 10 s.
    case submit(kind: EnvelopeKind, body: [UInt8], life: UInt16)
    /// This node submits a piece of an object that few others want; `life` in ticks of 10 s.
    ///
    /// In a crowd it goes to some nodes, which keep it, instead of all.
    case handOver(kind: EnvelopeKind, body: [UInt8], life: UInt16)
    /// From now on neighbours push own posts to whole segments in this node's place, or this node does it itself.
    ///
    /// Then no push comes from its author's address, unless the neighbours keep the post back.
    case pushThroughNeighbors(Bool)
    /// The records of a store log from the previous run.
    ///
    /// The shell must pass them in before anything else.
    case restore([StoreRecord])
    /// A path is requested.
    ///
    /// The hello, of at most 256 bytes, floods the mesh. A node that can open it answers to its short id.
    case openPath(hello: [UInt8])
    /// A payload is sent along a path.
    ///
    /// As the answer to a hello it carries a new label of this node.
    case sendOnPath(PathMessage)
    /// This node lacks pieces of the objects whose bodies begin with these 8 bytes.
    ///
    /// If none of an object comes in a moment, the nodes that keep it are asked.
    case fetchPieces([[UInt8]])
    /// The objects whose bodies begin with these 8 bytes are whole.
    case endFetch([[UInt8]])
    /// A gateway begins: it hears from now on of the envelopes that concern it, beginning with those that are stored.
    case attachGateway
    /// The gateway fetched this envelope from a hub.
    case inject(Envelope)
    /// A direct link to this node is requested, if it is a neighbour: a path to it has proved useful.
    case linkDirectly(NodeID)
    /// A link to this address is always wanted, independent of discovery.
    case addStaticPeer(Endpoint)
    /// The address is no longer a static peer.
    ///
    /// A link to it stays until it ends.
    case removeStaticPeer(Endpoint)
    /// The node leaves: it notifies its neighbours and closes its links.
    ///
    /// The engine does nothing afterwards.
    case leave
}

/// An effect that a mesh engine requests from its shell, to be carried out in the given order.
public enum MeshEffect: Equatable, Sendable {
    /// Send a datagram from the endpoint's interface's unicast socket.
    case send([UInt8], to: Endpoint)
    /// Send a datagram to every discovery group on this interface.
    case multicast([UInt8], on: InterfaceID)
    /// A new envelope from another node has arrived.
    case deliver(Envelope, id: EnvelopeID)
    /// An envelope that concerns the gateway of this node came, or was written here.
    ///
    /// Reported only after the event `attachGateway`.
    case far(FarEnvelope)
    /// The first datagram with this node's own envelope left on a link.
    case transmitted(EnvelopeID)
    /// A neighbour acknowledged this node's own envelope: another node holds it.
    case carried(EnvelopeID)
    /// A link came up.
    case linkUp(LinkID, node: NodeID, at: Endpoint)
    /// A link ended.
    case linkDown(LinkID, node: NodeID, reason: LinkCloseReason)
    /// The store has changed.
    ///
    /// Reported only if the configuration requests it.
    case storeChanged([StoreRecord])
    /// A payload for one of this node's labels arrived.
    ///
    /// With a label in `from` it claims to answer the hello.
    case pathMessage(PathMessage)
    /// The label that this node sent to has become unreachable.
    case pathLost(PathLabel)
    /// The payload for this label, or the request to open it, was refused: too much is queued already.
    case pathRefused(PathLabel)
    /// A label that refused a payload accepts payloads again.
    case pathReady(PathLabel)
    /// Something was dropped for this reason.
    ///
    /// The shell counts it.
    case dropped(DropReason)
}

/// The reason for the end of a link.
public enum LinkCloseReason: UInt8, Sendable, Equatable, CaseIterable {
    /// The other side left.
    case left = 0
    /// The link was silent or lost packets beyond the limits.
    case timedOut = 1
    /// The other side sent too many malformed packets after authentication.
    case misbehaved = 2
    /// This node closed the link: too many links, a better path or the end of the node.
    case closedHere = 3
    /// The interface of the link went down.
    case interfaceLost = 4
}
