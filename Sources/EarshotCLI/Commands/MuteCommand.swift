import ArgumentParser
import EarshotRPC
import Foundation

/// Mutes a conversation for a time.
struct MuteCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute",
        abstract: "Mute a conversation for a time. Messages still arrive."
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A nickname, a peer id or the beginning of one, or group:NAME.")
    var who: String

    @Option(name: .customLong("for"), help: "The time, such as 30m or 8h. Default: until `unmute`.")
    var span: SpanArgument?

    func perform(_ console: Console) async throws {
        let until = span.map { Date(timeIntervalSinceNow: TimeInterval($0.duration.components.seconds)) }
        try await HomeAccess(global, console).withNode { caller in
            let muted = try await caller.call(MuteCall(conversation: who, until: until))
            let end = until.map { " until \(TimeText.moment($0))" } ?? ""
            try console.result(muted, ["\(DisplayText.safe(muted.title)) is muted\(end)."])
        }
    }
}

/// Unmutes a conversation.
struct UnmuteCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "unmute",
        abstract: "Unmute a conversation."
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A nickname, a peer id or the beginning of one, or group:NAME.")
    var who: String

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).withNode { caller in
            let unmuted = try await caller.call(UnmuteCall(conversation: who))
            try console.result(unmuted, ["\(DisplayText.safe(unmuted.title)) is not muted."])
        }
    }
}
