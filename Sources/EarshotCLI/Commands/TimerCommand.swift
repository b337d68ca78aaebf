import ArgumentParser
import Earshot
import EarshotRPC

/// Sets the disappearing-messages timer of a conversation.
struct TimerCommand: FaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "timer",
        abstract: "Set after how long new messages of a conversation go once they were read, for everybody in it.",
        discussion: "A message goes with its text, its files and their keys. `send --expires-after` is for one message."
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A nickname, a peer id or the beginning of one; group:TITLE for a group.")
    var who: String

    @Argument(help: "The time, as 30s, 5m or 24h; 0s for never.")
    var time: SpanArgument

    func perform(_ console: Console) async throws {
        let call = TimerCall(conversation: who, expiresAfter: time.duration.fractionalSeconds)
        try await HomeAccess(global, console).change(call) { $0.message }
    }
}
