import MeshCore

/// A bottleneck: datagrams leave it one after the other, and those that wait are limited.
struct SimPort: Sendable {
    /// When the datagrams that have not left yet will have, earliest first.
    private var departures: [MeshInstant] = []

    /// When a datagram that comes now will have left; nil if the queue is full.
    mutating func departure(of byteCount: Int, rate: Int, queueLimit: Int, now: MeshInstant) -> MeshInstant? {
        let goneCount = departures.firstIndex { $0 > now } ?? departures.endIndex
        departures.removeFirst(goneCount)
        // One more than the limit: the first is on its way out.
        guard departures.count <= queueLimit else { return nil }
        let time = Duration.nanoseconds(Int64(byteCount) * 1_000_000_000 / Int64(rate))
        let departure = (departures.last ?? now).advanced(by: time)
        departures.append(departure)
        return departure
    }
}
