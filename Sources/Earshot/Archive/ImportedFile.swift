import ChatCore
import ChatCrypto
import ChatHistory
import Foundation

/// A file of an import that is being sealed into the folder of blobs, under a key of its own.
struct ImportedFile {
    let id: BlobID
    private let byteCount: UInt64
    private let name = randomBytes(16).hex
    private let folder: BlobFolder
    private let file: OpenFile
    private let sealer = BlobSealer()
    private var hashes: BlobHashes
    private var offset: UInt64 = 0
    private var index = 0
    private var isWhole = false

    /// Begins a file of the given size.
    init(_ id: BlobID, byteCount: UInt64, in folder: BlobFolder) throws(ChatError) {
        self.id = id
        self.byteCount = byteCount
        self.folder = folder
        hashes = BlobHashes(byteCount: byteCount, hashing: BlobSeals())
        do {
            file = try folder.open(name, isWritten: true)
        } catch {
            throw ChatError(error)
        }
    }

    /// Writes the next piece; returns false for a piece that is not the next.
    mutating func take(_ segment: ArchiveSegment) throws(ChatError) -> Bool {
        let count = min(byteCount - offset, UInt64(BlobReference.chunkByteCount))
        guard !isWhole, segment.offset == offset, UInt64(segment.bytes.count) == count else { return false }
        offset += count
        isWhole = offset == byteCount
        let sealed = sealer.seal(segment.bytes, isLast: isWhole)
        hashes.add(sealed[...])
        do {
            try file.write(sealed, at: BlobReference.offset(ofChunk: index))
        } catch {
            throw ChatError(error)
        }
        index += 1
        return true
    }

    /// Returns the blob once it is complete and on the disk.
    func finished() throws(ChatError) -> SealedFile? {
        guard isWhole, let reference = hashes.reference else { return nil }
        do {
            try folder.synchronize(name)
        } catch {
            throw ChatError(error)
        }
        let key = sealer.key.withBytes { Array($0) }
        return SealedFile(file: name, reference: FileReference(name: "", type: "", reference: reference, key: key))
    }

    /// Deletes the file.
    func discard() { folder.delete(name) }
}
