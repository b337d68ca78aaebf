public import Foundation

/// A file of this machine that is to go with a message.
public struct FileDraft: Hashable, Sendable {
    /// Where it is.
    public let url: URL
    /// What the recipient sees as its name.
    public let name: String
    /// Its media type.
    public let type: String

    /// Describes a file.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - name: What the recipient sees; by default the last part of the path.
    ///   - type: The media type; by default what the ending of the name says.
    public init(_ url: URL, name: String? = nil, type: String? = nil) {
        self.url = url
        let safeName = FileName.safe(name ?? url.lastPathComponent)
        self.name = safeName
        let ending = safeName.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let known = type ?? Self.types[ending] ?? FileReference.unknownType
        self.type = FileReference.isType(known) ? known : FileReference.unknownType
    }

    /// Units: bytes; 0 for what is no file, which is found out when it is read.
    var byteCount: UInt64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
        return attributes?[.size] as? UInt64 ?? 0
    }

    /// The endings that a face treats in a way of its own: pictures, sounds, films, documents.
    private static let types = [
        "gif": "image/gif", "heic": "image/heic", "jpeg": "image/jpeg", "jpg": "image/jpeg", "png": "image/png",
        "webp": "image/webp", "m4a": "audio/mp4", "mp3": "audio/mpeg", "ogg": "audio/ogg", "opus": "audio/ogg",
        "wav": "audio/wav", "mp4": "video/mp4", "webm": "video/webm", "pdf": "application/pdf", "txt": "text/plain",
    ]
}
