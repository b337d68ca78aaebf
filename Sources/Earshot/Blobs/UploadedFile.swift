package import ChatCore
import ChatCrypto
import ChatHistory
import Synchronization

/// A file that was uploaded to be sent, and is not a file of this machine.
///
/// Its bytes are in the folder of blobs without a name, sealed chunk by chunk under a key that is in memory alone. They
/// disappear with the last reference, and after a crash nobody can open what the disk still holds of them.
package final class UploadedFile: Hashable, Sendable {
    private let file: OpenFile
    private let opener: BlobOpener
    private let reservation: QuotaReservation
    /// Units: bytes.
    let byteCount: UInt64

    fileprivate init(_ file: OpenFile, _ opener: BlobOpener, byteCount: UInt64, _ reservation: QuotaReservation) {
        self.file = file
        self.opener = opener
        self.byteCount = byteCount
        self.reservation = reservation
    }

    /// Reads the bytes from an offset on; fewer at the end of the file.
    func read(_ count: Int, at offset: UInt64) throws(ChatError) -> [UInt8] {
        let end = min(byteCount, offset + UInt64(count))
        guard offset < end else { return [] }
        let size = UInt64(BlobReference.chunkByteCount)
        let lastOfAll = (byteCount - 1) / size
        var bytes: [UInt8] = []
        for index in offset / size...(end - 1) / size {
            let length = Int(min(size, byteCount - index * size)) + BlobReference.sealByteCount
            guard let sealed = try? file.read(length, at: BlobReference.offset(ofChunk: Int(index))),
                let chunk = opener.open(sealed, index: UInt32(index), isLast: index == lastOfAll)
            else { throw ChatError(.fileUnusable, "The file cannot be read any more. Add it again.") }
            let start = offset > index * size ? Int(offset - index * size) : 0
            bytes += chunk[start..<min(chunk.count, Int(end - index * size))]
        }
        return bytes
    }

    /// Releases the reserved space, because the file is about to become a blob.
    func releaseReservation() { reservation.release() }

    /// Compares by identity: two uploads are equal only if they are the same object.
    package static func == (left: UploadedFile, right: UploadedFile) -> Bool { left === right }

    /// Hashes the identity.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// An upload in progress.
///
/// It owns the bytes that have come, and they disappear with it.
package actor FileUpload {
    private let file: OpenFile
    private let sealer = BlobSealer()
    private let byteCount: UInt64
    private let reservation: QuotaReservation
    private var doneCount: UInt64 = 0
    private var chunkCount = 0
    private var rest: [UInt8] = []

    init(_ file: OpenFile, byteCount: UInt64, _ reservation: QuotaReservation) {
        self.file = file
        self.byteCount = byteCount
        self.reservation = reservation
    }

    /// Takes the next bytes.
    ///
    /// - Throws: `tooLarge` for more bytes than announced, or the disk's error.
    package func write(_ bytes: [UInt8]) throws(ChatError) {
        doneCount += UInt64(bytes.count)
        guard doneCount <= byteCount else { throw ChatError(.tooLarge, "The file is longer than its declared size.") }
        rest += bytes
        var start = 0
        // The last chunk is sealed as such, so one chunk is always held back.
        while rest.count - start > BlobReference.chunkByteCount {
            try seal(Array(rest[start..<start + BlobReference.chunkByteCount]), isLast: false)
            start += BlobReference.chunkByteCount
        }
        rest.removeFirst(start)
    }

    /// Ends the file.
    ///
    /// - Throws: `fileUnusable` for fewer bytes than announced, or the disk's error.
    package func finish() throws(ChatError) -> UploadedFile {
        guard doneCount == byteCount, let opener = BlobOpener(key: sealer.key.withBytes { Array($0) }) else {
            throw ChatError(.fileUnusable, "The file is shorter than its declared size.")
        }
        try seal(rest, isLast: true)
        rest = []
        return UploadedFile(file, opener, byteCount: byteCount, reservation)
    }

    private func seal(_ chunk: [UInt8], isLast: Bool) throws(ChatError) {
        do {
            try file.write(sealer.seal(chunk, isLast: isLast), at: BlobReference.offset(ofChunk: chunkCount))
        } catch {
            throw ChatError(error)
        }
        chunkCount += 1
    }
}

/// Space that is reserved for files, and released once: at the latest with the last reference.
final class QuotaReservation: Sendable {
    private let share: MediaQuotaShare
    private let byteCount: Mutex<UInt64>

    /// Reserves the space; nil if there is not enough.
    init?(_ byteCount: UInt64, of share: MediaQuotaShare) {
        guard share.hold(byteCount) else { return nil }
        self.share = share
        self.byteCount = Mutex(byteCount)
    }

    deinit { release() }

    /// Releases the space.
    func release() {
        let held = byteCount.withLock { byteCount in
            defer { byteCount = 0 }
            return byteCount
        }
        if held > 0 { share.release(held) }
    }
}
