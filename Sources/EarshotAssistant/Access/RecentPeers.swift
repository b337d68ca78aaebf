import Earshot

/// A table with one value for each recent peer; at the limit the least recently set peer makes room.
struct RecentPeers<Value: Sendable>: Sendable {
    private var values: [PeerID: (value: Value, use: UInt64)] = [:]
    private var useCount: UInt64 = 0
    private let limit: Int

    init(limit: Int = AssistantLimits.peerCount) {
        self.limit = limit
    }

    var count: Int { values.count }

    /// The value of a peer; setting it makes the peer the most recent.
    subscript(peer: PeerID) -> Value? {
        get { values[peer]?.value }
        set {
            guard let newValue else {
                values[peer] = nil
                return
            }
            if values[peer] == nil, values.count >= limit, let oldest = values.min(by: { $0.value.use < $1.value.use })
            {
                values[oldest.key] = nil
            }
            useCount += 1
            values[peer] = (newValue, useCount)
        }
    }
}
