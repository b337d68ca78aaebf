/// The state of a store, as neighbours tell it to each other.
package struct StoreSummary: Equatable, Sendable {
    /// The places of what is stored for others.
    package let shelf: Shelf
    /// For each sixteenth of all places the exclusive or of a mix of the ids of what is offered.
    package let sums: SIMD16<UInt32>
    /// The number of envelopes that are offered.
    package let count: Int

    /// Creates a summary.
    package init(shelf: Shelf, sums: SIMD16<UInt32>, count: Int) {
        self.shelf = shelf
        self.sums = sums
        self.count = count
    }

    /// The summary of an empty store.
    package static let empty = StoreSummary(shelf: .everything, sums: .zero, count: 0)

    /// Returns the places in which this store and another one differ; nil if they differ nowhere, or have no places in
    /// common.
    func difference(to other: StoreSummary) -> Shelf? {
        guard let common = shelf.common(with: other.shelf),
            common.sixteenths.contains(where: { sums[$0] != other.sums[$0] })
        else { return nil }
        return common
    }

    /// Returns the number of envelopes in a range, if all ranges are filled alike.
    func count(in range: Shelf) -> Int { count >> max(0, Int(range.depth) - Int(shelf.depth)) }
}
