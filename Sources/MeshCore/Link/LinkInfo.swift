/// What is known about one established link.
public struct LinkInfo: Sendable, Equatable {
    /// The link's local number.
    public let id: LinkID
    /// The node at the other end.
    public let node: NodeID
    /// Where that node is.
    public let endpoint: Endpoint
    /// Whether this node began the handshake.
    public let dialledHere: Bool
    /// When the link came up.
    public let since: MeshInstant
    /// The smoothed round trip; nil before the first sample.
    public let roundTrip: Duration?

    /// Makes the description of a link.
    public init(
        id: LinkID,
        node: NodeID,
        endpoint: Endpoint,
        dialledHere: Bool,
        since: MeshInstant,
        roundTrip: Duration?
    ) {
        self.id = id
        self.node = node
        self.endpoint = endpoint
        self.dialledHere = dialledHere
        self.since = since
        self.roundTrip = roundTrip
    }
}
