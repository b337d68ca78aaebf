import ArgumentParser
import Earshot
import EarshotRPC
import Foundation

/// Erases a conversation, or everything.
struct EraseCommand: FaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase a conversation from this machine, or everything.",
        discussion: """
            What opens it goes first, within milliseconds, then all the rest; should the machine stop in between, the next \
            command finishes it. Nobody else is told, and what others have they keep. --everything needs no passphrase: it \
            takes identity, contacts, history and files, and ends a node that runs. Copies that you saved elsewhere stay.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(help: "The conversation: a nickname, a peer id or the beginning of one; group:TITLE or room:TITLE.")
    var conversation: String?

    @Flag(help: "Everything in the home.")
    var everything = false

    @OptionGroup var confirmation: Confirmation

    func validate() throws {
        guard (conversation != nil) != everything else {
            throw ValidationError("Say what to erase: --conversation WHO, or --everything.")
        }
    }

    func perform(_ console: Console) async throws {
        let home = HomeAccess(global, console)
        guard let conversation else { return try await eraseEverything(in: home.directory, console) }
        try confirm("the conversation with \(DisplayText.safe(conversation))")
        try await home.withNode { caller in
            try console.result(try await caller.call(EraseCall(conversation: conversation)), ["It is erased."])
        }
    }

    private func eraseEverything(in directory: HomeDirectory, _ console: Console) async throws {
        try confirm("everything in \(directory.url.path)")
        let text = "Nothing is left of \(directory.url.path)."
        if let client = try await directory.connect() {
            let outcome = await HomeAccess.outcome {
                try console.result(try await client.call(EraseCall()), [text])
            }
            await client.close()
            return try outcome.get()
        }
        try ChatNode.destroy(directory.url)
        try console.result(EmptyReply(), [text])
    }

    private func confirm(_ what: String) throws {
        try confirmation.ask("Erase \(what)? It cannot be brought back.", otherwise: "Nothing was erased.")
    }
}
