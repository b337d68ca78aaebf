/// The prompt around the line that is being typed.
struct ChatPrompt: Equatable, Sendable {
    /// The row above it: the open conversation, the members that type, and unread messages elsewhere.
    var status = StyledLine([])
    /// The text before it.
    var label = "> "
    /// Whether the typed text is hidden.
    var isSecret = false
}
