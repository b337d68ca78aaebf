package import ChatCore
import ChatCrypto

/// Reads of sealed bytes in the folder, from any offset.
extension BlobFolder {
    /// Returns bytes of a blob; only the chunks that hold some of them are read.
    ///
    /// - Returns: The bytes; fewer than asked for at the end of the blob, none behind it.
    /// - Throws: `fileUnusable` if one of these chunks is damaged.
    @concurrent
    package func bytes(_ range: Range<UInt64>, of file: SealedFile) async throws(ChatError) -> [UInt8] {
        let span = ChunkSpan(range, of: file.reference.reference)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(span.chunks.count * BlobReference.chunkByteCount)
        for index in span.chunks {
            guard let chunk = chunk(index, of: file) else { throw Self.damaged(file.reference) }
            bytes += chunk
        }
        return Array(bytes[span.bytes])
    }

    static func damaged(_ reference: FileReference) -> ChatError {
        ChatError(.fileUnusable, "'\(reference.name)' is damaged on this disk. Fetch it again.")
    }

    /// Returns an opened chunk of a blob in the folder; nil if it is damaged or missing.
    func chunk(_ index: Int, of file: SealedFile) -> [UInt8]? {
        let blob = file.reference.reference
        let start = BlobReference.offset(ofChunk: index)
        guard let opener = BlobOpener(key: file.reference.key),
            let sealed = read(file.file, at: start, count: blob.sealedByteCount(ofChunk: index))
        else { return nil }
        return opener.open(sealed, index: UInt32(index), isLast: index == blob.chunkCount - 1)
    }
}

/// The chunks that hold a range of a blob's bytes, and the position of the range in them.
package struct ChunkSpan: Hashable, Sendable {
    /// The indices of the chunks.
    package let chunks: Range<Int>
    /// The position of the range in the joined bytes of these chunks.
    package let bytes: Range<Int>

    /// The span of a range, cut off at the end of the blob.
    package init(_ range: Range<UInt64>, of reference: BlobReference) {
        let size = UInt64(BlobReference.chunkByteCount)
        let range = range.clamped(to: 0..<reference.byteCount)
        guard !range.isEmpty else {
            (chunks, bytes) = (0..<0, 0..<0)
            return
        }
        let first = range.lowerBound / size
        chunks = Int(first)..<Int((range.upperBound - 1) / size + 1)
        let start = Int(range.lowerBound - first * size)
        bytes = start..<(start + Int(range.upperBound - range.lowerBound))
    }
}
