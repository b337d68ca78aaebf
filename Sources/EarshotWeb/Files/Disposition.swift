import Earshot
import Foundation

/// The instructions for a browser about an attachment.
struct Disposition: Hashable {
    /// The media types that a page may show or play by itself.
    ///
    /// All other files are saved, never opened: a document could contain a script.
    static let shownTypes: Set<String> = [
        "image/jpeg", "image/png", "image/webp", "image/gif", "audio/ogg", "audio/webm",
    ]

    /// The header `Content-Type`.
    let type: String
    /// The header `Content-Disposition`; nil for a file that is shown.
    let attachment: String?

    /// Decides about a file by the name and type that its sender gave.
    init(name: String, type: String, isDownload: Bool) {
        let isShown = Self.shownTypes.contains(type)
        self.type = isShown ? type : "application/octet-stream"
        attachment = isShown && !isDownload ? nil : Self.attachment(name)
    }

    /// Makes the header for a file to save; only a few harmless bytes of the name get into the header.
    ///
    /// Source: RFC 6266 and RFC 8187.
    private static func attachment(_ name: String) -> String {
        let name = FileName.safe(name)
        let plain = String(
            name.unicodeScalars.map { $0.isASCII && allowed.contains($0) ? Character($0) : "_" }
        )
        let encoded = name.addingPercentEncoding(withAllowedCharacters: allowed) ?? "file"
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }

    private static let allowed = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._"
    )
}
