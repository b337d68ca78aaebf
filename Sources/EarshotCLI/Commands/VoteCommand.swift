import ArgumentParser
import EarshotRPC

/// Votes in a poll.
struct VoteCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "vote",
        abstract: "Vote in a poll. The last vote counts, unless the votes of the poll are final.",
        discussion: "`history show WHO --ids` shows the ids of messages."
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The id of the poll's message.")
    var poll: String

    @Argument(help: "The numbers of the options, from 1; none withdraws the vote.")
    var options: [Int] = []

    func perform(_ console: Console) async throws {
        // No poll has an option before the first; the node reports the error.
        let places = options.map { $0 > 0 ? $0 - 1 : -1 }
        try await HomeAccess(global, console).change(PollVoteCall(poll: poll, options: places))
    }
}
