import ChatCrypto

/// The hashing of blobs: it joins ``BlobHashing`` to ChatCrypto.
package struct BlobSeals: BlobHashing {
    package init() {}

    package func hash(level: UInt8, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
        BlobHash.bytes(level: level, bytes)
    }
}

extension BlobReference {
    /// Whether the blob is sent in envelopes, so that the mesh stores it for an offline recipient.
    package var isSmall: Bool { byteCount <= ChatLimits.smallBlobByteCount }

    /// The length of the whole blob as it is sealed.
    ///
    /// Units: bytes.
    var sealedByteCount: UInt64 { byteCount + UInt64(chunkCount * Self.sealByteCount) }

    /// Computes the reported progress of a blob before its whole has been checked: never all of it.
    ///
    /// Units: bytes.
    package func progress(_ count: UInt64) -> UInt64 { min(count, byteCount - min(byteCount, 1)) }

    /// Computes the offset of a chunk's sealed bytes.
    package static func offset(ofChunk index: Int) -> UInt64 { UInt64(index) * UInt64(chunkByteCount + sealByteCount) }

    /// Whether sealed bytes are the blob.
    func names(_ sealed: [UInt8]) -> Bool {
        var hashes = BlobHashes(byteCount: byteCount, hashing: BlobSeals())
        for chunk in chunks(of: sealed) { hashes.add(chunk) }
        return hashes.reference == self
    }

    /// Splits the blob's sealed bytes into its chunks.
    func chunks(of sealed: [UInt8]) -> [ArraySlice<UInt8>] {
        (0..<chunkCount).map { index in
            let start = Int(Self.offset(ofChunk: index))
            return sealed[start..<(start + sealedByteCount(ofChunk: index))]
        }
    }
}
