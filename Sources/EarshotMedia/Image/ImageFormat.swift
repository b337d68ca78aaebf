/// A picture format that can be cleaned, recognised by the first bytes; the name of the file does not count.
public enum ImageFormat: String, CaseIterable, Hashable, Sendable {
    /// JPEG.
    case jpeg
    /// PNG.
    case png
    /// WebP, still or moving.
    case webp
    /// GIF, still or moving.
    case gif

    /// The common name of the format.
    public var name: String {
        switch self {
        case .jpeg: "JPEG"
        case .png: "PNG"
        case .webp: "WebP"
        case .gif: "GIF"
        }
    }

    /// The media type, such as `image/jpeg`.
    public var mediaType: String { "image/\(rawValue)" }

    /// Recognises the format of a picture's bytes.
    ///
    /// - Throws: `unsupportedFormat` for formats that are known but not cleaned, `unknownFormat` for the rest.
    public init(recognising bytes: some Collection<UInt8>) throws(MediaRefusal) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: PNGChunks.signature) {
            self = .png
        } else if bytes.begins(with: "GIF87a") || bytes.begins(with: "GIF89a") {
            self = .gif
        } else if bytes.begins(with: "RIFF"), bytes.dropFirst(8).begins(with: "WEBP") {
            self = .webp
        } else {
            throw ForeignFormat.refusal(of: bytes)
        }
    }
}
