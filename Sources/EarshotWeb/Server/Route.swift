import ChatCrypto
import Earshot
import NIOHTTP1

/// The resource that a request names.
enum Route: Hashable {
    /// A file of the page, by its path.
    case page(String)
    case session
    case socket
    /// An attachment of a message.
    case media(MessageID, index: Int, isDownload: Bool)
    /// A new file to send.
    case files([Substring])
    /// An uploaded file.
    case file(id: String)
    case send
    /// The history as a file to save.
    case export
    case code

    /// Reads a request's target; nil for an unknown resource.
    ///
    /// Paths are compared without decoding, and no path is ever one of the file system.
    init?(_ target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, path.hasPrefix("/") else { return nil }
        let query = parts.count == 2 ? parts[1].split(separator: "&") : []
        let steps = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        switch (steps.first, steps.count) {
        case ("session", 1): self = .session
        case ("socket", 1): self = .socket
        case ("files", 1): self = .files(query)
        case ("send", 1): self = .send
        case ("export", 1): self = .export
        case ("qr", 1): self = .code
        case ("files", 2): self = .file(id: String(steps[1]))
        case ("media", 3):
            guard let bytes = [UInt8](hex: String(steps[1])), let id = MessageID(bytes: bytes),
                let index = UInt16(steps[2])
            else { return nil }
            self = .media(id, index: Int(index), isDownload: query.contains { $0 == "download" || $0 == "download=1" })
        default:
            guard PageFiles.all[String(path)] != nil else { return nil }
            self = .page(String(path))
        }
    }

    /// Whether the resource reveals nothing about the user.
    var isPublic: Bool {
        if case .page = self { true } else { false }
    }

    /// The methods that the resource supports.
    var methods: [HTTPMethod] {
        switch self {
        case .page, .media: [.GET, .HEAD]
        case .session: [.GET, .POST, .DELETE]
        case .socket: [.GET]
        case .files, .send, .export, .code: [.POST]
        case .file: [.DELETE]
        }
    }
}
