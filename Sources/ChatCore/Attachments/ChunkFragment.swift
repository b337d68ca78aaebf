import Bytes
import ChatCrypto
import MeshCore

/// A piece of a small blob's sealed bytes, in an envelope that the mesh stores for an offline recipient.
///
/// Shape: label 16 ‖ index u32 ‖ bytes. Source: PROTOCOL §5.4.
struct ChunkFragment: Equatable {
    /// The length of the blob's bytes in each piece but the last; with them the body has 16,380.
    ///
    /// Units: bytes.
    static let byteCount = 16_360
    private static let prefixByteCount = ChunkLabel.byteCount + 4

    let label: ChunkLabel
    let index: UInt32
    let bytes: [UInt8]

    /// Cuts a piece out of a blob's sealed bytes, which `read` returns by offset and count.
    init?(_ index: Int, of reference: BlobReference, read: (UInt64, Int) -> [UInt8]?) {
        let count = Self.byteCount(index, of: reference)
        guard count > 0, let bytes = read(Self.offset(index), count) else { return nil }
        self.index = UInt32(index)
        self.bytes = bytes
        label = ChunkLabel(root: reference.root, index: self.index, fragment: bytes)
    }

    /// Reads an envelope's body; nil if it is too short.
    init?(decoding body: [UInt8]) {
        guard body.count > Self.prefixByteCount, let label = ChunkLabel(bytes: body.prefix(ChunkLabel.byteCount)),
            let index = UInt32(bigEndianBytes: body[ChunkLabel.byteCount..<Self.prefixByteCount])
        else { return nil }
        self.label = label
        self.index = index
        bytes = Array(body.dropFirst(Self.prefixByteCount))
    }

    /// The body of the envelope.
    var body: [UInt8] { label.bytes + index.bigEndianBytes + bytes }

    /// Whether it is a piece of this blob, made by a peer that has its root.
    func isGenuine(of reference: BlobReference) -> Bool {
        index < Self.count(of: reference) && bytes.count == Self.byteCount(Int(index), of: reference)
            && label.fits(root: reference.root, index: index, fragment: bytes)
    }

    /// Computes the number of pieces of a blob.
    static func count(of reference: BlobReference) -> Int {
        (Int(reference.sealedByteCount) + byteCount - 1) / byteCount
    }

    /// Computes the offset of a piece.
    static func offset(_ index: Int) -> UInt64 { UInt64(index * byteCount) }

    private static func byteCount(_ index: Int, of reference: BlobReference) -> Int {
        min(byteCount, Int(reference.sealedByteCount) - index * byteCount)
    }
}
