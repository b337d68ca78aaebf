import ArgumentParser
import Earshot
import EarshotRPC

/// Shows and manages the history.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Read, search, export, limit and check the history.",
        subcommands: [
            List.self, Show.self, Search.self, Export.self, Import.self, HistoryRetentionCommand.self,
            HistoryReceiptsCommand.self, HistoryDeleteCommand.self, HistoryCheckCommand.self,
        ]
    )

    @OptionGroup var global: GlobalOptions
}

extension HistoryCommand {
    /// Lists the conversations.
    struct List: ConsoleCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the conversations.")

        @OptionGroup var global: GlobalOptions

        func perform(_ console: Console) async throws {
            try await HomeAccess(global, console).withNode { caller in
                let conversations = try await caller.call(ConversationsCall())
                let own = console.isJSON ? [] : try await Self.own(caller, in: conversations)
                try console.result(conversations, Self.lines(conversations, own: own))
            }
        }

        /// Returns the ids of this node: in rooms it has one of its own for each.
        private static func own(
            _ caller: any RPCCaller,
            in conversations: [ConversationReply]
        ) async throws -> Set<String> {
            let id = try await caller.call(StatusCall()).id
            guard conversations.contains(where: { $0.kind == "room" }) else { return [id] }
            return Set(try await caller.call(RoomsCall()).compactMap(\.own) + [id])
        }

        static func lines(_ conversations: [ConversationReply], own: Set<String>) -> [String] {
            guard !conversations.isEmpty else { return ["You have no conversations yet."] }
            var table = Table(["WITH", "UNREAD", "LAST", "TEXT"])
            for conversation in conversations {
                table.add(
                    (conversation.kind == "direct" ? "" : conversation.kind + ":") + conversation.title
                        + (conversation.request ? " (request)" : "")
                        + (conversation.pinned == true ? " (pinned)" : ""),
                    String(conversation.unread),
                    conversation.last.map { TimeText.moment($0.receivedAt) } ?? "-",
                    conversation.last.map { Self.beginning(of: SummaryText.line($0, in: conversation.kind, own: own)) }
                        ?? ""
                )
            }
            return table.lines
        }

        private static func beginning(of text: String) -> String {
            let line = text.prefix { !$0.isNewline }
            return line.count <= 40 && line.endIndex == text.endIndex ? String(line) : line.prefix(40) + "…"
        }
    }

    /// Shows one conversation.
    struct Show: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a conversation, oldest message first; with --json, one message per line.",
            discussion: "In a direct conversation, the messages that are shown count as read."
        )

        @OptionGroup var global: GlobalOptions

        @Argument(help: "A nickname, a peer id or the beginning of one; group:TITLE or room:TITLE.")
        var who: String

        @Option(help: "The largest number of messages.")
        var limit = 50

        @Option(help: "Show messages before \(EdgeArgument.help).")
        var before: EdgeArgument?

        @Option(help: "Show the oldest messages after \(EdgeArgument.help).")
        var after: EdgeArgument?

        @Flag(help: "Show the ids of messages, for `react`, `edit`, `delete`, `vote` and --reply-to.")
        var ids = false

        func validate() throws {
            guard limit > 0 else { throw ValidationError("--limit is at least 1.") }
        }

        func perform(_ console: Console) async throws {
            try await HomeAccess(global, console).withNode { caller in
                let pages = HistoryPages(conversation: who, caller: caller)
                let messages = try await pages.messages(limit, after: after?.text, before: before?.text)
                let isNotifiedOf = messages.contains { $0.system != nil }
                let kind = try await isNotifiedOf ? self.kind(caller, of: messages) : nil
                let nameWidth = messages.map { DisplayText.width(DisplayText.safe($0.fromName)) }.max() ?? 0
                for message in messages {
                    let lines = MessageText.lines(message, console, kind: kind ?? "group", nameWidth: nameWidth)
                    try console.result(message, (ids ? [console.coloured(message.id, .dim)] : []) + lines)
                }
                if console.isJSON { return }
                if messages.isEmpty { console.line("There are no messages.") }
                _ = try await caller.call(MarkReadCall(conversation: who))
            }
        }

        /// Returns the kind of the conversation that the messages belong to.
        private func kind(_ caller: any RPCCaller, of messages: [MessageReply]) async throws -> String? {
            let conversations = try await caller.call(ConversationsCall())
            return conversations.first { $0.id == messages.first?.conversation }?.kind
        }
    }
}
