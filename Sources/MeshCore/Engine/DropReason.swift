/// The reason for which received bytes, or work that did not fit, were dropped.
public enum DropReason: String, Sendable, Equatable, CaseIterable {
    /// The datagram is of no known type or has a wrong length.
    case malformedDatagram
    /// The beacon is malformed, of an unknown version, of another network, or not from the address that sent it.
    case foreignBeacon
    /// The source of the beacon or the INIT is not on the interface's subnets.
    case offLink
    /// The beacon exceeds the rate of its source or of new neighbours.
    case beaconRate
    /// The neighbour table has no place for the sender of the beacon.
    case neighbourLimit
    /// The handshake message does not authenticate (another mesh, or damage), or its key is not that of the node id.
    case handshakeRefused
    /// The handshake exceeds the rate or the number of allowed links.
    case handshakeLimited
    /// The data packet belongs to no link of this node or does not authenticate.
    case unauthenticated
    /// The packet number was seen before, or is too old to check, or the beacon is older than the neighbour's last.
    case replayed
    /// The frames inside an authenticated packet are malformed.
    case malformedFrame
    /// The message would exceed the link's reassembly limits.
    case reassemblyLimit
    /// The live datagram waited too long, or too many were queued before it.
    case liveExpired
    /// The envelope or control message from a link does not decode.
    case malformedMessage
    /// The envelope was seen before.
    case duplicate
    /// The envelope has no life left, or the payload no hops.
    case expired
    /// The link's lane is full.
    ///
    /// The envelope stays in the store and is offered again.
    case laneFull
    /// The beacon arrived on an interface that is not open.
    case noSuchInterface
    /// The delivery proof of the message is already here: the message has been delivered.
    case released
    /// The envelope, the comparison of stores or the status exceeds the rate of one link.
    case limited
    /// The payload is for a label without a known path.
    case noRoute
    /// The payload waited until later ones replaced it.
    case pathQueueFull
    /// Too many envelopes from one link wait for forwarding.
    ///
    /// The envelope stays in the store.
    case relayLimited
}
