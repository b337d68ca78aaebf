import ArgumentParser
import Earshot
import EarshotRPC
import Foundation

/// Saves a file of a message.
struct MediaCommand: FaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "media",
        abstract: "Save a file, picture or voice note of a message.",
        discussion: """
            `history show WHO --ids` has the ids of messages. Nothing is overwritten. A file that is not here, of what was \
            written to a group before you came, or one that there was no room for, is fetched first by a running node, from \
            whoever has it.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The message's id.")
    var message: String

    @Option(help: "Which of its files, the first being 1.")
    var number = 1

    @Option(help: "The folder for the copy; `media` in the home, or that of a room, if left out.")
    var to: String?

    @Option(help: "How long to wait for a file that is fetched without any of it coming; as 500ms, 30s, 2m or 1h.")
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
                throw CommandFailure(.unavailable, "\(error.message) A running node fetches it: start `earshot node`.")
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
