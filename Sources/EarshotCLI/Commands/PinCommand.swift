import ArgumentParser
import EarshotRPC

/// Pins a conversation.
struct PinCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Pin a conversation, so that lists show it first."
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A nickname, a peer id or the beginning of one, or group:NAME.")
    var who: String

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).withNode { caller in
            let pinned = try await caller.call(PinCall(conversation: who))
            try console.result(pinned, ["\(DisplayText.safe(pinned.title)) is pinned."])
        }
    }
}

/// Unpins a conversation.
struct UnpinCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin",
        abstract: "Unpin a conversation."
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A nickname, a peer id or the beginning of one, or group:NAME.")
    var who: String

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).withNode { caller in
            let unpinned = try await caller.call(UnpinCall(conversation: who))
            try console.result(unpinned, ["\(DisplayText.safe(unpinned.title)) is not pinned."])
        }
    }
}
