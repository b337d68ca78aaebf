/// A generator of "random" choices that are the same for the same seed.
///
/// Source: Steele, Lea, Flood 2014, SplitMix64.
struct SeededBytes {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(bound))
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// Returns the bytes with damage: flipped bits, a cut, a longer end, a moved part, or only junk.
    ///
    /// The result always differs from the original.
    mutating func damaged(_ original: [UInt8]) -> [UInt8] {
        var damaged = original
        switch below(6) {
        case 0, 1:
            for _ in 0...below(3) { damaged[below(damaged.count)] ^= 1 << UInt8(below(8)) }
        case 2:
            damaged = Array(damaged.prefix(below(damaged.count)))
        case 3:
            damaged += bytes(1 + below(40))
        case 4:
            let start = below(damaged.count)
            damaged.replaceSubrange(start..<min(damaged.count, start + 1 + below(16)), with: bytes(1 + below(16)))
        default:
            damaged = bytes(below(original.count * 2))
        }
        return damaged == original ? damaged + [0] : damaged
    }
}
