import ArgumentParser
import EarshotRPC

/// Deletes a message.
struct DeleteCommand: FaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a message here, or one of yours for everyone.",
        discussion: """
            For everyone, its text and its files go on every node that gets to know of it; that it was there stays \
            visible. Who has read it may remember it.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The message's id.")
    var message: String

    @Flag(help: "On all nodes, for a message of your own.")
    var forEveryone = false

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).change(DeleteCall(message: message, forEveryone: forEveryone))
    }
}
