/// A set whose elements are in sorted order.
///
/// A change compares a logarithmic number of elements. A copy shares with its original all runs that neither has
/// changed, so a change to a copied set is cheap too; a dictionary would be copied as a whole.
/// Invariant: the elements are sorted within each run and from run to run; no run is empty or longer than `runLimit`,
/// and two neighbouring runs together hold more than half of that.
public struct SortedSet<Element: Comparable & Sendable>: Sequence, Sendable {
    @usableFromInline var runs: [[Element]] = []
    @usableFromInline var elementCount = 0

    @inlinable static var runLimit: Int { 64 }

    /// Creates an empty set.
    @inlinable
    public init() {}

    /// The number of elements.
    @inlinable public var count: Int { elementCount }

    /// Whether the set is empty.
    @inlinable public var isEmpty: Bool { runs.isEmpty }

    /// The smallest element; nil if the set is empty.
    @inlinable public var first: Element? { runs.first?.first }

    // MARK: - Changing

    /// Adds an element.
    ///
    /// An equal element that is already present stays.
    @inlinable
    public mutating func insert(_ element: Element) {
        let (run, index, isPresent) = place(of: element)
        guard !isPresent else { return }
        if runs.isEmpty { runs = [[]] }
        runs[run].insert(element, at: index)
        elementCount += 1
        guard runs[run].count > Self.runLimit else { return }
        let half = Self.runLimit / 2
        runs.insert(Array(runs[run][half...]), at: run + 1)
        runs[run].removeSubrange(half...)
    }

    /// Removes an element if it is present.
    @inlinable
    public mutating func remove(_ element: Element) {
        let (run, index, isPresent) = place(of: element)
        guard isPresent else { return }
        runs[run].remove(at: index)
        elementCount -= 1
        guard !runs[run].isEmpty else {
            runs.remove(at: run)
            return
        }
        joinNext(run)
        joinNext(run - 1)
    }

    /// Joins a run with the next run if both are short.
    @inlinable
    mutating func joinNext(_ run: Int) {
        guard run >= 0, run + 1 < runs.count, runs[run].count + runs[run + 1].count <= Self.runLimit / 2 else { return }
        runs[run] += runs.remove(at: run + 1)
    }

    /// Returns the position of an element, or the position at which it would be inserted.
    @inlinable
    func place(of element: Element) -> (run: Int, index: Int, isPresent: Bool) {
        guard !runs.isEmpty else { return (0, 0, false) }
        let run = Swift.max(0, runs.firstIndex(reached: { element < $0[0] }) - 1)
        let index = runs[run].firstIndex(reached: { !($0 < element) })
        return (run, index, index < runs[run].count && !(element < runs[run][index]))
    }

    // MARK: - Reading

    /// Whether an element is in the set.
    @inlinable
    public func contains(_ element: Element) -> Bool { place(of: element).isPresent }

    /// Returns an iterator over the elements in order.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(runs: runs, run: 0, index: 0) }

    /// Returns the first element for which `isReached` holds.
    ///
    /// The predicate must hold for all larger elements too.
    @inlinable
    public func first(from isReached: (Element) -> Bool) -> Element? {
        var rest = elements(from: isReached)
        return rest.next()
    }

    /// Returns the elements from the first for which `isReached` holds, in order.
    ///
    /// The predicate must hold for all larger elements too.
    @inlinable
    public func elements(from isReached: (Element) -> Bool) -> IteratorSequence<Iterator> {
        let run = runs.firstIndex(reached: { $0.last.map(isReached) ?? false })
        let index = run < runs.count ? runs[run].firstIndex(reached: isReached) : 0
        return IteratorSequence(Iterator(runs: runs, run: run, index: index))
    }

    /// A position in a sorted set.
    public struct Iterator: IteratorProtocol {
        @usableFromInline let runs: [[Element]]
        @usableFromInline var run: Int
        @usableFromInline var index: Int

        @inlinable
        init(runs: [[Element]], run: Int, index: Int) {
            self.runs = runs
            self.run = run
            self.index = index
        }

        /// Returns the element at this position and advances to the next; nil at the end.
        @inlinable
        public mutating func next() -> Element? {
            guard run < runs.count else { return nil }
            defer {
                index += 1
                if index == runs[run].count { (run, index) = (run + 1, 0) }
            }
            return runs[run][index]
        }
    }
}

extension Array {
    /// Returns the index of the first element for which `isReached` holds, or the end index if there is none.
    ///
    /// The predicate must hold for all following elements too.
    @inlinable
    func firstIndex(reached isReached: (Element) -> Bool) -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = isReached(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
