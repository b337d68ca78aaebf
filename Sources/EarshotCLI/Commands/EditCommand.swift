import ArgumentParser
import EarshotRPC

/// Replaces the text of an own message.
struct EditCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Replace the text of one of your messages. Its readers can still see earlier versions.",
        discussion: "`history show WHO --ids` shows the ids of messages."
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The message's id.")
    var message: String

    @Argument(help: "The text, or - for standard input. Default: standard input, unless it is a terminal.")
    var text: String?

    @OptionGroup var textFile: TextFileArguments

    func validate() throws {
        guard text == nil || textFile.file == nil else { throw ValidationError("Give either a text or a --text-file.") }
    }

    func perform(_ console: Console) async throws {
        let text = try TypedText.needed(text, file: textFile.file)
        try await HomeAccess(global, console).change(EditCall(message: message, text: text))
    }
}
