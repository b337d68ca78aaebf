import Bytes

/// The label by which a receiver finds and checks a chunk that travels unsealed.
///
/// Only a holder of the blob's root can make it.
///
/// The tag is the same for all chunks of a blob, so that a receiver finds the expected chunks at once. The proof covers
/// this chunk alone, so that no node in between can replace it with another chunk. Shape: tag 8 ‖ proof 8. Source:
/// PROTOCOL §5.4.
package struct ChunkLabel: Hashable, Sendable {
    /// Units: bytes.
    package static let byteCount = 16
    /// Units: bytes.
    package static let tagByteCount = 8

    /// The tag and the proof.
    ///
    /// Shape: 16 bytes.
    package let bytes: [UInt8]

    /// Makes the label of a chunk.
    package init(root: [UInt8], index: UInt32, fragment: [UInt8]) {
        let key = SecretBytes(copying: root)
        let proof = HMACSHA256.code(Label.chunkProof.bytes, index.bigEndianBytes, fragment, key: key)
        bytes = Self.tag(root: root) + proof.prefix(Self.byteCount - Self.tagByteCount)
    }

    /// Takes a received label; nil if the byte count is not that of a label.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// The tag that all chunks of a blob have in common.
    package var tag: [UInt8] { Array(bytes.prefix(Self.tagByteCount)) }

    /// Whether this is the label of the given chunk.
    package func fits(root: [UInt8], index: UInt32, fragment: [UInt8]) -> Bool {
        constantTimeEqual(bytes, ChunkLabel(root: root, index: index, fragment: fragment).bytes)
    }

    /// The tag of a blob's chunks.
    package static func tag(root: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(label: Label.chunkTag, root).prefix(tagByteCount))
    }
}
