/// The random generator of a mesh machine for jitter, choices and identifiers.
///
/// Keys never come from it.
public struct MeshRandom: RandomNumberGenerator, Sendable {
    private enum Source: Sendable {
        case system
        case seeded(SplitMix64)
    }

    private var source: Source

    /// The operating system's generator.
    ///
    /// Every real node uses it, because node ids and cookies must not be guessable.
    public static let system = MeshRandom(source: .system)

    private init(source: Source) {
        self.source = source
    }

    /// Creates a repeatable generator for simulations and tests.
    public init(seed: UInt64) {
        source = .seeded(SplitMix64(seed: seed))
    }

    /// Returns the next 64 random bits.
    public mutating func next() -> UInt64 {
        switch source {
        case .system:
            var generator = SystemRandomNumberGenerator()
            return generator.next()
        case .seeded(var generator):
            let value = generator.next()
            source = .seeded(generator)
            return value
        }
    }

    /// Returns a separate generator, which is repeatable if this one is.
    package mutating func branch() -> MeshRandom {
        switch source {
        case .system: .system
        case .seeded: MeshRandom(seed: next())
        }
    }

    /// Returns random bytes for identifiers.
    package mutating func bytes(count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    /// Returns a duration evenly distributed over `base` plus or minus `fraction` of it.
    package mutating func jittered(_ base: Duration, by fraction: Double) -> Duration {
        base * Double.random(in: (1 - fraction)...(1 + fraction), using: &self)
    }
}
