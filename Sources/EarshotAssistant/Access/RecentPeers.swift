import Earshot

/// Something about each of the peers that were dealt with of late; the one dealt with longest ago makes room.
struct RecentPeers<Value: Sendable>: Sendable {
    private var values: [PeerID: (value: Value, use: UInt64)] = [:]
    private var useCount: UInt64 = 0
    private let limit: Int

    init(limit: Int = AssistantLimits.peerCount) {
        self.limit = limit
    }

    var count: Int { values.count }

    /// What is known of a peer; setting it makes the peer the last to go.
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
