/// The set of a blob's chunks that are present, one bit each.
package struct ChunkSet: Equatable, Sendable {
    /// Shape: bit n mod 8 of byte n / 8 is chunk n.
    package private(set) var bytes: [UInt8]
    /// How many chunks are there.
    package private(set) var count = 0
    private let chunkCount: Int

    /// None of so many chunks.
    package init(chunkCount: Int) {
        self.chunkCount = chunkCount
        bytes = [UInt8](repeating: 0, count: (chunkCount + 7) / 8)
    }

    /// The chunks that `bytes` says; nil if they are of another object.
    package init?(restoring bytes: [UInt8], chunkCount: Int) {
        self.init(chunkCount: chunkCount)
        guard bytes.count == self.bytes.count else { return nil }
        for index in 0..<chunkCount where bytes[index / 8] & 1 << (index % 8) != 0 { insert(index) }
    }

    /// Whether nothing is missing.
    package var isComplete: Bool { count == chunkCount }

    /// Whether a chunk is there; none is beyond the end.
    package func contains(_ index: Int) -> Bool {
        index >= 0 && index < chunkCount && bytes[index / 8] & 1 << (index % 8) != 0
    }

    /// Notes a chunk; one beyond the end is nothing.
    package mutating func insert(_ index: Int) {
        guard index >= 0, index < chunkCount, !contains(index) else { return }
        bytes[index / 8] |= 1 << (index % 8)
        count += 1
    }
}
