import ArgumentParser
import EarshotRPC
import Foundation

/// Saves a file that came with a message.
struct MediaCommand: FaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "media",
        abstract: "Save a file, picture or voice note of a message.",
        discussion: "`history show WHO --ids` has the ids of messages. Nothing is overwritten."
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The message's id.")
    var message: String

    @Option(help: "Which of its files, the first being 1.")
    var number = 1

    @Option(help: "The folder for the copy; `media` in the home, or that of a room, if left out.")
    var to: String?

    func validate() throws {
        guard number >= 1 else { throw ValidationError("--number is 1 or more.") }
    }

    func perform(_ console: Console) async throws {
        let folder = to.map { URL(filePath: $0).absoluteURL.path }
        try await HomeAccess(global, console).withNode { caller in
            let copy = try await caller.call(MediaCall(message: message, index: number - 1, folder: folder))
            try console.result(copy, [DisplayText.safe(copy.path)])
        }
    }
}
