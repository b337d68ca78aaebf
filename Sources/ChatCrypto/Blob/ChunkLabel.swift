import Bytes

/// What a piece of an object is found and checked by while it travels openly: only who has the object's root makes it.
///
/// The tag is the same for all pieces of an object, so that a receiver finds what it waits for at once; the proof is of
/// this piece alone, so that nobody in between can put another in its place.
/// Shape: tag 8 ‖ proof 8. Source: PROTOCOL §5.4.
package struct ChunkLabel: Hashable, Sendable {
    /// Units: bytes.
    package static let byteCount = 16
    /// Units: bytes.
    package static let tagByteCount = 8

    /// Shape: 16 bytes.
    package let bytes: [UInt8]

    /// Makes the label of a piece.
    package init(root: [UInt8], index: UInt32, piece: [UInt8]) {
        let key = SecretBytes(copying: root)
        let proof = HMACSHA256.code(Label.chunkProof.bytes, index.bigEndianBytes, piece, key: key)
        bytes = Self.tag(root: root) + proof.prefix(Self.byteCount - Self.tagByteCount)
    }

    /// Takes a label that came; nil if it is too short or too long to be one.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// What all pieces of an object have in common.
    package var tag: [UInt8] { Array(bytes.prefix(Self.tagByteCount)) }

    /// Whether this is the label of that piece.
    package func fits(root: [UInt8], index: UInt32, piece: [UInt8]) -> Bool {
        constantTimeEqual(bytes, ChunkLabel(root: root, index: index, piece: piece).bytes)
    }

    /// The tag of an object's pieces.
    package static func tag(root: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(label: Label.chunkTag, root).prefix(tagByteCount))
    }
}
