import MeshCore

/// The ids that were noted last, each with a value; the oldest makes room for a new one.
struct RecentIDs<Value: Sendable>: Sendable {
    private let limit: Int
    private var values: [EnvelopeID: Value] = [:]
    private var ring: [EnvelopeID] = []
    private var oldest = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of ids.
    var count: Int { values.count }

    subscript(id: EnvelopeID) -> Value? { values[id] }

    /// Notes an id, or changes its value.
    mutating func note(_ id: EnvelopeID, _ value: Value) {
        guard values.updateValue(value, forKey: id) == nil else { return }
        guard ring.count == limit else { return ring.append(id) }
        values[ring[oldest]] = nil
        ring[oldest] = id
        oldest = (oldest + 1) % limit
    }

    /// Changes all values.
    mutating func changeAll(_ change: (Value) -> Value) { values = values.mapValues(change) }
}
