/// The places of a code that one id falls on: place 0, and each place i after it with a chance of 2 / (i + 2).
///
/// From place i no other is hit up to place j with the chance (i + 1)(i + 2) / ((j + 1)(j + 2)), the product of the
/// chances to miss; so one random number leads to the next place at once. All in whole numbers, so that every machine
/// finds the same places.
///
/// Source: PROTOCOL §5.
struct SymbolPlaces: Sendable {
    /// The number of places in a code; a place at or beyond it is none.
    static let limit = 4_096

    /// The place reached.
    private(set) var place = 0
    private var random: SplitMix64

    /// Begins at place 0 for the id with this salted hash.
    init(hash: UInt64) {
        random = SplitMix64(seed: hash)
    }

    /// Moves to the next place.
    mutating func advance() {
        let chance = random.next() >> 32
        guard chance > 0, place < Self.limit else {
            place = Self.limit
            return
        }
        // Below 2^57, since `place` is below the limit.
        let bound = (UInt64((place + 1) * (place + 2)) << 32) / chance
        guard bound < UInt64(Self.limit * (Self.limit + 1)) else {
            place = Self.limit
            return
        }
        var next = max(place + 1, Int(Double(bound).squareRoot()) - 2)
        while UInt64((next + 1) * (next + 2)) <= bound { next += 1 }
        place = next
    }
}
