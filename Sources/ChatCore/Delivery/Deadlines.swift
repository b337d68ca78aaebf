import Bytes
import MeshCore

/// A time for each of some keys.
struct Deadlines<Key: Hashable & Comparable & Sendable>: Sendable {
    private struct Deadline: Comparable {
        let instant: MeshInstant
        let key: Key

        static func < (one: Deadline, other: Deadline) -> Bool {
            (one.instant, one.key) < (other.instant, other.key)
        }
    }

    private var instants: [Key: MeshInstant] = [:]
    private var inOrder = SortedSet<Deadline>()

    /// The first time; nil if there is none.
    var first: MeshInstant? { inOrder.first?.instant }

    /// The number of keys with a time.
    var count: Int { instants.count }

    /// Returns the keys whose time has come, the longest due first.
    func keys(until now: MeshInstant) -> [Key] {
        inOrder.prefix { $0.instant <= now }.map(\.key)
    }

    /// The time of a key; nil for one that has none.
    subscript(key: Key) -> MeshInstant? {
        get { instants[key] }
        set {
            if let old = instants[key] { inOrder.remove(Deadline(instant: old, key: key)) }
            instants[key] = newValue
            if let newValue { inOrder.insert(Deadline(instant: newValue, key: key)) }
        }
    }
}
