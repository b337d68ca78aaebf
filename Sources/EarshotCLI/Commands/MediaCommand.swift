import ArgumentParser
import Earshot
import EarshotRPC
import Foundation

/// Saves a file of a message.
struct MediaCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "media",
        abstract: "Save an attachment of a message: a file, picture or voice note.",
        discussion: """
            `history show WHO --ids` shows the ids of messages. Nothing is overwritten. A running node first fetches \
            an attachment that is not here: one of a group message from before you joined, or one that had no room. \
            It asks the peers that have it.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The message's id.")
    var message: String

    @Option(help: "The number of the attachment, the first being 1.")
    var number = 1

    @Option(help: "The folder for the copy. Default: `media` in the data directory, or in that of a room.")
    var to: String?

    @Option(help: "The longest time to wait without progress, such as 500ms, 30s, 2m or 1h.")
    var timeout = SpanArgument(.seconds(30))

    func validate() throws {
        guard number >= 1 else { throw ValidationError("--number is 1 or more.") }
    }

    func perform(_ console: Console) async throws {
        let folder = to.map { URL(filePath: $0).absoluteURL.path }
        let call = MediaCall(message: message, index: number - 1, folder: folder)
        try await HomeAccess(global, console).withNode { caller in
            let copy = try await save(call, caller, console)
            try console.result(copy, [DisplayText.safe(copy.path)])
        }
    }

    /// Saves the file, and fetches it first if it is not here.
    private func save(
        _ call: MediaCall,
        _ caller: any RPCCaller,
        _ console: Console
    ) async throws -> MediaCall.Reply {
        do throws(RPCError) {
            return try await caller.call(call)
        } catch {
            guard error.data?.code == ChatError.Code.notHere.name else { throw error }
            guard caller is RPCClient else {
                throw CommandFailure(.unavailable, "\(error.message) Start `earshot node` to fetch it.")
            }
        }
        var fetch = MediaFetch(message: message, index: number - 1, caller: caller)
        fetch.show = { console.progress($0.line("file \($0.index + 1)")) }
        let outcome = await HomeAccess.outcome { [fetch] in try await fetch.run(within: timeout.duration) }
        console.endProgress()
        try outcome.get()
        return try await caller.call(call)
    }
}
