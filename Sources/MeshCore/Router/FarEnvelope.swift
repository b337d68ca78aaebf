/// An envelope that matters to a gateway, which passes mail between this mesh and others.
public struct FarEnvelope: Equatable, Sendable {
    /// The envelope, with the life that it has left.
    public let envelope: Envelope
    /// The id that it has on every node.
    public let id: EnvelopeID
    /// The link that brought it; nil for this node's own.
    ///
    /// All pushes, and all envelopes of an earlier run, count as those of one more link.
    public let link: LinkID?

    /// Makes a report of an envelope.
    public init(envelope: Envelope, id: EnvelopeID, link: LinkID?) {
        (self.envelope, self.id, self.link) = (envelope, id, link)
    }
}
