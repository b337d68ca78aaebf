import Earshot
import Foundation

/// How a browser is to treat a file of a message.
struct Disposition: Hashable {
    /// What a page may show or play by itself.
    ///
    /// Everything else is saved, never opened: a document could hold a script.
    static let shownTypes: Set<String> = [
        "image/jpeg", "image/png", "image/webp", "image/gif", "audio/ogg", "audio/webm",
    ]

    /// The header `Content-Type`.
    let type: String
    /// The header `Content-Disposition`; nil for what is shown.
    let attachment: String?

    /// Decides on a file by what its sender says of it.
    init(name: String, type: String, isDownload: Bool) {
        let isShown = Self.shownTypes.contains(type)
        self.type = isShown ? type : "application/octet-stream"
        attachment = isShown && !isDownload ? nil : Self.attachment(name)
    }

    /// The header for a file to save: whatever its name holds, no byte but a few harmless ones gets there.
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
