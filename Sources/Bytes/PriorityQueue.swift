/// A binary heap that returns its smallest element first.
///
/// Invariant: no element is smaller than its parent at `(index - 1) / 2`.
public struct PriorityQueue<Element: Comparable & Sendable>: Sendable {
    @usableFromInline var elements: [Element]

    /// Creates a queue of `elements`, which may be in any order.
    @inlinable
    public init(_ elements: [Element] = []) {
        // A sorted array is a heap.
        self.elements = elements.sorted()
    }

    /// The number of elements in the queue.
    @inlinable public var count: Int { elements.count }

    /// The smallest element; nil if the queue is empty.
    @inlinable public var first: Element? { elements.first }

    /// Adds an element.
    @inlinable
    public mutating func insert(_ element: Element) {
        var index = elements.count
        elements.append(element)
        while index > 0 {
            let parent = (index - 1) / 2
            guard elements[index] < elements[parent] else { return }
            elements.swapAt(index, parent)
            index = parent
        }
    }

    /// Removes and returns the smallest element; nil if the queue is empty.
    @inlinable
    public mutating func removeFirst() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let first = elements.first else { return last }
        elements[0] = last
        siftDown()
        return first
    }

    @inlinable
    mutating func siftDown() {
        var index = 0
        while true {
            var smallest = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < elements.count && elements[child] < elements[smallest] {
                smallest = child
            }
            guard smallest != index else { return }
            elements.swapAt(index, smallest)
            index = smallest
        }
    }
}
