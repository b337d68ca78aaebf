import MeshCore

/// Items that hosts collect for a while and then send together, as the receipts of large groups.
///
/// Source: PROTOCOL §10 carrying.
struct ScenarioGathering<Key: Hashable & Sendable, Item: Sendable>: Sendable {
    private var items: [Key: [Item]] = [:]
    private var dues: [(key: Key, time: MeshInstant)] = []

    /// Adds an item, which leaves with the first one of its key.
    mutating func add(_ item: Item, for key: Key, at now: MeshInstant) {
        if items[key] == nil { dues.append((key, now.advanced(by: Self.delay))) }
        items[key, default: []].append(item)
    }

    /// Takes the items whose time has come.
    mutating func take(until now: MeshInstant) -> [(key: Key, items: [Item])] {
        let due = dues.prefix { $0.time <= now }
        dues.removeFirst(due.count)
        return due.map { ($0.key, items.removeValue(forKey: $0.key) ?? []) }
    }

    private static var delay: Duration { .seconds(5) }
}
