/// A first-in, first-out queue that removes elements without shifting the others.
package struct Fifo<Element> {
    private var storage: [Element] = []
    private var head = 0

    /// Creates an empty queue.
    package init() {}

    /// The number of elements.
    package var count: Int { storage.count - head }
    /// Whether the queue is empty.
    package var isEmpty: Bool { head == storage.count }
    /// The oldest element.
    package var first: Element? { isEmpty ? nil : storage[head] }
    /// The newest element.
    package var last: Element? { isEmpty ? nil : storage[storage.count - 1] }

    /// All elements, oldest first.
    package var elements: ArraySlice<Element> { storage[head...] }

    /// The element `offset` positions behind the first.
    package subscript(offset: Int) -> Element {
        get { storage[head + offset] }
        set { storage[head + offset] = newValue }
        _modify { yield &storage[head + offset] }
    }

    /// Adds an element behind all others.
    package mutating func append(_ element: Element) {
        storage.append(element)
    }

    /// Removes the first element, if there is one.
    package mutating func removeFirst() {
        guard !isEmpty else { return }
        head += 1
        if head == storage.count {
            storage.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 64, head * 2 >= storage.count {
            storage.removeFirst(head)
            head = 0
        }
    }

    /// Removes all elements that meet a condition.
    package mutating func removeAll(where isMet: (Element) -> Bool) {
        storage = elements.filter { !isMet($0) }
        head = 0
    }

    /// Removes and returns the newest element; nil if the queue is empty.
    package mutating func removeLast() -> Element? {
        guard !isEmpty, let last = storage.popLast() else { return nil }
        if head == storage.count {
            storage.removeAll(keepingCapacity: true)
            head = 0
        }
        return last
    }
}

extension Fifo: Sendable where Element: Sendable {}
