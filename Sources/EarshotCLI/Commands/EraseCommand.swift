import ArgumentParser
import Earshot
import EarshotRPC
import Foundation

/// Erases a conversation, or everything.
struct EraseCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase a conversation from this machine, or everything.",
        discussion: """
            The keys are destroyed first, within milliseconds, then everything else is removed. If the machine stops \
            in between, the next command finishes the erasure. Others are not notified and keep their copies. \
            --everything needs no passphrase: it removes identity, contacts, history and attachments, and ends a \
            running node. Copies that you saved elsewhere stay.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(help: "The conversation: a nickname, a peer id or the beginning of one; group:TITLE or room:TITLE.")
    var conversation: String?

    @Flag(help: "Erase the whole data directory.")
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
            try console.result(
                try await caller.call(EraseCall(conversation: conversation)),
                ["The conversation is erased."]
            )
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
        try confirmation.ask("Erase \(what)? This cannot be undone.", otherwise: "Nothing was erased.")
    }
}
