import MeshCore

/// A queue of events sorted by time; events of the same time keep the order in which they were pushed.
struct EventQueue<Event> {
    private var heap: [(time: MeshInstant, order: Int, event: Event)] = []
    private var pushed = 0

    mutating func push(_ event: Event, at time: MeshInstant) {
        heap.append((time, pushed, event))
        pushed += 1
        var child = heap.count - 1
        while child > 0, isBefore(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes and returns the first event, unless it is later than `end`.
    mutating func pop(until end: MeshInstant) -> (MeshInstant, Event)? {
        guard let first = heap.first, first.time <= end else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            var parent = 0
            while let child = [2 * parent + 1, 2 * parent + 2].filter({ $0 < heap.count }).min(by: isBefore),
                isBefore(child, parent)
            {
                heap.swapAt(child, parent)
                parent = child
            }
        }
        return (first.time, first.event)
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        (heap[left].time, heap[left].order) < (heap[right].time, heap[right].order)
    }
}
