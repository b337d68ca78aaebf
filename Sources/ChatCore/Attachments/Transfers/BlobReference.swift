/// The name of the sealed bytes of one large blob, and their division into parts.
///
/// The blob is sealed in chunks. Lists hold the hashes of 1,024 chunks each, the top holds the hashes of the lists, and
/// the root is the hash of top and size. A node with the reference can therefore check each part as it arrives,
/// whichever peer sent it. Parts are numbered: 0 is the top, then the lists, then the chunks. Source: PROTOCOL §5.4.
package struct BlobReference: Hashable, Sendable {
    /// The content of a part.
    enum Part: Equatable {
        case top
        case list(Int)
        case chunk(Int)
    }

    /// The size of the plaintext in one chunk.
    ///
    /// Units: bytes.
    package static let chunkByteCount = 32 << 10
    /// The number of bytes that sealing adds to each chunk.
    ///
    /// Units: bytes.
    package static let sealByteCount = 16
    /// The largest blob (4 GiB).
    ///
    /// Units: bytes.
    package static let maximumByteCount: UInt64 = 1 << 32
    /// The length of a hash.
    ///
    /// Units: bytes.
    package static let hashByteCount = 32
    /// The number of chunks whose hashes one list holds.
    static let chunksPerList = 1_024

    /// The hash of top and size.
    package let root: [UInt8]
    /// The size of the blob before it was sealed.
    ///
    /// Units: bytes.
    package let byteCount: UInt64

    /// Makes a reference; nil for a root that is no hash or a blob that is too large.
    package init?(root: [UInt8], byteCount: UInt64) {
        guard root.count == Self.hashByteCount, byteCount <= Self.maximumByteCount else { return nil }
        self.root = root
        self.byteCount = byteCount
    }

    /// The number of chunks; an empty blob has one.
    package var chunkCount: Int {
        max(1, Int((byteCount + UInt64(Self.chunkByteCount) - 1) / UInt64(Self.chunkByteCount)))
    }

    var listCount: Int { (chunkCount + Self.chunksPerList - 1) / Self.chunksPerList }

    var partCount: Int { 1 + listCount + chunkCount }

    /// Computes the length of a sealed chunk.
    ///
    /// Units: bytes.
    package func sealedByteCount(ofChunk index: Int) -> Int {
        let rest = byteCount - min(byteCount, UInt64(index) * UInt64(Self.chunkByteCount))
        return Int(min(rest, UInt64(Self.chunkByteCount))) + Self.sealByteCount
    }

    /// Returns the index of the chunk in the part of this number; nil if the part holds hashes or does not exist.
    package func chunk(ofPart number: UInt32) -> Int? {
        guard case .chunk(let index) = part(Int(number)) else { return nil }
        return index
    }

    /// Returns the position of the part of this number in its holder's file; nil if it does not exist.
    ///
    /// Shape of the file: the sealed chunks ‖ the lists ‖ the top.
    package func place(ofPart number: UInt32) -> (offset: UInt64, byteCount: Int)? {
        guard let part = Int(exactly: number).flatMap(part) else { return nil }
        let chunkByteCount = UInt64(Self.chunkByteCount + Self.sealByteCount)
        let lists = byteCount + UInt64(chunkCount * Self.sealByteCount)
        let offset =
            switch part {
            case .chunk(let index): UInt64(index) * chunkByteCount
            case .list(let index): lists + UInt64(index * Self.chunksPerList * Self.hashByteCount)
            case .top: lists + UInt64(chunkCount * Self.hashByteCount)
            }
        return (offset, byteCount(of: part))
    }

    /// Returns the part of this number; nil if it does not exist.
    func part(_ number: Int) -> Part? {
        switch number {
        case 0: .top
        case 1...listCount: .list(number - 1)
        case (1 + listCount)..<partCount: .chunk(number - 1 - listCount)
        default: nil
        }
    }

    /// Computes the length of a part.
    ///
    /// Units: bytes.
    func byteCount(of part: Part) -> Int {
        switch part {
        case .top: listCount * Self.hashByteCount
        case .list(let index):
            min(Self.chunksPerList, chunkCount - index * Self.chunksPerList) * Self.hashByteCount
        case .chunk(let index): sealedByteCount(ofChunk: index)
        }
    }
}

/// The hash of the parts of blobs: SHA-256 over a label, the level (0 chunk, 1 list, 2 top with size) and the bytes.
package protocol BlobHashing: Sendable {
    /// Computes a hash.
    ///
    /// Shape: 32 bytes.
    func hash(level: UInt8, _ bytes: ArraySlice<UInt8>) -> [UInt8]
}
