/// How far away a peer is that has answered a ping.
public struct PingAnswer: Hashable, Sendable {
    /// Links between here and there; 1 for a neighbour.
    public let hops: Int
    /// From the sending of the ping to the coming of its answer.
    public let roundTrip: Duration

    /// Makes an answer.
    public init(hops: Int, roundTrip: Duration) {
        self.hops = hops
        self.roundTrip = roundTrip
    }
}
