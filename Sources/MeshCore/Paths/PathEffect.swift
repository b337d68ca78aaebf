/// The effects of paths, besides the messages that they send.
package enum PathEffect: Equatable, Sendable {
    /// A payload for an end at this node arrived.
    ///
    /// The link is that by which it came.
    case received(PathMessage, over: LinkID)
    /// This label has become unreachable.
    case lost(PathLabel)
    /// A payload of this node for this label, or the request to open it, was refused.
    case refused(PathLabel)
    /// A label that refused a payload of this node accepts payloads again.
    case ready(PathLabel)
    /// Something was dropped.
    case dropped(DropReason)
}
