/// The kind of a message; programs read the text.
public enum MessageKind: String, Hashable, Codable, Sendable {
    /// A text, with files or without.
    case text
    /// A single emoji, displayed large.
    case emoji
    /// Pictures, with a text or without.
    case image
    /// Voice notes, with a text or without.
    case voice
    /// Other files without a text.
    case file
    /// A question with options.
    case poll
    /// A line about an event in the conversation.
    case system

    /// Determines the kind of a text with these files.
    init(text: String, files: [MessageFile]) {
        let kinds = files.map { file -> MessageKind in
            switch file.media {
            case .image: .image
            case .voice: .voice
            case nil: .file
            }
        }
        if let kind = kinds.first, kind != .file, kinds.allSatisfy({ $0 == kind }) {
            self = kind
        } else if files.isEmpty, Emoji.isSingle(text) {
            self = .emoji
        } else {
            self = text.isEmpty ? .file : .text
        }
    }
}
