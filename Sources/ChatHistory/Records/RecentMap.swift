/// A map that forgets entries that were not used recently.
///
/// It has two generations: when the recent one is full, it becomes the older one, and the entries of the previous older
/// one are forgotten. Invariant: the map holds at least the `limit` entries used last, and at most twice as many.
struct RecentMap<Key: Hashable, Value> {
    private let limit: Int
    private var recent: [Key: Value] = [:]
    private var older: [Key: Value] = [:]

    init(limit: Int) {
        precondition(limit > 0, "a map of \(limit) entries remembers nothing")
        self.limit = limit
    }

    /// Returns the value of a key and counts this as a use.
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
