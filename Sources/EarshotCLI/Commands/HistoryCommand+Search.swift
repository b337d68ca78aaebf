import ArgumentParser
import Earshot
import EarshotRPC

extension HistoryCommand {
    /// Searches the messages.
    struct Search: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "search",
            abstract: "Search messages, newest first; with --json, one message per line.",
            discussion: """
                Finds messages that contain all words, without regard to case and accents. The last word may be the \
                beginning of a word, and so may any word with a * behind it; "words in quotation marks" are a \
                phrase. The search covers names of files, and questions and options of polls. No search index is on \
                the disk: the first search reads all messages into memory, which the node keeps until it stops.
                """
        )

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The words; '' if the options are enough, - for standard input.")
        var query: String

        @Option(name: .customLong("in"), help: "Search this conversation only: WHO, group:TITLE or room:TITLE.")
        var conversation: String?

        @Option(help: "Search messages of this contact only, or of this member of the room of --in.")
        var from: String?

        @Option(help: "Search messages of this kind only: text, emoji, image, voice, file, poll or system.")
        var kind: String?

        @Option(help: "Search messages of this time or later: \(MomentArgument.help).")
        var after: MomentArgument?

        @Option(help: "Search messages before this time, given likewise.")
        var before: MomentArgument?

        @Option(help: "The largest number of messages.")
        var limit = 20

        @Flag(help: "Show the ids of messages, for `react`, `edit`, `delete` and `history show --before`.")
        var ids = false

        func validate() throws {
            guard (1...RPCLimits.historyPageCount).contains(limit) else {
                throw ValidationError("--limit is 1 to \(RPCLimits.historyPageCount).")
            }
        }

        func perform(_ console: Console) async throws {
            let query = try TypedText.read(query)
            try await HomeAccess(global, console).withNode { caller in
                let hits = try await find(query, caller, console)
                let titles = try await caller.call(ConversationsCall()).reduce(into: [:]) { titles, conversation in
                    titles[conversation.id] =
                        (conversation.kind == "direct" ? "" : conversation.kind + ":") + conversation.title
                }
                for hit in hits {
                    let lines = SearchHitText.lines(hit, in: titles[hit.message.conversation], console)
                    try console.result(hit, (ids ? [console.coloured(hit.message.id, .dim)] : []) + lines)
                }
                if hits.isEmpty, !console.isJSON { console.line("Nothing was found.") }
                let unsearched = try await caller.call(SearchProgressCall()).unsearched
                if unsearched > 0, conversation == nil {
                    console.note(
                        "\(unsearched) older messages were not searched; --in WHO searches all of one conversation."
                    )
                }
            }
        }

        /// Finds the newest hits that fit one answer.
        private func find(
            _ query: String,
            _ caller: any RPCCaller,
            _ console: Console
        ) async throws -> [SearchHitReply] {
            var call = SearchCall(query)
            (call.conversation, call.from, call.kind) = (conversation, from, kind)
            (call.after, call.before) = (after?.date, before?.date)
            // This call does not wait, so that the number of messages to read is shown before the wait.
            (call.limit, call.wait) = (1, false)
            _ = try await caller.call(call)
            let progress = try await caller.call(SearchProgressCall())
            if !progress.complete { console.progress("reading \(progress.total - progress.done) messages …") }
            defer { console.endProgress() }
            (call.limit, call.wait) = (limit, true)
            while true {
                do throws(RPCError) {
                    return try await caller.call(call)
                } catch {
                    guard error.kind == .tooLarge, let tried = call.limit, tried > 1 else { throw error }
                    call.limit = tried / 2
                    console.note("The messages are long: at most the newest \(tried / 2) are shown.")
                }
            }
        }
    }
}
