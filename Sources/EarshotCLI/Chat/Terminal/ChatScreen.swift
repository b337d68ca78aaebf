/// An input of the user at a screen.
enum TypedInput: Sendable, Equatable {
    case line(String)
    /// The user is typing something other than a command.
    case typing
    /// Ctrl-C with nothing typed, or the end of the input.
    case ended
    /// The terminal is gone.
    case hungUp
}

/// The screen that shows the chat and reads the user's input.
protocol ChatScreen: Sendable {
    /// The inputs, until the screen ends.
    var inputs: AsyncStream<TypedInput> { get }
    /// Whether there is a status row, and a person that looks at it.
    var hasStatusRow: Bool { get }
    /// The protocol that shows pictures; nil for none.
    var pictures: PictureProtocol? { get }

    func show(_ update: ScreenUpdate)

    /// Reports that the last typed line is fully processed, so that the next can come.
    func finishLine()

    /// Restores the terminal, and waits until that is done.
    func end() async
}
