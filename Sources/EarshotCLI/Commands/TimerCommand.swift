import ArgumentParser
import Earshot
import EarshotRPC

/// Sets the disappearing-messages timer of a conversation.
struct TimerCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "timer",
        abstract: "Set the disappearing-messages timer of a conversation, for everybody in it.",
        discussion:
            """
            New messages disappear that time after they are read, with text, attachments and keys. Use `send \
            --expires-after` for one message.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A nickname, a peer id or the beginning of one; group:TITLE for a group.")
    var who: String

    @Argument(help: "The time, such as 30s, 5m or 24h; 0s for never.")
    var time: SpanArgument

    func perform(_ console: Console) async throws {
        let call = TimerCall(conversation: who, expiresAfter: time.duration.fractionalSeconds)
        try await HomeAccess(global, console).change(call) { $0.message }
    }
}
