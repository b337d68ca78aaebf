/// The set of a blob's chunks that are present, one bit each.
package struct ChunkSet: Equatable, Sendable {
    /// The set as bits.
    ///
    /// Shape: bit n mod 8 of byte n / 8 is chunk n.
    package private(set) var bytes: [UInt8]
    /// The number of chunks in the set.
    package private(set) var count = 0
    private let chunkCount: Int

    /// Makes an empty set for this number of chunks.
    package init(chunkCount: Int) {
        self.chunkCount = chunkCount
        bytes = [UInt8](repeating: 0, count: (chunkCount + 7) / 8)
    }

    /// Restores the chunks that `bytes` names; nil if the length fits another blob.
    package init?(restoring bytes: [UInt8], chunkCount: Int) {
        self.init(chunkCount: chunkCount)
        guard bytes.count == self.bytes.count else { return nil }
        for index in 0..<chunkCount where bytes[index / 8] & 1 << (index % 8) != 0 { insert(index) }
    }

    /// Whether the set has all chunks.
    package var isComplete: Bool { count == chunkCount }

    /// Whether the set has a chunk; false for an index out of range.
    package func contains(_ index: Int) -> Bool {
        index >= 0 && index < chunkCount && bytes[index / 8] & 1 << (index % 8) != 0
    }

    /// Adds a chunk; ignores an index out of range.
    package mutating func insert(_ index: Int) {
        guard index >= 0, index < chunkCount, !contains(index) else { return }
        bytes[index / 8] |= 1 << (index % 8)
        count += 1
    }
}
