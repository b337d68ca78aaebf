/// What the router tells the engine, besides the messages it sends.
package enum RouterEffect: Equatable, Sendable {
    /// An envelope that was never here before has come.
    case deliver(Envelope, id: EnvelopeID)
    /// A copy of a probe has come by a link, the first or another.
    case probe(Envelope, from: LinkID)
    /// The first datagram with this own envelope left on a link.
    case transmitted(EnvelopeID)
    /// A neighbour holds this own envelope.
    case carried(EnvelopeID)
    /// A neighbour abuses its link, which is to be ended.
    case ban(LinkID)
    /// Something was dropped.
    case dropped(DropReason)
}
