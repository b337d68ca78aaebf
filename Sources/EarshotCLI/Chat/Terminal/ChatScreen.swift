/// What a person does at a screen.
enum TypedInput: Sendable, Equatable {
    case line(String)
    /// Something that is no command is being typed.
    case typing
    /// Ctrl-C with nothing typed, or the end of the input.
    case ended
    /// The terminal is gone.
    case hungUp
}

/// Where the chat is shown and typed.
protocol ChatScreen: Sendable {
    /// What is typed, until it ends.
    var inputs: AsyncStream<TypedInput> { get }
    /// Whether there is a row for the status, and a person that looks at it.
    var hasStatusRow: Bool { get }
    /// How it shows pictures; nil where it shows none.
    var pictures: PictureProtocol? { get }

    func show(_ update: ScreenUpdate)

    /// Says that all of the last line that was typed is done, so that the next can come.
    func finishLine()

    /// Leaves the terminal as it was, and waits until that is done.
    func end() async
}
