/// The positions of a code to which one id maps: position 0, and each position i after it with probability 2 / (i + 2).
///
/// From position i the id maps to no other up to position j with probability (i + 1)(i + 2) / ((j + 1)(j + 2)), the
/// product of the probabilities to miss. One random number therefore gives the next position directly. All computation
/// uses integers, so that every machine finds the same positions.
///
/// Source: PROTOCOL §5.
struct SymbolPositions: Sendable {
    /// The number of positions in a code.
    ///
    /// A position at or beyond it is none.
    static let limit = 4_096

    /// The current position.
    private(set) var place = 0
    private var random: SplitMix64

    /// Begins at position 0 for the id with this salted hash.
    init(hash: UInt64) {
        random = SplitMix64(seed: hash)
    }

    /// Moves to the next position.
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
