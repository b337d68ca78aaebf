/// The output of `/help`.
enum ChatHelp {
    /// Units: columns of a command with its arguments.
    private static let width = 34

    static var lines: [StyledLine] {
        let margin = String(repeating: " ", count: width + 2)
        let verbs = ChatVerb.allCases.map { verb in
            let text = "/\(verb.rawValue) \(verb.usage)"
            return StyledLine(
                [Span("  "), Span(DisplayText.padded(text, to: width), .bold), Span(verb.summary)],
                continuation: [Span(margin)]
            )
        }
        return [StyledLine("Your text goes to the open conversation. N is the number beside a message.")]
            + verbs
            + [
                StyledLine(
                    "Tab completes commands, names, @names, :emoji: and paths. Ctrl-C clears the line, Ctrl-R finds an "
                        + "earlier line, // begins a text with /."
                )
            ]
    }
}
