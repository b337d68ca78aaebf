/// What stands around the line being typed.
struct ChatPrompt: Equatable, Sendable {
    /// The row above it: where one is, who types, what is new elsewhere.
    var status = StyledLine([])
    /// What stands before it.
    var label = "> "
    /// Whether what is typed is not shown.
    var isSecret = false
}
