import Foundation

/// A file on this machine, read as a whole but never beyond a limit.
enum MediaFile {
    /// Reads the bytes of the file.
    ///
    /// - Throws: `unreadable`, or `tooManyBytes` before more than `limit` + 1 bytes are held.
    static func read(_ url: URL, limit: Int) throws(MediaRefusal) -> [UInt8] {
        do {
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            let data = try file.read(upToCount: limit + 1) ?? Data()
            if data.count <= limit { return [UInt8](data) }
        } catch {
            throw MediaRefusal(.unreadable, "The file cannot be read. Check that it exists and that you may read it.")
        }
        throw tooManyBytes(limit: limit)
    }

    /// Makes the refusal of a file that is too long.
    static func tooManyBytes(limit: Int) -> MediaRefusal {
        MediaRefusal(
            .tooManyBytes,
            "The file has more than \(limit / 1_048_576) MiB. Make it smaller, or send it as a file.",
            limit: limit
        )
    }
}
