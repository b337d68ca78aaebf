import MeshCore

/// A bottleneck.
///
/// Datagrams leave it one after the other, and the number of waiting datagrams is limited.
struct SimPort: Sendable {
    /// The departure times of the datagrams that have not left yet, earliest first.
    private var departures: [MeshInstant] = []

    /// Returns the departure time of a datagram that arrives now; nil if the queue is full.
    mutating func departure(of byteCount: Int, rate: Int, queueLimit: Int, now: MeshInstant) -> MeshInstant? {
        let goneCount = departures.firstIndex { $0 > now } ?? departures.endIndex
        departures.removeFirst(goneCount)
        // The limit has one extra datagram: the first is already being sent.
        guard departures.count <= queueLimit else { return nil }
        let time = Duration.nanoseconds(Int64(byteCount) * 1_000_000_000 / Int64(rate))
        let departure = (departures.last ?? now).advanced(by: time)
        departures.append(departure)
        return departure
    }
}
