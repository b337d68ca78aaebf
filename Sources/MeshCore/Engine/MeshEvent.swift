/// All that can happen to a mesh engine; the shell turns the world into these.
public enum MeshEvent: Equatable, Sendable {
    /// A UDP datagram arrived, by multicast or to the unicast socket of the endpoint's interface.
    case datagram([UInt8], from: Endpoint, multicast: Bool)
    /// An interface's sockets are open; `unicastPort` is the port of its unicast socket.
    case interfaceUp(InterfaceID, prefixes: [Prefix], unicastPort: UInt16)
    /// An interface's sockets are closed.
    case interfaceDown(InterfaceID)
    /// Time has come to `nextDeadline` (or not yet: an early tick changes nothing).
    case tick
    /// This node's own envelope is to be spread; `life` in ticks of 10 s.
    case submit(kind: EnvelopeKind, body: [UInt8], life: UInt16)
    /// What a log of the store held when the node was last on; to be handed in before anything else.
    case restore([StoreRecord])
    /// A path is looked for: the hello floods under a fresh label, for whoever can open it.
    case openPath(PathLabel, hello: [UInt8])
    /// A payload is to go along a path; as the answer to a hello it brings an own fresh label.
    case sendOnPath(PathMessage)
    /// A link to this node is wanted, if it is heard here: a path to it has turned out to be of use.
    case linkDirectly(NodeID)
    /// Links to this address are wanted always, whatever discovery says.
    case addStaticPeer(Endpoint)
    /// This address is no static peer's any more; a link to it stays until it ends.
    case removeStaticPeer(Endpoint)
    /// Leave: tell the neighbours and close the links. The engine does nothing afterwards.
    case leave
}

/// All that a mesh engine can ask of its shell, to be carried out in the order given.
public enum MeshEffect: Equatable, Sendable {
    /// Send a datagram from the endpoint's interface's unicast socket.
    case send([UInt8], to: Endpoint)
    /// Send a datagram to every discovery group on this interface.
    case multicast([UInt8], on: InterfaceID)
    /// An envelope that was never here before has come (not this node's own).
    case deliver(Envelope, id: EnvelopeID)
    /// The first datagram with this own envelope left on a link.
    case transmitted(EnvelopeID)
    /// A neighbour acknowledged this own envelope: somebody else holds it.
    case carried(EnvelopeID)
    /// A link came up.
    case linkUp(LinkID, node: NodeID, at: Endpoint)
    /// A link ended.
    case linkDown(LinkID, node: NodeID, reason: LinkEnd)
    /// The store has changed; only told if the configuration asks for it.
    case storeChanged([StoreRecord])
    /// A payload came for one of this node's labels; with a label in `from`, it claims to answer the hello.
    case pathMessage(PathMessage)
    /// There is no way to this label, which this node sent to, any more.
    case pathLost(PathLabel)
    /// What was to go to this label, or to be opened under it, was not taken: there is too much already.
    case pathRefused(PathLabel)
    /// Something was refused to this label, and more of it is taken now.
    case pathReady(PathLabel)
    /// Something was dropped, with its reason; the shell counts it.
    case dropped(DropReason)
}

/// Why a link ended.
public enum LinkEnd: UInt8, Sendable, Equatable, CaseIterable {
    /// The other side said goodbye.
    case left = 0
    /// Silence or loss beyond the limits.
    case timedOut = 1
    /// Too many malformed packets after authentication.
    case misbehaved = 2
    /// This node closed it: too many links, a better path or its own end.
    case closedHere = 3
    /// The interface it ran on went away.
    case interfaceLost = 4
}
