/// A first-in, first-out queue whose removal costs no shifting.
package struct Fifo<Element> {
    private var storage: [Element] = []
    private var head = 0

    /// An empty queue.
    package init() {}

    /// How many there are.
    package var count: Int { storage.count - head }
    /// Whether there is none.
    package var isEmpty: Bool { head == storage.count }
    /// The one that came first.
    package var first: Element? { isEmpty ? nil : storage[head] }
    /// The one that came last.
    package var last: Element? { isEmpty ? nil : storage[storage.count - 1] }

    /// All of them, the first first.
    package var elements: ArraySlice<Element> { storage[head...] }

    /// The element `offset` places behind the first.
    package subscript(offset: Int) -> Element {
        get { storage[head + offset] }
        set { storage[head + offset] = newValue }
        _modify { yield &storage[head + offset] }
    }

    /// Adds one behind all others.
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
}

extension Fifo: Sendable where Element: Sendable {}
