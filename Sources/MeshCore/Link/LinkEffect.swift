/// The effects of a link table, which the engine carries out in the given order.
package enum LinkEffect: Equatable, Sendable {
    /// Send a datagram.
    case send([UInt8], to: Endpoint)
    /// A link came up.
    case up(LinkInfo)
    /// A link ended.
    case down(LinkID, node: NodeID, reason: LinkCloseReason)
    /// A dial ended without the link that it was for.
    case dialFailed(NodeID?, Endpoint)
    /// An answer came that makes no link, so the host is there.
    case answered(Endpoint)
    /// A whole message arrived.
    case message([UInt8], lane: Lane, from: LinkID)
    /// A live datagram arrived.
    case datagram([UInt8], from: LinkID)
    /// The first datagram of the message with this tag left.
    case transmitted(tag: UInt64, on: LinkID)
    /// The neighbour's link has the whole message with this tag.
    case acknowledged(tag: UInt64, on: LinkID)
    /// The neighbour sent its status.
    case status(LinkStatus, from: LinkID)
    /// A lane that refused a message has room again.
    case writable(LinkID)
    /// A link's peer has moved to another endpoint.
    case moved(LinkInfo)
    /// Something was dropped.
    case dropped(DropReason)
}
