/// A range of places: those whose first bits are the shelf's.
///
/// Each envelope has a place, which follows from its id, and each node keeps the envelopes of its shelf. At depth 0 that
/// is all of them. The bits beyond the depth are 0, so that a shelf names a node no better than needed.
/// Source: PROTOCOL §5 shelf.
package struct Shelf: Hashable, Sendable {
    /// The first bits of the places.
    package let prefix: UInt16
    /// The number of bits that count: 0 to 16.
    package let depth: UInt8

    /// The largest depth.
    package static let maximumDepth: UInt8 = 16
    /// The shelf of everything.
    package static let everything = Shelf(of: 0, depth: 0)

    /// Creates the shelf of this depth that covers a place.
    package init(of place: UInt16, depth: UInt8) {
        self.depth = min(depth, Self.maximumDepth)
        prefix = place & Self.mask(self.depth)
    }

    /// Creates a shelf from what a neighbour says; returns nil if the depth is too large or bits beyond it are set.
    package init?(prefix: UInt16, depth: UInt8) {
        guard depth <= Self.maximumDepth, prefix & ~Self.mask(depth) == 0 else { return nil }
        self.init(of: prefix, depth: depth)
    }

    /// Returns whether the place is in the range.
    package func covers(_ place: UInt16) -> Bool { place & Self.mask(depth) == prefix }

    /// Returns the places that both shelves cover: the deeper shelf, if it is in the other one.
    func common(with other: Shelf) -> Shelf? {
        let (wide, narrow) = depth <= other.depth ? (self, other) : (other, self)
        return wide.covers(narrow.prefix) ? narrow : nil
    }

    /// The sixteenths of all places that the range touches.
    var sixteenths: ClosedRange<Int> {
        let first = Int(prefix >> 12)
        return first...first + (depth >= 4 ? 0 : 16 >> Int(depth) - 1)
    }

    /// The first bytes of the places in the range.
    var firstBytes: ClosedRange<Int> {
        let first = Int(prefix >> 8)
        return first...first + (depth >= 8 ? 0 : 256 >> Int(depth) - 1)
    }

    private static func mask(_ depth: UInt8) -> UInt16 {
        depth == 0 ? 0 : UInt16.max << (16 - UInt16(depth))
    }
}
