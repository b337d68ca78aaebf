import MeshCore

/// The large objects on their way to and from one node, with the files and the timer that moving them needs.
struct BlobTransfers {
    var downloads = BlobDownloads(hashing: BlobSeals())
    var uploads = BlobUploads()
    /// Whether batches are being handed to paths.
    var isUploading = false
    var timer: (deadline: MeshInstant, task: Task<Void, Never>)?
    private var readers: [String: OpenFile] = [:]
    private var writers: [String: OpenFile] = [:]

    /// The bytes of one piece of an own object; nil if its file is gone.
    mutating func read(_ piece: BlobRequests.Piece, of object: BlobUploads.Object, in folder: BlobFolder)
        -> BlobMessage?
    {
        guard let place = object.reference.place(ofPart: piece.part) else { return nil }
        if readers[object.file] == nil {
            if readers.count >= ChatLimits.openFileCount { readers = [:] }
            readers[object.file] = try? folder.open(object.file, isWritten: false)
        }
        let range = BlobMessage.range(ofPiece: piece.piece, in: place.byteCount)
        guard !range.isEmpty, let file = readers[object.file],
            let bytes = try? file.read(range.count, at: place.offset + UInt64(range.lowerBound)),
            bytes.count == range.count
        else { return nil }
        return .piece(transfer: piece.transfer, part: piece.part, piece: piece.piece, bytes[...])
    }

    /// Writes one chunk to its place.
    mutating func write(_ bytes: [UInt8], chunk: Int, file name: String, in folder: BlobFolder) throws {
        if writers[name] == nil {
            if writers.count >= ChatLimits.openFileCount { writers = [:] }
            writers[name] = try folder.open(name, isWritten: true)
        }
        try writers[name]?.write(bytes, at: BlobReference.offset(ofChunk: chunk))
    }

    /// Closes a file that is not needed any more.
    mutating func close(_ file: String) {
        readers[file] = nil
        writers[file] = nil
    }
}
