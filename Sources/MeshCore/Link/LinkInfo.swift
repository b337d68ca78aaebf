/// The description of one established link.
public struct LinkInfo: Sendable, Equatable {
    /// The link's local number.
    public let id: LinkID
    /// The node at the other end: the id of the handshake in events, its latest id in a snapshot.
    public internal(set) var node: NodeID
    /// The endpoint of that node.
    public let endpoint: Endpoint
    /// Whether this node began the handshake.
    public let dialledHere: Bool
    /// The time at which the link came up.
    public let since: MeshInstant
    /// The smoothed round trip; nil before the first sample.
    public let roundTrip: Duration?
    /// The smoothed fraction of packets to the other node that is lost.
    public let loss: Double
    /// The rate at which data arrives when there is enough to send; nil before the first measurement.
    ///
    /// Units: bytes per second.
    public let rate: Int?

    /// Creates the description of a link.
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
