import ChatCore
public import Foundation

/// A file that is to go with a message.
public struct FileDraft: Hashable, Sendable {
    /// Where its bytes are.
    enum Source: Hashable, Sendable {
        /// In a file of this machine.
        case file(URL)
        /// In the folder of blobs, without a name.
        case upload(UploadedFile)
    }

    /// What happens to a file before it goes.
    package enum Treatment: Hashable, Sendable {
        /// Nothing: all that it tells goes too.
        case asIs
        /// It becomes a picture with nothing but what is seen.
        case image(longestEdge: Int?)
        /// It becomes a voice note with nothing but what is heard.
        case voice
    }

    /// Where it is.
    let source: Source
    /// What the recipient sees as its name; a picture or voice note gets the ending of its format behind it.
    public let name: String
    /// Its media type; that of a picture or voice note is found when it is cleaned.
    public let type: String
    /// What happens to it before it goes.
    package let treatment: Treatment

    /// Describes a file.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - name: What the recipient sees; by default the last part of the path.
    ///   - type: The media type; by default what the ending of the name says.
    public init(_ url: URL, name: String? = nil, type: String? = nil) {
        self.init(.file(url), name: name ?? url.lastPathComponent, type: type)
    }

    /// Describes a file that has come from elsewhere.
    package init(_ upload: UploadedFile, name: String) {
        self.init(.upload(upload), name: name, type: nil)
    }

    private init(_ source: Source, name: String, type: String?) {
        self.source = source
        let safeName = FileName.safe(name)
        self.name = safeName
        let ending = safeName.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let known = type ?? Self.types[ending] ?? FileReference.unknownType
        self.type = FileReference.isType(known) ? known : FileReference.unknownType
        treatment = .asIs
    }

    private init(_ source: Source, name: String, _ treatment: Treatment) {
        self.source = source
        self.name = FileName.safe(name)
        type = FileReference.unknownType
        self.treatment = treatment
    }

    /// Describes a picture, which the node's media cleaner strips of all that is not seen before it goes.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - name: What the recipient sees, without an ending; by default a word, for names of files tell times and places.
    ///   - longestEdge: Units: pixels. A larger picture is made smaller, if its format allows.
    public static func image(_ url: URL, name: String = "picture", longestEdge: Int? = nil) -> FileDraft {
        FileDraft(.file(url), name: name, .image(longestEdge: longestEdge))
    }

    /// Describes a picture that has come from elsewhere.
    package static func image(_ upload: UploadedFile, longestEdge: Int?) -> FileDraft {
        FileDraft(.upload(upload), name: "picture", .image(longestEdge: longestEdge))
    }

    /// Describes a recording, of which the node's media cleaner makes a voice note of at most a minute before it goes.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - name: What the recipient sees, without an ending; by default a word, for names of files tell times and places.
    public static func voice(_ url: URL, name: String = "voice") -> FileDraft {
        FileDraft(.file(url), name: name, .voice)
    }

    /// Describes a recording that has come from elsewhere.
    package static func voice(_ upload: UploadedFile) -> FileDraft {
        FileDraft(.upload(upload), name: "voice", .voice)
    }

    /// Units: bytes; 0 for what is no file, which is found out when it is read.
    var byteCount: UInt64 {
        switch source {
        case .file(let url):
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
            return attributes?[.size] as? UInt64 ?? 0
        case .upload(let upload): return upload.byteCount
        }
    }

    /// Where it is; nil for what has come from elsewhere.
    public var url: URL? {
        if case .file(let url) = source { url } else { nil }
    }

    /// What an error calls it.
    var place: String {
        switch source {
        case .file(let url): url.path
        case .upload: "'\(name)'"
        }
    }

    /// The endings that a face treats in a way of its own: pictures, sounds, films, documents.
    private static let types = [
        "gif": "image/gif", "heic": "image/heic", "jpeg": "image/jpeg", "jpg": "image/jpeg", "png": "image/png",
        "webp": "image/webp", "m4a": "audio/mp4", "mp3": "audio/mpeg", "ogg": "audio/ogg", "opus": "audio/ogg",
        "wav": "audio/wav", "mp4": "video/mp4", "webm": "video/webm", "pdf": "application/pdf", "txt": "text/plain",
    ]
}
