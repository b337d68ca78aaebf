import MeshCore

/// A generator of random points in the unit square.
struct SeededPlaces {
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    mutating func nextPlace() -> Place {
        let x = Double.random(in: 0..<1, using: &random)
        return Place(x: x, y: Double.random(in: 0..<1, using: &random))
    }
}
