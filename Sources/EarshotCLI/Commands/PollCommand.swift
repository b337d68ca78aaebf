import ArgumentParser
import EarshotRPC

/// Creates and closes polls.
struct PollCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poll",
        abstract: "Ask a question with options, or end it.",
        subcommands: [Create.self, Close.self]
    )

    @OptionGroup var global: GlobalOptions
}

extension PollCommand {
    /// Creates a poll.
    struct Create: FaceCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Ask a question with 2 to 12 options; `vote` chooses.",
            discussion: """
                Other users of the machine can read arguments. `-` takes question and options from standard input, a \
                line each.
                """
        )

        @OptionGroup var global: GlobalOptions

        @Argument(help: "A nickname, a peer id or the beginning of one.")
        var who: String

        @Argument(help: "The question, or - for standard input.")
        var question: String

        @Argument(help: "The options.")
        var options: [String] = []

        @Flag(help: "Let everybody choose several.")
        var multiple = false

        @Flag(help: "Let nobody choose anew.")
        var noChange = false

        func perform(_ console: Console) async throws {
            let lines = try question == "-" ? Self.lines(TypedText.read("-")) : [question]
            let call = PollCreateCall(
                to: who,
                question: lines.first ?? "",
                options: lines.dropFirst() + options,
                multiple: multiple,
                mayChange: !noChange
            )
            try await HomeAccess(global, console).change(call) { $0.message }
        }

        private static func lines(_ text: String) -> [String] {
            text.split(whereSeparator: \.isNewline).map(String.init)
        }
    }

    /// Closes a poll.
    struct Close: FaceCommand {
        static let configuration = CommandConfiguration(
            commandName: "close",
            abstract: "End a poll of yours: votes that come later do not count, for anybody."
        )

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The id of the poll's message.")
        var poll: String

        func perform(_ console: Console) async throws {
            try await HomeAccess(global, console).change(PollCloseCall(poll: poll))
        }
    }
}
