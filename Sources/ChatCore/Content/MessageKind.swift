/// What a message is; the text is what programs read.
public enum MessageKind: String, Hashable, Sendable {
    /// A text, with files or without.
    case text
    /// A single emoji, to be shown large.
    case emoji
    /// Pictures, with a text or without.
    case image
    /// Voice notes, with a text or without.
    case voice
    /// Other files without a text.
    case file
    /// A question with options.
    case poll
    /// A line that tells what happened to the conversation.
    case system

    /// What a text with these files is.
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
