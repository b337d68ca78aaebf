import ArgumentParser
import EarshotRPC

/// Adds an emoji reaction to a message, or removes it.
struct ReactCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "react",
        abstract: "Add your emoji to a message, or remove it if it is there already.",
        discussion: "`history show WHO --ids` shows the ids of messages."
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The message's id.")
    var message: String

    @Argument(help: "One emoji.")
    var emoji: String

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).change(ReactCall(message: message, emoji: emoji))
    }
}
