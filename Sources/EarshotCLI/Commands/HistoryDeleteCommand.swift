import ArgumentParser
import EarshotRPC

/// Deletes messages, or all messages of a conversation, on this node.
struct HistoryDeleteCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete messages, or all messages of a conversation, on this node only.",
        discussion: """
            Removes texts and attachments; contact, group and sessions stay. A message of yours that has not arrived \
            is still sent: `cancel` stops that. `delete MESSAGE --for-everyone` deletes on all nodes.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "Message ids of 32 digits, or conversations: nicknames, peer ids, group:TITLE.")
    var what: [String]

    @OptionGroup var confirmation: Confirmation

    func perform(_ console: Console) async throws {
        let messages = what.filter { EdgeArgument.isMessage($0) }
        let conversations = what.filter { !EdgeArgument.isMessage($0) }
        let names = conversations.map { DisplayText.safe($0) }.joined(separator: ", ")
        if !conversations.isEmpty {
            let question = "Delete all messages of \(names) on this node? This cannot be undone."
            try confirmation.ask(question, otherwise: "Nothing was deleted.")
        }
        try await HomeAccess(global, console).withNode { caller in
            for message in messages { _ = try await caller.call(DeleteCall(message: message, forEveryone: false)) }
            for conversation in conversations {
                _ = try await caller.call(HistoryDeleteCall(conversation: conversation))
            }
            try console.result(EmptyReply(), ["Deleted on this node."])
        }
    }
}
