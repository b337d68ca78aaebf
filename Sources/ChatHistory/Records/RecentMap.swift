/// A map that forgets what was not used for long.
///
/// Two generations: when the recent one is full it becomes the older one, and what was in the older one is forgotten.
/// Invariant: at least the `limit` entries used last are there, at most twice as many.
struct RecentMap<Key: Hashable, Value> {
    private let limit: Int
    private var recent: [Key: Value] = [:]
    private var older: [Key: Value] = [:]

    init(limit: Int) {
        precondition(limit > 0, "a map of \(limit) entries remembers nothing")
        self.limit = limit
    }

    /// The value of a key, which thereby counts as used.
    mutating func value(for key: Key) -> Value? {
        if let value = recent[key] { return value }
        guard let value = older[key] else { return nil }
        set(value, for: key)
        return value
    }

    mutating func set(_ value: Value, for key: Key) {
        if recent[key] == nil, recent.count == limit {
            older = recent
            recent = [:]
        }
        recent[key] = value
    }

    mutating func remove(_ key: Key) {
        recent[key] = nil
        older[key] = nil
    }
}
