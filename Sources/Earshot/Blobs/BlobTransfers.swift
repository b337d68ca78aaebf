import ChatCore
import ChatCrypto
import ChatHistory
import MeshCore

/// The blobs on their way to and from one node, with the files and the timer that their transfers need.
struct BlobTransfers {
    /// A sealed chunk on its way to its place.
    struct Chunk: Sendable {
        let id: BlobID
        /// The file's name in the folder of blobs.
        let name: String
        let file: OpenFile
        let index: Int
        let bytes: [UInt8]

        func write() throws(StoreError) {
            try file.write(bytes, at: BlobReference.offset(ofChunk: index))
            let next = index + 1
            guard next.isMultiple(of: ChatLimits.writeOutCount) else { return }
            // The chunks around it have come as well, except for lost ones.
            let start = BlobReference.offset(ofChunk: next - ChatLimits.writeOutCount)
            file.startWriteOut(from: start, to: BlobReference.offset(ofChunk: next))
        }
    }

    /// A peer, a blob that it asks for, and the present epoch of the blob's group; 0 without a group.
    struct Grant: Hashable {
        let peer: PeerID
        let blob: BlobID
        let epoch: UInt32
    }

    /// The statistics of the transfers.
    let statistics: TransferStatistics
    var downloads = BlobDownloads(hashing: BlobSeals())
    var uploads = BlobUploads()
    /// Whether batches are being handed to paths.
    var isUploading = false
    var timer: (deadline: MeshInstant, work: ScheduledWork)?
    /// The task that writes all chunks that were taken out so far.
    private(set) var writing: Task<Void, Never>?
    /// The chunks that have come and are not being written yet.
    private var unwritten: [Chunk] = []
    private var readers: [String: OpenFile] = [:]
    private var writers: [String: OpenFile] = [:]
    /// The known answers to whether a peer may have a blob.
    private var grants: [Grant: Bool] = [:]

    /// No transfers.
    init(statistics: TransferStatistics) { self.statistics = statistics }

    /// Reads the bytes of one piece of a blob; nil if its file is gone.
    mutating func read(_ fragment: BlobRequests.Fragment, of blob: BlobUploads.Blob, in folder: BlobFolder)
        -> BlobMessage?
    {
        guard let place = blob.reference.place(ofPart: fragment.part) else { return nil }
        if readers[blob.file] == nil {
            if readers.count >= ChatLimits.openFileCount { readers = [:] }
            readers[blob.file] = try? folder.open(blob.file, isWritten: false)
        }
        let range = BlobMessage.range(ofFragment: fragment.fragment, in: place.byteCount)
        guard !range.isEmpty, let file = readers[blob.file],
            let bytes = try? file.read(range.count, at: place.offset + UInt64(range.lowerBound)),
            bytes.count == range.count
        else { return nil }
        return .fragment(transfer: fragment.transfer, part: fragment.part, fragment: fragment.fragment, bytes[...])
    }

    /// Whether a peer may have a blob, which is determined at the first request.
    mutating func isGranted(_ grant: Grant, by find: () -> Bool) -> Bool {
        if let known = grants[grant] { return known }
        if grants.count >= ChatLimits.grantCount { grants = [:] }
        let isGranted = find()
        grants[grant] = isGranted
        return isGranted
    }

    /// Keeps one chunk until it is written.
    mutating func keep(_ bytes: [UInt8], chunk: Int, file name: String, of id: BlobID, in folder: BlobFolder) throws {
        if writers[name] == nil {
            if writers.count >= ChatLimits.openFileCount { writers = [:] }
            writers[name] = try folder.open(name, isWritten: true)
        }
        guard let file = writers[name] else { return }
        unwritten.append(Chunk(id: id, name: name, file: file, index: chunk, bytes: bytes))
    }

    /// Begins to write the chunks that have come, after all earlier ones; calls `failed` for a chunk that the disk
    /// refuses.
    mutating func startWriting(
        in environment: any NodeEnvironment,
        failed: @escaping @Sendable (Chunk, StoreError) async -> Void
    ) {
        guard !unwritten.isEmpty else { return }
        let chunks = unwritten
        unwritten = []
        writing = environment.run { [writing] in
            await writing?.value
            var refused: Set<BlobID> = []
            for chunk in chunks where !refused.contains(chunk.id) {
                do throws(StoreError) {
                    try chunk.write()
                } catch {
                    refused.insert(chunk.id)
                    await failed(chunk, error)
                }
            }
        }
    }

    /// Closes a file that is not needed any more.
    mutating func close(_ file: String) {
        readers[file] = nil
        writers[file] = nil
    }
}
