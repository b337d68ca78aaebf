/// The distance of a peer that has answered a ping.
public struct PingAnswer: Hashable, Codable, Sendable {
    /// The number of links to the peer; 1 for a neighbour.
    public let hops: Int
    /// The time from sending the ping to receiving its answer.
    public let roundTrip: Duration

    /// Makes an answer.
    public init(hops: Int, roundTrip: Duration) {
        self.hops = hops
        self.roundTrip = roundTrip
    }
}
