public import MeshCore

/// Virtual time: events come out in the order of their times, those of one time in the order they were put in.
public struct SimClock<Event: Sendable>: Sendable {
    private struct Entry: Comparable, Sendable {
        let time: MeshInstant
        let sequence: UInt64
        let event: Event

        static func < (left: Entry, right: Entry) -> Bool {
            left.time == right.time ? left.sequence < right.sequence : left.time < right.time
        }

        static func == (left: Entry, right: Entry) -> Bool { left.sequence == right.sequence }
    }

    private var queue = PriorityQueue<Entry>()
    private var nextSequence: UInt64 = 0

    /// The present.
    public private(set) var now = MeshInstant.zero

    /// Starts at zero with nothing to come.
    public init() {}

    /// When the next event comes; nil if none does.
    public var nextTime: MeshInstant? { queue.first?.time }

    /// Puts an event at a time; a time gone by means at once.
    public mutating func schedule(_ event: Event, at time: MeshInstant) {
        queue.insert(Entry(time: max(time, now), sequence: nextSequence, event: event))
        nextSequence += 1
    }

    /// Takes out the next event due by `end` and moves to its time; nil if there is none, and then moves to `end`.
    public mutating func next(until end: MeshInstant) -> Event? {
        guard let first = queue.first, first.time <= end else {
            now = max(now, end)
            return nil
        }
        _ = queue.removeFirst()
        now = first.time
        return first.event
    }
}
