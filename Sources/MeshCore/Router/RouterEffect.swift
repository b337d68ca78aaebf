/// The effects of the router, besides the messages that it sends.
package enum RouterEffect: Equatable, Sendable {
    /// A new envelope has arrived.
    case deliver(Envelope, id: EnvelopeID)
    /// An envelope concerns the gateway of this node.
    case far(FarEnvelope)
    /// A new envelope left a trail to its author.
    case trail(Trail)
    /// A piece of this object is here that some nodes of a crowd should keep.
    case handOver(ObjectTag, isOwn: Bool)
    /// A neighbour is missing whose shelf has places that begin with one of these bytes, and possibly at least this depth.
    case seekShelf(Set<Int>, depth: UInt8)
    /// The shelf of the neighbour on this link has been read.
    case shelfRead(LinkID)
    /// An envelope goes to all nodes of a segment.
    case push([UInt8], on: InterfaceID)
    /// The first datagram with this own envelope left on a link.
    case transmitted(EnvelopeID)
    /// A neighbour holds this own envelope.
    case carried(EnvelopeID)
    /// Something was dropped.
    case dropped(DropReason)
}
