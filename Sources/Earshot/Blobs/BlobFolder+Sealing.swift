package import ChatCore
import ChatCrypto
import ChatHistory
package import Foundation

extension BlobFolder {
    /// Seals a file of this machine, or an upload, into the folder.
    ///
    /// - Parameters:
    ///   - draft: The file.
    ///   - limit: Units: bytes.
    ///   - progress: Gets the sealed fraction of the file after each chunk.
    /// - Throws: `tooLarge` beyond `limit`, `fileUnusable` if the source is no file, cannot be read or changes
    ///   meanwhile, `cancelled`, or the disk's error; then nothing is kept.
    @concurrent
    package func seal(
        _ draft: FileDraft,
        limit: UInt64,
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(ChatError) -> SealedFile {
        switch draft.source {
        case .file(let url): return try await seal(url, draft, limit: limit, progress)
        case .upload(let upload):
            try Self.checkSize(upload.byteCount, draft.place, limit: limit)
            let source = BlobInput(upload.byteCount, progress) { try? upload.read($1, at: $0) }
            return try await seal(source, name: draft.name, type: draft.type)
        }
    }

    private static func checkSize(_ byteCount: UInt64, _ path: String, limit: UInt64) throws(ChatError) {
        guard byteCount <= limit else {
            let most = limit == BlobReference.maximumByteCount ? "4 GiB" : "\(limit) bytes"
            var error = ChatError(.tooLarge, "\(path) is too large: \(most) is the most.")
            error.limit = Int(clamping: limit)
            throw error
        }
    }

    private func seal(
        _ url: URL,
        _ draft: FileDraft,
        limit: UInt64,
        _ progress: (@Sendable (Double) -> Void)?
    ) async throws(ChatError) -> SealedFile {
        let (file, byteCount) = try Self.openSource(url)
        try Self.checkSize(byteCount, url.path, limit: limit)
        let source = BlobInput(byteCount, progress) { try? file.read($1, at: $0) }
        let sealed = try await seal(source, name: draft.name, type: draft.type)
        guard (try? file.byteCount) == byteCount else {
            delete(sealed.file)
            throw ChatError(.fileUnusable, "\(url.path) was changed while it was read. Try again.")
        }
        return sealed
    }

    /// Opens a file of this machine; returns it with its size.
    ///
    /// - Throws: `fileUnusable` if it is no file, or cannot be read.
    static func openSource(_ url: URL) throws(ChatError) -> (file: OpenFile, byteCount: UInt64) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular else {
            throw ChatError(.fileUnusable, "\(url.path) is not a file, or cannot be found.")
        }
        do {
            let file = try OpenFile(url.path, O_RDONLY)
            return (file, try file.byteCount)
        } catch {
            throw ChatError(.fileUnusable, "\(url.path) cannot be read: \(error.reason)")
        }
    }

    /// Seals a text into the folder.
    @concurrent
    package func seal(_ text: String) async throws(ChatError) -> SealedFile {
        try await seal(Array(text.utf8), name: "", type: "", progress: nil)
    }

