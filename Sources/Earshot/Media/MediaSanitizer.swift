import ChatCore
import ChatHistory
import Foundation

/// An actor that reads, cleans and checks pictures and voice notes, one at a time.
///
/// It owns nothing but its turn: a picture takes up to some hundred megabytes while it is unpacked, and two would take
/// twice as much. No method suspends, so a call ends before the next one begins.
actor MediaSanitizer {
    private let cleaner: (any MediaCleaner)?

    init(_ cleaner: (any MediaCleaner)?) {
        self.cleaner = cleaner
    }

    /// Returns the clean form of a file that will be sent as a picture or voice note.
    ///
    /// - Throws: `cancelled` if the task was cancelled before its turn came, `noMediaCleaner`, `fileUnusable`,
    ///   `tooLarge`, or the cleaner's error.
    func clean(_ draft: FileDraft) throws(ChatError) -> CleanMedia {
        guard !Task.isCancelled else { throw ChatError(CancellationError()) }
        guard let cleaner else {
            throw ChatError(
                .noMediaCleaner,
                "This node cannot strip the metadata of pictures and recordings. Send it as a file, or give the "
                    + "node's configuration a media cleaner."
            )
        }
        let bytes = try Self.read(draft)
        let clean =
            switch draft.treatment {
            case .image(let longestEdge): try cleaner.cleanImage(bytes, longestEdge: longestEdge)
            case .voice, .asIs: try cleaner.cleanVoice(bytes)
            }
        guard clean.facts.allows(type: clean.type, byteCount: UInt64(clean.bytes.count)) else {
            throw ChatError(.mediaRefused, "\(draft.place) is too large even without metadata. Make it smaller first.")
        }
        return clean
    }

    /// Compares the copy of a received file with the facts in its message, if this node can.
    ///
    /// - Throws: `mediaRefused` if the file does not match.
    func check(_ copy: URL, _ reference: FileReference) throws(ChatError) {
        guard needsCheck(reference) else { return }
        try check(try Self.read(copy), reference)
    }

    /// Whether this node can compare a file with the facts in its message.
    func needsCheck(_ reference: FileReference) -> Bool { reference.media != nil && cleaner != nil }

    /// Compares the bytes of a received file with the facts in its message, if this node can.
    ///
    /// - Throws: `mediaRefused` if the file does not match.
    func check(_ bytes: [UInt8], _ reference: FileReference) throws(ChatError) {
        guard let facts = reference.media, let cleaner else { return }
        try cleaner.check(bytes, type: reference.type, against: facts)
    }

    private static func read(_ draft: FileDraft) throws(ChatError) -> [UInt8] {
        switch draft.source {
        case .file(let url): return try read(url)
        case .upload(let upload):
            try checkSize(upload.byteCount, draft.place)
            return try upload.read(Int(upload.byteCount), at: 0)
        }
    }

    private static func read(_ url: URL) throws(ChatError) -> [UInt8] {
        let (file, byteCount) = try BlobFolder.openSource(url)
        try checkSize(byteCount, url.path)
        do {
            return try file.read(Int(byteCount), at: 0)
        } catch {
            throw ChatError(.fileUnusable, "\(url.path) cannot be read: \(error.reason)")
        }
    }

    private static func checkSize(_ byteCount: UInt64, _ place: String) throws(ChatError) {
        let limit = MediaLimits.sourceByteCount
        guard byteCount <= limit else {
            var error = ChatError(
                .tooLarge,
                "\(place) is too large: at most \(limit >> 20) MiB. Make it smaller, or send it as a file."
            )
            error.limit = limit
            throw error
        }
    }
}
