/// What is known of one link that is up.
public struct LinkInfo: Sendable, Equatable {
    /// The link's local number.
    public var id: LinkID
    /// The other node, by the id that it gave in the handshake.
    public var node: NodeID
    /// Where the other node is reached.
    public var endpoint: Endpoint
    /// Whether this node dialled the other.
    public var dialledHere: Bool
    /// When the link came up.
    public var since: MeshInstant
    /// The smoothed round trip; nil before the first was measured.
    public var roundTrip: Duration?

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
