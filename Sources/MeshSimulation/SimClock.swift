public import MeshCore

/// A virtual clock.
///
/// Events come out in the order of their times; events at the same time come out in the order of insertion.
///
/// Invariant: no key is smaller than its parent at `(index - 1) / 2`. Each key names a used position of `events`, and
/// `free` names the unused ones. The heap moves only keys, which is the main reason that a simulation is fast.
public struct SimClock<Event: Sendable>: Sendable {
    private var keys: [SimClockKey] = []
    private var events: [Event?] = []
    private var free: [Int] = []
    private var nextSequence: UInt64 = 0

    /// The current virtual time.
    public private(set) var now = MeshInstant.zero

    /// Starts at zero without events.
    public init() {}

    /// The time of the next event; nil if there is none.
    public var nextTime: MeshInstant? { keys.first.map { MeshInstant(nanoseconds: $0.time) } }

    /// Schedules an event.
    ///
    /// A time in the past means now.
    public mutating func schedule(_ event: Event, at time: MeshInstant) {
        let place: Int
        if let unused = free.popLast() {
            place = unused
            events[place] = event
        } else {
            place = events.count
            events.append(event)
        }
        let time = max(time.nanoseconds, now.nanoseconds)
        SimClockKey.insert(SimClockKey(time: time, sequence: nextSequence, place: place), into: &keys)
        nextSequence += 1
    }

    /// Removes the next event due by `end` and advances to its time; returns nil and advances to `end` if there is
    /// none.
    public mutating func next(until end: MeshInstant) -> Event? {
        guard let first = keys.first, first.time <= end.nanoseconds else {
            now = max(now, end)
            return nil
        }
        SimClockKey.removeFirst(of: &keys)
        now = MeshInstant(nanoseconds: first.time)
        let event = events[first.place]
        events[first.place] = nil
        free.append(first.place)
        return event
    }
}

/// The time of an event, and the position at which the event is stored.
struct SimClockKey: Sendable {
    /// Units: nanoseconds.
    let time: UInt64
    let sequence: UInt64
    let place: Int

    private func precedes(_ other: SimClockKey) -> Bool {
        time == other.time ? sequence < other.sequence : time < other.time
    }

    static func insert(_ key: SimClockKey, into heap: inout [SimClockKey]) {
        var index = heap.count
        heap.append(key)
        while index > 0 {
            let parent = (index - 1) / 2
            guard key.precedes(heap[parent]) else { break }
            heap[index] = heap[parent]
            index = parent
        }
        heap[index] = key
    }

    static func removeFirst(of heap: inout [SimClockKey]) {
        let key = heap.removeLast()
        guard !heap.isEmpty else { return }
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
            guard heap[child].precedes(key) else { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = key
    }
}