    /// Seals a picture or voice note into the folder.
    @concurrent
    package func seal(
        _ media: CleanMedia,
        name: String,
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(ChatError) -> SealedFile {
        let sealed = try await seal(media.bytes, name: name, type: media.type, progress: progress)
        let reference = sealed.reference
        return SealedFile(
            file: sealed.file,
            reference: FileReference(
                name: reference.name,
                type: reference.type,
                reference: reference.reference,
                key: reference.key,
                media: media.facts
            )
        )
    }

    private func seal(
        _ bytes: [UInt8],
        name: String,
        type: String,
        progress: (@Sendable (Double) -> Void)?
    ) async throws(ChatError) -> SealedFile {
        let source = BlobInput(UInt64(bytes.count), progress) { Array(bytes[Int($0)..<(Int($0) + $1)]) }
        return try await seal(source, name: name, type: type)
    }

    private func seal(_ source: BlobInput, name: String, type: String) async throws(ChatError) -> SealedFile {
        let file = randomBytes(16).hex
        do {
            try make()
            let reference = try await seal(source, into: file, name: name, type: type)
            try synchronize()
            try Task.checkCancellation()
            return SealedFile(file: file, reference: reference)
        } catch {
            delete(file)
            throw ChatError(error)
        }
    }

    private func seal(
        _ source: BlobInput,
        into name: String,
        name label: String,
        type: String
    ) async throws -> FileReference {
        let file = try OpenFile(path(name), O_WRONLY | O_CREAT | O_EXCL)
        let sealer = BlobSealer()
        var hashes = BlobHashes(byteCount: source.byteCount, hashing: BlobSeals())
        // One batch is written while the next one is sealed.
        try await withThrowingTaskGroup(of: Void.self) { group in
            var first = 0
            repeat {
                let batch = try Self.seal(from: first, of: source, by: sealer, hashes: &hashes)
                let offset = BlobReference.offset(ofChunk: first)
                _ = try await group.next()
                group.addTask {
                    try Task.checkCancellation()
                    try file.write(batch, at: offset)
                    file.startWriteOut(from: offset, to: offset + UInt64(batch.count))
                }
                first += ChatLimits.sealBatchCount
            } while UInt64(first) * UInt64(BlobReference.chunkByteCount) < source.byteCount
            try await group.waitForAll()
        }
        guard let reference = hashes.reference else {
            throw ChatError(.tooLarge, "This file is too large: 4 GiB is the most.")
        }
        if !reference.isSmall { try Self.append(hashes, of: reference, to: file) }
        try file.synchronize()
        return FileReference(name: label, type: type, reference: reference, key: sealer.key.withBytes { Array($0) })
    }

    /// Seals some chunks and joins them.
    private static func seal(
        from first: Int,
        of source: BlobInput,
        by sealer: BlobSealer,
        hashes: inout BlobHashes
    ) throws -> [UInt8] {
        var batch: [UInt8] = []
        batch.reserveCapacity(ChatLimits.sealBatchCount * (BlobReference.chunkByteCount + BlobReference.sealByteCount))
        for index in first..<(first + ChatLimits.sealBatchCount) {
            try Task.checkCancellation()
            let offset = UInt64(index) * UInt64(BlobReference.chunkByteCount)
            let count = Int(min(source.byteCount - offset, UInt64(BlobReference.chunkByteCount)))
            guard let chunk = source.read(offset, count), chunk.count == count else {
                throw ChatError(.fileUnusable, "The file was changed while it was read. Try again.")
            }
            let isLast = offset + UInt64(count) == source.byteCount
            let sealed = sealer.seal(chunk, isLast: isLast)
            hashes.add(sealed[...])
            batch += sealed
            source.report(offset + UInt64(count))
            if isLast { break }
        }
        return batch
    }

    /// Appends the hashes of a blob from another peer; returns false if the bytes are not that blob.
    @concurrent
    func addHashes(of reference: BlobReference, to name: String) async throws(StoreError) -> Bool {
        try writeHashes(of: reference, to: name)
    }

    private func writeHashes(of reference: BlobReference, to name: String) throws(StoreError) -> Bool {
        let chunks = try open(name, isWritten: false)
        var hashes = BlobHashes(byteCount: reference.byteCount, hashing: BlobSeals())
        for index in 0..<reference.chunkCount {
            let offset = BlobReference.offset(ofChunk: index)
            hashes.add(try chunks.read(reference.sealedByteCount(ofChunk: index), at: offset)[...])
        }
        guard hashes.reference == reference else { return false }
        try Self.append(hashes, of: reference, to: try open(name, isWritten: true))
        return true
    }

    /// Appends the hashes of a small blob, unless they are there.
    ///
    /// A large blob has had them since it was complete.
    func completeHashes(of reference: BlobReference, in name: String) throws(StoreError) {
        guard reference.isSmall, let top = reference.place(ofPart: 0) else { return }
        let end = top.offset + UInt64(top.byteCount)
        guard try open(name, isWritten: false).byteCount < end else { return }
        _ = try writeHashes(of: reference, to: name)
    }

    /// Writes the hashes of a blob behind its chunks, from where requests read them.
    private static func append(
        _ hashes: BlobHashes,
        of reference: BlobReference,
        to file: OpenFile
    ) throws(StoreError) {
        var number: UInt32 = 0
        while let bytes = hashes.bytes(ofPart: number), let place = reference.place(ofPart: number) {
            try file.write(bytes, at: place.offset)
            number += 1
        }
    }

    /// Writes a plain copy of a blob that only its owner can read, under its name or under that with a number in it.
    ///
    /// - Throws: `fileUnusable` if the blob is damaged, or the disk's error; then nothing is left.
    @concurrent
    package func copy(_ name: String, _ reference: FileReference, to folder: URL) async throws(ChatError) -> URL {
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw ChatError(.fileUnusable, "\(folder.path) cannot be created: \(error.localizedDescription)")
        }
        let (place, copy) = try Self.freePlace(for: reference.name, in: folder)
        do {
            try write(name, reference, to: copy)
            return place
        } catch {
            try? FileManager.default.removeItem(at: place)
            throw ChatError(error)
        }
    }

    private func write(_ name: String, _ reference: FileReference, to copy: OpenFile) throws {
        for index in 0..<reference.reference.chunkCount {
            guard let chunk = chunk(index, of: SealedFile(file: name, reference: reference)) else {
                throw Self.damaged(reference)
            }
            try copy.write(chunk, at: UInt64(index) * UInt64(BlobReference.chunkByteCount))
        }
        try copy.synchronize()
    }

    /// Creates an empty file under a free name and keeps it open: in a shared folder, another file could take its
    /// place.
    private static func freePlace(for name: String, in folder: URL) throws(ChatError) -> (place: URL, file: OpenFile) {
        for number in 1...ChatLimits.copyCount {
            let place = folder.appending(path: number == 1 ? name : FileName.numbered(name, number))
            do {
                return (place, try OpenFile(place.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW))
            } catch {
                let isTaken = FileManager.default.fileExists(atPath: place.path)
                guard isTaken else { throw ChatError(error) }
            }
        }
        throw ChatError(.fileUnusable, "There are too many files called '\(name)' in \(folder.path) already.")
    }
}

/// The bytes that become a blob, and the closure that gets their progress.
private struct BlobInput {
    /// Units: bytes.
    let byteCount: UInt64
    /// Reads bytes from an offset on; nil if they cannot be read.
    let read: (_ offset: UInt64, _ count: Int) -> [UInt8]?
    private let progress: (@Sendable (Double) -> Void)?

    init(
        _ byteCount: UInt64,
        _ progress: (@Sendable (Double) -> Void)?,
        read: @escaping (_ offset: UInt64, _ count: Int) -> [UInt8]?
    ) {
        self.byteCount = byteCount
        self.progress = progress
        self.read = read
    }

    /// Reports the number of sealed bytes.
    func report(_ sealedCount: UInt64) {
        progress?(byteCount > 0 ? Double(sealedCount) / Double(byteCount) : 1)
    }
}
