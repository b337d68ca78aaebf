import ArgumentParser
import EarshotRPC

/// Shows or sets the retention limits.
struct HistoryKeepCommand: FaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep",
        abstract: "Show or set how much is kept: what is beyond a limit goes, the oldest first.",
        discussion: """
            Without limits it shows those that hold. New limits take the place of all earlier ones, and hold for all \
            conversations that have none of their own, or for one of them. What goes is gone on this node alone, with its \
            files; what came while no node ran goes as soon as one does.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(help: "Days that messages are kept.")
    var days: Int?

    @Option(help: "How many messages are kept.")
    var messages: Int?

    @Option(help: "How many bytes of texts and files are kept.")
    var bytes: Int?

    @Flag(help: "Keep everything.")
    var forever = false

    @Option(help: "The conversation it is for; else all that have no limits of their own.")
    var conversation: String?

    @Flag(help: "Let what holds for all conversations hold for this one again.")
    var asAll = false

    private var hasLimits: Bool { days != nil || messages != nil || bytes != nil }

    func validate() throws {
        for (name, value) in [("--days", days), ("--messages", messages), ("--bytes", bytes)] {
            guard let value, !(1...(1 << 53)).contains(value) || name == "--days" && value > 36_500 else { continue }
            throw ValidationError("\(name) is at least 1\(name == "--days" ? " and at most 36500" : "").")
        }
        guard [hasLimits, forever, asAll].count(where: { $0 }) <= 1 else {
            throw ValidationError("Give limits, --forever or --as-all, one of the three.")
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
        let place = conversation.map { DisplayText.safe($0) + (kept.own ? "" : ", as of all") }
        return "\(amount) (\(place ?? "all conversations without limits of their own"))."
    }
}
