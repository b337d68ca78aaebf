import ArgumentParser
import EarshotRPC

/// Puts another text in place of an own one.
struct EditCommand: FaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Put another text in place of one of yours; what stood there stays visible to its readers.",
        discussion: "`history show WHO --ids` shows the ids of messages."
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The message's id.")
    var message: String

    @Argument(help: "The text.")
    var text: String

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).change(EditCall(message: message, text: text))
    }
}
