import ArgumentParser
import EarshotRPC

/// Removes a message from the outbox.
struct CancelCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Stop sending a message that has not arrived. Copies that are on their way may still arrive."
    )

    @OptionGroup var global: GlobalOptions
    @Argument(help: "The message's id, as `send` prints it.") var message: String

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).withNode { caller in
            let reply = try await caller.call(CancelCall(message: message))
            try console.result(reply, ["The message is not sent again."])
        }
    }
}
