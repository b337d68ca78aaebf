/// The output of `/help`, in two pages that fit a terminal of 80 columns and 24 rows.
enum ChatHelp {
    /// Units: columns of a command with its arguments; longer ones have a row of their own.
    private static let width = 28

    /// The first page: the commands for conversations and messages.
    static var lines: [StyledLine] {
        let rest = ChatVerb.allCases.filter { isOnSecondPage($0.group) && $0 != .help }
        return [StyledLine("Your text goes to the open conversation. N is the number beside a message.")]
            + ChatVerb.Group.allCases.filter { !isOnSecondPage($0) }.flatMap(lines(of:))
            + [StyledLine("/help more explains: " + rest.map { "/\($0.rawValue)" }.joined(separator: " "), .bold)]
    }

    /// The second page: all other commands, and the keys.
    static var more: [StyledLine] {
        ChatVerb.Group.allCases.filter(isOnSecondPage).flatMap(lines(of:))
            + [
                StyledLine(
                    "Tab completes commands, names, @names, :emoji: and paths. Ctrl-C clears the line, Ctrl-R finds an "
                        + "earlier line, // begins a text with /. Groups are made by `earshot group` in another terminal."
                )
            ]
    }

    /// The lines about one command.
    static func lines(of verb: ChatVerb) -> [StyledLine] {
        let text = "/\(verb.rawValue) \(verb.usage)"
        let margin = Span(String(repeating: " ", count: width + 2))
        // At least two spaces lie between the arguments and the text.
        guard DisplayText.width(text) > width - 2 else {
            let spans = [Span("  "), Span(DisplayText.padded(text, to: width), .bold), Span(verb.summary)]
            return [StyledLine(spans, continuation: [margin])]
        }
        return [
            StyledLine([Span("  "), Span(text, .bold)]),
            StyledLine([margin, Span(verb.summary)], continuation: [margin]),
        ]
    }

    private static func isOnSecondPage(_ group: ChatVerb.Group) -> Bool { group == .people || group == .screen }

    private static func lines(of group: ChatVerb.Group) -> [StyledLine] {
        [StyledLine(group.rawValue, .dim)] + ChatVerb.allCases.filter { $0.group == group }.flatMap(lines(of:))
    }
}
