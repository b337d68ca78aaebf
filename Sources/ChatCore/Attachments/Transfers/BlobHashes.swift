import Bytes

/// The hashes of a blob's parts, computed by its sender chunk by chunk.
package struct BlobHashes: Sendable {
    /// The hashes of the chunks.
    ///
    /// Shape: 32 bytes for each chunk, one after the other.
    private var chunks: [UInt8] = []
    private let byteCount: UInt64
    private let hashing: any BlobHashing

    /// Starts for a blob of this size.
    package init(byteCount: UInt64, hashing: any BlobHashing) {
        self.byteCount = byteCount
        self.hashing = hashing
    }

    /// Restores hashes made before, as ``bytes`` returned them.
    package init(restoring bytes: [UInt8], byteCount: UInt64, hashing: any BlobHashing) {
        chunks = bytes
        self.byteCount = byteCount
        self.hashing = hashing
    }

    /// The state to keep in order to continue later.
    ///
    /// Shape: 32 bytes for each chunk.
    package var bytes: [UInt8] { chunks }

    /// Adds the next sealed chunk.
    package mutating func add(_ chunk: ArraySlice<UInt8>) {
        chunks += hashing.hash(level: 0, chunk)
    }

    /// The reference of the finished blob; nil while chunks are missing, or if it is too large.
    package var reference: BlobReference? {
        let root = Self.root(byteCount: byteCount, top: top, hashing)
        guard let reference = BlobReference(root: root, byteCount: byteCount),
            chunks.count == reference.chunkCount * BlobReference.hashByteCount
        else { return nil }
        return reference
    }

    /// Returns the bytes of a part that holds hashes; nil for a chunk, and for a part that does not exist.
    package func bytes(ofPart number: UInt32) -> [UInt8]? {
        if number == 0 { return top }
        let index = Int(number) - 1
        return index < lists.count ? Array(lists[index]) : nil
    }

    static func root(byteCount: UInt64, top: [UInt8], _ hashing: any BlobHashing) -> [UInt8] {
        var writer = ByteWriter(capacity: 8 + top.count)
        writer.append(integer: byteCount)
        writer.append(top)
        return hashing.hash(level: 2, writer.bytes[...])
    }

    private var lists: [ArraySlice<UInt8>] {
        let size = BlobReference.chunksPerList * BlobReference.hashByteCount
        return stride(from: 0, to: chunks.count, by: size).map { chunks[$0..<min($0 + size, chunks.count)] }
    }

    private var top: [UInt8] { lists.flatMap { hashing.hash(level: 1, $0) } }
}
