/// The ids of envelopes that pass without being stored, for one to two generations.
///
/// A generation ends when it is full or old. The one before it is then discarded.
struct SeenSet: Sendable {
    private let limit: Int
    private let lifetime: Duration
    private var current: Set<UInt64> = []
    private var previous: Set<UInt64> = []
    private var start: MeshInstant

    init(limit: Int, lifetime: Duration, now: MeshInstant) {
        self.limit = limit
        self.lifetime = lifetime
        start = now
    }

    var count: Int { current.count + previous.count }

    func contains(_ shortID: UInt64) -> Bool {
        current.contains(shortID) || previous.contains(shortID)
    }

    mutating func insert(_ shortID: UInt64, now: MeshInstant) {
        if current.count >= limit || now >= start.advanced(by: lifetime) {
            previous = current
            current = []
            start = now
        }
        current.insert(shortID)
    }
}
