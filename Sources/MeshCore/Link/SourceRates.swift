import Bytes

/// The recent handshake rates of all sources.
///
/// Their number is bounded, and sources that were quiet for a second are removed.
struct SourceRates {
    private let perSecond: Int
    private let limit: Int
    private var rates: [(source: HostAddress, bucket: TokenBucket)] = []

    init(perSecond: Int, limit: Int) {
        self.perSecond = perSecond
        self.limit = limit
    }

    /// The number of known sources.
    var count: Int { rates.count }

    /// Returns whether the source may begin one more handshake.
    mutating func take(_ endpoint: Endpoint, now: MeshInstant) -> Bool {
        let source = HostAddress(endpoint)
        if let index = rates.firstIndex(where: { $0.source == source }) {
            return rates[index].bucket.take(now: now)
        }
        if rates.count >= limit { forgetQuiet(now: now) }
        guard rates.count < limit else { return false }
        var bucket = TokenBucket(rate: perSecond, burst: perSecond)
        let isAllowed = bucket.take(now: now)
        rates.append((source, bucket))
        return isAllowed
    }

    private mutating func forgetQuiet(now: MeshInstant) {
        for index in rates.indices.reversed() where rates[index].bucket.isFull(now: now) {
            rates.remove(at: index)
        }
    }
}
