/// What is known about one established link.
public struct LinkInfo: Sendable, Equatable {
    /// The link's local number.
    public let id: LinkID
    /// The node at the other end: the id of the handshake in events, its latest id in a snapshot.
    public internal(set) var node: NodeID
    /// Where that node is.
    public let endpoint: Endpoint
    /// Whether this node began the handshake.
    public let dialledHere: Bool
    /// When the link came up.
    public let since: MeshInstant
    /// The smoothed round trip; nil before the first sample.
    public let roundTrip: Duration?
    /// The part of packets to the other node that is lost, smoothed.
    public let loss: Double
    /// Units: bytes a second that arrive when there is enough to send; nil before the first measurement.
    public let rate: Int?

    /// Makes the description of a link.
    public init(
        id: LinkID,
        node: NodeID,
        endpoint: Endpoint,
        dialledHere: Bool,
        since: MeshInstant,
        roundTrip: Duration?,
        loss: Double = 0,
        rate: Int? = nil
    ) {
        self.id = id
        self.node = node
        self.endpoint = endpoint
        self.dialledHere = dialledHere
        self.since = since
        self.roundTrip = roundTrip
        self.loss = loss
        self.rate = rate
    }
}
