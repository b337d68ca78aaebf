import ArgumentParser
import EarshotRPC

/// Creates and closes polls.
struct PollCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poll",
        abstract: "Create or close a poll.",
        subcommands: [Create.self, Close.self]
    )

    @OptionGroup var global: GlobalOptions
}

extension PollCommand {
    /// Creates a poll.
    struct Create: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a poll with 2 to 12 options; use `vote` to choose.",
            discussion: """
                Other users of the machine can read arguments. With `-`, question and options come from standard \
                input, one per line.
                """
        )

        @OptionGroup var global: GlobalOptions

        @Argument(help: "A nickname, a peer id or the beginning of one.")
        var who: String

        @Argument(help: "The question, or - for standard input.")
        var question: String

        @Argument(help: "The options.")
        var options: [String] = []

        @Flag(help: "Allow several choices.")
        var multiple = false

        @Flag(help: "Make votes final.")
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
    struct Close: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "close",
            abstract: "Close your poll. Later votes do not count, for anybody."
        )

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The id of the poll's message.")
        var poll: String

        func perform(_ console: Console) async throws {
            try await HomeAccess(global, console).change(PollCloseCall(poll: poll))
        }
    }
}
