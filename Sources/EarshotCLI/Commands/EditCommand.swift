import ArgumentParser
import EarshotRPC

/// Replaces the text of an own message.
struct EditCommand: FaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Put another text in place of one of yours; what stood there stays visible to its readers.",
        discussion: "`history show WHO --ids` shows the ids of messages."
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The message's id.")
    var message: String

    @Argument(help: "The text, or - for standard input; without it, standard input where it is no terminal.")
    var text: String?

    @OptionGroup var textFile: TextFileArguments

    func validate() throws {
        guard text == nil || textFile.file == nil else { throw ValidationError("Either a text or a --text-file.") }
    }

    func perform(_ console: Console) async throws {
        let text = try TypedText.needed(text, file: textFile.file)
        try await HomeAccess(global, console).change(EditCall(message: message, text: text))
    }
}
