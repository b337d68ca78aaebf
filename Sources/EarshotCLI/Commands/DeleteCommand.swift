import ArgumentParser
import EarshotRPC

/// Deletes a message.
struct DeleteCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a message here, or one of yours for everyone.",
        discussion: """
            For everyone, every node that learns of the deletion removes the text and the attachments. People still \
            see that there was a message, and may have read or copied it.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The message's id.")
    var message: String

    @Flag(help: "Delete your own message on all nodes.")
    var forEveryone = false

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).change(DeleteCall(message: message, forEveryone: forEveryone))
    }
}
