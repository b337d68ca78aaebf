/// What a message is; the text is what programs read.
public enum MessageKind: String, Hashable, Sendable {
    /// A text, with files or without.
    case text
    /// A single emoji, to be shown large.
    case emoji
    /// Files without a text.
    case file
    /// A question with options.
    case poll
    /// A line that tells what happened to the conversation.
    case system
}
