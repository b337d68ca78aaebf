import ChatCore
import ChatCrypto
import ChatHistory
import Foundation

/// The lines of an export file, sealed or plain, one at a time.
struct ArchiveReader {
    /// A line, or the sign that a line was too long to be kept.
    enum Line {
        case whole([UInt8])
        case tooLong
    }

    private let file: OpenFile
    private let opener: ArchiveOpener?
    private let byteCount: UInt64
    private var offset: UInt64 = 0
    private var index: UInt32 = 0
    private var buffer: [UInt8] = []
    /// The start of the next line in the buffer.
    private var start = 0
    private var hasEnded = false
    /// Lines read so far.
    private(set) var lineNumber = 0

    /// Whether the file is sealed under a passphrase.
    var isSealed: Bool { opener != nil }

    /// Opens a file.
    ///
    /// - Throws: `fileUnusable` if the file cannot be read or its seal is damaged, `locked` if the passphrase is
    ///   missing or wrong.
    init(_ place: URL, passphrase: String?) throws(ChatError) {
        (file, byteCount) = try BlobFolder.openSource(place)
        do {
            let header = try file.read(ArchiveOpener.headerByteCount, at: 0)
            guard ArchiveOpener.isHeader(header) else {
                opener = nil
                return
            }
            guard let passphrase else { throw ChatError(.locked, "\(place.path) is sealed. Give its passphrase.") }
            opener = try ArchiveOpener(header: header, passphrase: SecretBytes(normalizing: passphrase))
            offset = UInt64(header.count)
        } catch let error as CryptoError {
            let code: ChatError.Code = error.code == .wrongPassphrase ? .locked : .fileUnusable
            throw ChatError(code, "\(place.path): \(error.reason)")
        } catch {
            throw ChatError(error)
        }
    }

    /// Returns the next line; nil at the end.
    ///
    /// - Throws: `fileUnusable` if the file was changed or cut off, or cannot be read.
    mutating func next() throws(ChatError) -> Line? {
        var isTooLong = false
        // Bytes that were already searched are not searched again.
        var looked = start
        while true {
            if let end = lineEnd(from: looked) {
                let line = Array(buffer[start..<end])
                start = end + 1
                lineNumber += 1
                return isTooLong || line.count > ArchiveLimits.lineByteCount ? .tooLong : .whole(line)
            }
            if buffer.count - start > ArchiveLimits.lineByteCount { isTooLong = true }
            buffer.removeFirst(isTooLong ? buffer.count : start)
            start = 0
            looked = buffer.count
            guard let more = try read() else {
                guard isTooLong || !buffer.isEmpty else { return nil }
                defer { buffer = [] }
                lineNumber += 1
                return isTooLong ? .tooLong : .whole(buffer)
            }
            buffer += more
        }
    }

    private func lineEnd(from place: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard place < bytes.count, let base = bytes.baseAddress,
                let end = memchr(base + place, Int32(UInt8(ascii: "\n")), bytes.count - place)
            else { return nil }
            return UnsafeRawPointer(end) - base
        }
    }

    /// Reads the next bytes; nil at the end.
    private mutating func read() throws(ChatError) -> [UInt8]? {
        guard !hasEnded else { return nil }
        let wanted = opener == nil ? ArchiveLimits.readByteCount : ArchiveSealer.sealedSegmentByteCount
        let bytes: [UInt8]
        do {
            bytes = try file.read(wanted, at: offset)
        } catch {
            throw ChatError(.fileUnusable, "The export cannot be read: \(error.reason)")
        }
        offset += UInt64(bytes.count)
        hasEnded = offset >= byteCount || bytes.count < wanted
        guard let opener else { return bytes }
        guard let segment = opener.open(bytes, index: index, isLast: hasEnded) else {
            throw ChatError(
                .fileUnusable,
                "The export was changed, or was cut off after line \(lineNumber). The lines before that were imported."
            )
        }
        index += 1
        return segment
    }
}
