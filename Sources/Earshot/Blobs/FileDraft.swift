import ChatCore
public import Foundation

/// A file to be sent with a message.
public struct FileDraft: Hashable, Sendable {
    /// The location of the bytes.
    enum Source: Hashable, Sendable {
        /// A file of this machine.
        case file(URL)
        /// An upload in the folder of blobs, without a name.
        case upload(UploadedFile)
    }

    /// The treatment of a file before it is sent.
    package enum Treatment: Hashable, Sendable {
        /// None: all metadata of the file is sent too.
        case asIs
        /// It becomes a picture that contains only what is visible.
        case image(longestEdge: Int?)
        /// It becomes a voice note that contains only what is audible.
        case voice
    }

    /// The location of the bytes.
    let source: Source
    /// The name that the recipient sees; a picture or voice note gets the extension of its format.
    public let name: String
    /// The media type; that of a picture or voice note is known only after cleaning.
    public let type: String
    /// The treatment before it is sent.
    package let treatment: Treatment

    /// Describes a file.
    ///
    /// - Parameters:
    ///   - url: The location of the file.
    ///   - name: The name that the recipient sees; by default the last part of the path.
    ///   - type: The media type; by default that of the name's extension.
    public init(_ url: URL, name: String? = nil, type: String? = nil) {
        self.init(.file(url), name: name ?? url.lastPathComponent, type: type)
    }

    /// Describes a file that was uploaded.
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

    /// Describes a picture.
    ///
    /// Before it is sent, the node's media cleaner strips everything that is not visible.
    ///
    /// - Parameters:
    ///   - url: The location of the file.
    ///   - name: The name that the recipient sees, without an extension; by default a neutral word, because file names
    ///     reveal times and places.
    ///   - longestEdge: Units: pixels. A larger picture is made smaller, if its format allows.
    public static func image(_ url: URL, name: String = "picture", longestEdge: Int? = nil) -> FileDraft {
        FileDraft(.file(url), name: name, .image(longestEdge: longestEdge))
    }

    /// Describes a picture that was uploaded.
    package static func image(_ upload: UploadedFile, longestEdge: Int?) -> FileDraft {
        FileDraft(.upload(upload), name: "picture", .image(longestEdge: longestEdge))
    }

    /// Describes a recording.
    ///
    /// Before it is sent, the node's media cleaner makes a voice note of at most a minute of it.
    ///
    /// - Parameters:
    ///   - url: The location of the file.
    ///   - name: The name that the recipient sees, without an extension; by default a neutral word, because file names
    ///     reveal times and places.
    public static func voice(_ url: URL, name: String = "voice") -> FileDraft {
        FileDraft(.file(url), name: name, .voice)
    }

    /// Describes a recording that was uploaded.
    package static func voice(_ upload: UploadedFile) -> FileDraft {
        FileDraft(.upload(upload), name: "voice", .voice)
    }

    /// Units: bytes; 0 if there is no such file, which is reported when it is read.
    var byteCount: UInt64 {
        switch source {
        case .file(let url):
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
            return attributes?[.size] as? UInt64 ?? 0
        case .upload(let upload): return upload.byteCount
        }
    }

    /// The location of the file; nil for an upload.
    public var url: URL? {
        if case .file(let url) = source { url } else { nil }
    }

    /// The name of the file in an error.
    var place: String {
        switch source {
        case .file(let url): url.path
        case .upload: "'\(name)'"
        }
    }

    /// The extensions that front ends treat specially: pictures, sounds, films, documents.
    private static let types = [
        "gif": "image/gif", "heic": "image/heic", "jpeg": "image/jpeg", "jpg": "image/jpeg", "png": "image/png",
        "webp": "image/webp", "m4a": "audio/mp4", "mp3": "audio/mpeg", "ogg": "audio/ogg", "opus": "audio/ogg",
        "wav": "audio/wav", "mp4": "video/mp4", "webm": "video/webm", "pdf": "application/pdf", "txt": "text/plain",
    ]
}
