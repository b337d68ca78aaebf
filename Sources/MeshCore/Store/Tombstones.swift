import Bytes

/// The envelopes that have left the store, so that they are not requested again.
///
/// Invariant: every key of `deadlines` has an element with the same deadline in `queue`.
/// A full list removes the entry that would expire first.
struct Tombstones: Sendable {
    private struct Entry: Comparable, Sendable {
        let deadline: MeshInstant
        let shortID: UInt64

        static func < (left: Entry, right: Entry) -> Bool {
            (left.deadline, left.shortID) < (right.deadline, right.shortID)
        }
    }

    private let limit: Int
    private var deadlines: [UInt64: MeshInstant] = [:]
    private var queue = PriorityQueue<Entry>()

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { deadlines.count }

    func contains(_ shortID: UInt64, now: MeshInstant) -> Bool {
        deadlines[shortID].map { $0 > now } ?? false
    }

    mutating func insert(_ shortID: UInt64, until deadline: MeshInstant, now: MeshInstant) {
        guard deadlines[shortID].map({ $0 < deadline }) ?? true else { return }
        deadlines[shortID] = deadline
        queue.insert(Entry(deadline: deadline, shortID: shortID))
        while let first = queue.first, first.deadline <= now || deadlines.count > limit || queue.count > 2 * limit {
            _ = queue.removeFirst()
            // An entry whose deadline was raised since has another element further back.
            if deadlines[first.shortID] == first.deadline {
                deadlines[first.shortID] = nil
            }
        }
    }

    /// Returns the records for a log, ordered by id.
    func records(now: MeshInstant) -> [StoreRecord] {
        deadlines.filter { $0.value > now }.sorted { $0.key < $1.key }.map { shortID, deadline in
            .removed(shortID: shortID, life: StoragePolicy.life(until: deadline, now: now))
        }
    }

    mutating func remove(_ shortID: UInt64) {
        deadlines[shortID] = nil
    }
}
