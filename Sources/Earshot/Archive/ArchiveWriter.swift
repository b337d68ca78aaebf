import ChatCore
import ChatCrypto
import ChatHistory
import Foundation

/// A file that an export is written to, sealed under a passphrase or plain.
///
/// It gets its name only when it is complete.
///
/// It never overwrites a file, and at most two pieces are in memory.
struct ArchiveWriter {
    private let place: URL
    private let temporary: URL
    private let file: OpenFile
    private let sealer: ArchiveSealer?
    private var buffer: [UInt8] = []
    private var offset: UInt64 = 0

    /// Creates the file, readable by its owner alone.
    ///
    /// - Throws: `fileUnusable` if the file exists already or cannot be created.
    init(_ place: URL, passphrase: String?, cost: PassphraseCost) throws(ChatError) {
        guard !FileManager.default.fileExists(atPath: place.path) else {
            throw ChatError(
                .fileUnusable,
                "\(place.path) exists already. Choose another name."
            )
        }
        self.place = place
        temporary = place.appendingPathExtension("part")
        do {
            sealer = try passphrase.map { passphrase throws(CryptoError) in
                try ArchiveSealer(passphrase: SecretBytes(normalizing: passphrase), cost: cost)
            }
        } catch {
            throw ChatError(.fileUnusable, "The export cannot be sealed: \(error.reason)")
        }
        do {
            file = try OpenFile(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        } catch {
            let why =
                FileManager.default.fileExists(atPath: temporary.path) ? "it exists; delete it first" : error.reason
            throw ChatError(.fileUnusable, "\(temporary.path) cannot be created: \(why)")
        }
        if let sealer { try put(sealer.header) }
    }

    /// Adds bytes.
    mutating func write(_ bytes: [UInt8]) throws(ChatError) {
        buffer += bytes
        // One full piece stays in the buffer, because it may be the last.
        while buffer.count > ArchiveSealer.segmentByteCount {
            let segment = Array(buffer.prefix(ArchiveSealer.segmentByteCount))
            buffer.removeFirst(segment.count)
            try put(sealer?.seal(segment, isLast: false) ?? segment)
        }
    }

    /// Ends the file and gives it its name.
    mutating func finish() throws(ChatError) {
        try put(sealer?.seal(buffer, isLast: true) ?? buffer)
        buffer = []
        do {
            try file.synchronize()
            try Self.putInPlace(temporary, as: place)
        } catch {
            throw unwritable(error)
        }
    }

    /// Gives the finished file its name; never replaces another file.
    ///
    /// Disks without hard links, such as FAT ones, first reserve the name with an empty file.
    ///
    /// - Parameter linking: Gives the file a second name; returns 0 or the system's error.
    static func putInPlace(
        _ temporary: URL,
        as place: URL,
        linking: (URL, URL) -> Int32 = { link($0.path, $1.path) == 0 ? 0 : errno }
    ) throws {
        var code = linking(temporary, place)
        if code == 0 {
            unlink(temporary.path)
        } else if code != EEXIST {
            let reserved = open(place.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            code = reserved < 0 ? errno : 0
            if reserved >= 0 {
                close(reserved)
                code = rename(temporary.path, place.path) == 0 ? 0 : errno
                if code != 0 { unlink(place.path) }
            }
        }
        guard code == 0 else {
            let why = code == EEXIST ? "the file exists already." : "\(String(cString: strerror(code)))."
            throw ChatError(.fileUnusable, why)
        }
    }

    /// Deletes the unfinished file.
    func discard() {
        try? FileManager.default.removeItem(at: temporary)
    }

    private mutating func put(_ bytes: [UInt8]) throws(ChatError) {
        do {
            try file.write(bytes, at: offset)
        } catch {
            throw unwritable(error)
        }
        offset += UInt64(bytes.count)
    }

    private func unwritable(_ error: any Error) -> ChatError {
        let reason = (error as? ChatError)?.reason ?? ChatError(error).reason
        return ChatError(.fileUnusable, "\(place.path) cannot be written: \(reason)")
    }
}
