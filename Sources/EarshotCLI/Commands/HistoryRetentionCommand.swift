import ArgumentParser
import EarshotRPC

/// Shows or sets the retention limits.
struct HistoryRetentionCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep",
        abstract: "Show or set the limits of the history. Beyond a limit the oldest messages are deleted.",
        discussion: """
            Without limits, shows the present ones. New limits replace all earlier ones. They apply to all \
            conversations without limits of their own, or to one conversation. Messages are deleted on this node \
            only, with their attachments. Messages that came while no node ran are deleted as soon as a node runs.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(help: "Keep messages for so many days.")
    var days: Int?

    @Option(help: "Keep so many messages.")
    var messages: Int?

    @Option(help: "Keep so many bytes of texts and attachments.")
    var bytes: Int?

    @Flag(help: "Keep everything.")
    var forever = false

    @Option(help: "The conversation. Default: all conversations without limits of their own.")
    var conversation: String?

    @Flag(help: "Use the limits of all conversations for this one again.")
    var asAll = false

    private var hasLimits: Bool { days != nil || messages != nil || bytes != nil }

    func validate() throws {
        for (name, value) in [("--days", days), ("--messages", messages), ("--bytes", bytes)] {
            guard let value, !(1...(1 << 53)).contains(value) || name == "--days" && value > 36_500 else { continue }
            throw ValidationError("\(name) is at least 1\(name == "--days" ? " and at most 36500" : "").")
        }
        guard [hasLimits, forever, asAll].count(where: { $0 }) <= 1 else {
            throw ValidationError("Give limits, --forever or --as-all.")
        }
        guard !asAll || conversation != nil else { throw ValidationError("--as-all needs --conversation.") }
    }

    func perform(_ console: Console) async throws {
        let call = RetentionCall(
            conversation: conversation,
            age: days.map { Double($0) * 86_400 },
            messages: messages,
            bytes: bytes,
            forever: forever ? true : nil,
            own: asAll ? false : nil
        )
        try await HomeAccess(global, console).withNode { caller in
            let kept = try await caller.call(call)
            try console.result(kept, [Self.line(kept, of: conversation)])
        }
    }

    static func line(_ kept: RetentionReply, of conversation: String?) -> String {
        let limits = [
            kept.age.map { TimeText.span(seconds: $0) }, kept.messages.map { "\($0) messages" },
            kept.bytes.map { FileProgress.size($0) },
        ].compactMap(\.self)
        let amount = limits.isEmpty ? "Everything is kept" : "Kept at most: " + limits.joined(separator: ", ")
        let place = conversation.map { DisplayText.safe($0) + (kept.own ? "" : ", same as all conversations") }
        return "\(amount) (\(place ?? "all conversations without limits of their own"))."
    }
}
