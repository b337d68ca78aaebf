import ArgumentParser
import Earshot
import EarshotRPC

/// Shows or sets the disappearing-messages timer of a conversation.
struct TimerCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "timer",
        abstract: "Show the disappearing-messages timer of a conversation, or set it for everybody in it.",
        discussion:
            """
            New messages disappear that time after they are read, with text, attachments and keys. Use `send \
            --expires-after` for one message. Without a time, the command shows the timer.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A nickname, a peer id or the beginning of one; group:TITLE for a group.")
    var who: String

    @Argument(help: "The time, such as 30s, 5m or 24h; 0s for never.")
    var time: SpanArgument?

    /// The timer as JSON.
    private struct Output: Encodable {
        let conversation: String
        /// Units: seconds; absent for messages that stay.
        let expiresAfter: Double?
    }

    func perform(_ console: Console) async throws {
        let home = HomeAccess(global, console)
        if let time {
            let call = TimerCall(conversation: who, expiresAfter: time.duration.fractionalSeconds)
            return try await home.change(call) { $0.message }
        }
        try await home.withNode { caller in
            // This call knows each name of a conversation.
            let id = try await caller.call(RetentionCall(conversation: who)).conversation ?? who
            let conversation = try await caller.call(ConversationsCall()).first { $0.id == id }
            let output = Output(conversation: id, expiresAfter: conversation?.expiresAfter)
            try console.result(output, [TimerText.line(output.expiresAfter)])
        }
    }
}
