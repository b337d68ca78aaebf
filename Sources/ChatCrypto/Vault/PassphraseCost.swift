/// The work and memory that one guess at a vault's passphrase takes.
///
/// The values are always within bounds, also when read from a file: a hostile file cannot exhaust the memory. Source:
/// PROTOCOL §11.
package struct PassphraseCost: Equatable, Sendable {
    /// The number of passes over the memory.
    package let iterations: UInt32
    /// The size of the memory.
    ///
    /// Units: KiB.
    package let memoryKibibytes: UInt32

    /// The allowed passes: at least 3, at most 16.
    package static let iterationBounds: ClosedRange<UInt32> = 3...16
    /// The allowed memory: at least 64 MiB, at most 1 GiB.
    package static let memoryBounds: ClosedRange<UInt32> = 65_536...1_048_576

    /// The cost for a desktop: 3 passes over 256 MiB, about 0.7 seconds.
    package static let standard = PassphraseCost(checkedIterations: 3, memoryKibibytes: 262_144)
    /// The cost for a device with little memory: 3 passes over 64 MiB, the lowest allowed cost.
    package static let small = PassphraseCost(checkedIterations: 3, memoryKibibytes: 65_536)

    /// Takes a cost that was calibrated or read from a file.
    ///
    /// - Throws: `outOfBounds`.
    package init(iterations: UInt32, memoryKibibytes: UInt32) throws(CryptoError) {
        guard PassphraseCost.iterationBounds.contains(iterations),
            PassphraseCost.memoryBounds.contains(memoryKibibytes)
        else {
            throw CryptoError(.outOfBounds, "The cost of the passphrase is out of bounds.")
        }
        self.init(checkedIterations: iterations, memoryKibibytes: memoryKibibytes)
    }

    private init(checkedIterations: UInt32, memoryKibibytes: UInt32) {
        iterations = checkedIterations
        self.memoryKibibytes = memoryKibibytes
    }
}
