import ChatCrypto

/// The hashing of objects: what joins ``BlobHashing`` to ChatCrypto.
package struct BlobSeals: BlobHashing {
    package init() {}

    package func hash(level: UInt8, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
        BlobHash.bytes(level: level, bytes)
    }
}

extension BlobReference {
    /// Whether it travels in envelopes, so that the mesh keeps it for who is away.
    package var isSmall: Bool { byteCount <= ChatLimits.smallBlobByteCount }

    /// Units: bytes of the whole object as it is sealed.
    var sealedByteCount: UInt64 { byteCount + UInt64(chunkCount * Self.sealByteCount) }

    /// The progress to report of an object before its whole has been checked: never all of it.
    ///
    /// Units: bytes.
    package func progress(_ count: UInt64) -> UInt64 { min(count, byteCount - min(byteCount, 1)) }

    /// The offset of a chunk's sealed bytes.
    package static func offset(ofChunk index: Int) -> UInt64 { UInt64(index) * UInt64(chunkByteCount + sealByteCount) }

    /// Whether sealed bytes are the object.
    func names(_ sealed: [UInt8]) -> Bool {
        var hashes = BlobHashes(byteCount: byteCount, hashing: BlobSeals())
        for chunk in chunks(of: sealed) { hashes.add(chunk) }
        return hashes.reference == self
    }

    /// The chunks of the object's sealed bytes.
    func chunks(of sealed: [UInt8]) -> [ArraySlice<UInt8>] {
        (0..<chunkCount).map { index in
            let start = Int(Self.offset(ofChunk: index))
            return sealed[start..<(start + sealedByteCount(ofChunk: index))]
        }
    }
}
