/// Why bytes from elsewhere, or work that did not fit, were dropped.
public enum DropReason: String, Sendable, Equatable, CaseIterable {
    /// The datagram is no known type or has a wrong length.
    case malformedDatagram
    /// The beacon is malformed, of an unknown version or of another network.
    case foreignBeacon
    /// A beacon from a source that is not on the interface's subnets.
    case offLink
    /// A beacon beyond the rate of its source or of new neighbours.
    case beaconRate
    /// The neighbour table is full.
    case neighbourLimit
    /// A handshake message that does not authenticate (another mesh, or damage).
    case handshakeRefused
    /// A handshake beyond the rate or the number of links allowed.
    case handshakeLimited
    /// A handshake from where a node has misbehaved lately.
    case banned
    /// A data packet for no link of this node, or that does not authenticate.
    case unauthenticated
    /// A packet number seen before, or too old to tell.
    case replayed
    /// Frames that make no sense inside an authenticated packet.
    case malformedFrame
    /// A message would exceed the link's reassembly limits.
    case reassemblyLimit
    /// A live datagram that waited too long for its turn, or found too many before it.
    case liveExpired
    /// An envelope or control message of a link that does not decode.
    case malformedMessage
    /// An envelope seen before.
    case duplicate
    /// An envelope without life or hops left.
    case expired
    /// The link's lane is full; the envelope stays in the store and is offered again.
    case laneFull
    /// The store is full and nothing could make room.
    case storeFull
    /// An envelope of the right bytes whose interface is not open.
    case noSuchInterface
    /// A message whose release is here already: it has arrived.
    case released
    /// An envelope, or a comparison of stores, beyond the rate that one link may bring.
    case limited
    /// A payload for a label to which no way is known.
    case noRoute
    /// A payload that waited until later ones took its place.
    case pathQueueFull
    /// Too much that came by one link waits to be passed on; the envelope stays in the store.
    case relayLimited
}
