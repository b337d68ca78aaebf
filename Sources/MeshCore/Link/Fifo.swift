/// A first-in, first-out queue whose removal costs no shifting.
struct Fifo<Element> {
    private var storage: [Element] = []
    private var head = 0

    var count: Int { storage.count - head }
    var isEmpty: Bool { head == storage.count }
    var first: Element? { isEmpty ? nil : storage[head] }
    var last: Element? { isEmpty ? nil : storage[storage.count - 1] }

    /// All of them, the first first.
    var elements: ArraySlice<Element> { storage[head...] }

    /// The element `offset` places behind the first.
    subscript(offset: Int) -> Element {
        get { storage[head + offset] }
        set { storage[head + offset] = newValue }
        _modify { yield &storage[head + offset] }
    }

    mutating func append(_ element: Element) {
        storage.append(element)
    }

    /// Removes the first element, if there is one.
    mutating func removeFirst() {
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
