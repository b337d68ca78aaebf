import ArgumentParser
import EarshotRPC

/// Checks the stored records for changes that Earshot did not make.
struct HistoryCheckCommand: FaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look through all that is kept for what something other than Earshot has changed.",
        discussion: """
            Every record is compared with the sums that were written with it, and opened. What was removed, added, moved, \
            swapped or put back is told, as it is by `status`, until it is accepted; nothing is repaired. Ends with 65 \
            where something was changed.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Take what is there now for what is to be there; messages that do not open are deleted.")
    var accept = false

    @OptionGroup var confirmation: Confirmation

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).withNode(tellsTampering: false) { caller in
            let report = try await caller.call(HistoryCheckCall())
            guard accept, !report.signs.isEmpty else {
                try console.result(report, Self.lines(report))
                if !report.signs.isEmpty { throw ExitCode(ExitStatus.badData.rawValue) }
                return
            }
            for line in Self.lines(report) { console.note(line) }
            let question = "Take the history as it is? This cannot be taken back."
            try confirmation.ask(question, otherwise: "Nothing was accepted.")
            let accepted = try await caller.call(HistoryCheckCall(accept: true))
            let deleted = accepted.deleted.map { " \($0) messages that do not open were deleted." } ?? ""
            try console.result(accepted, ["The history counts as it is now.\(deleted)"])
        }
    }

    static func lines(_ report: HistoryReportReply) -> [String] {
        guard !report.signs.isEmpty else {
            return ["Nothing was changed: \(report.records ?? 0) records are what was written."]
        }
        return ["Something other than Earshot has changed what is kept in this home:"]
            + report.signs.map { "  " + Self.line($0) }
            + [
                "Restore a backup of the whole home, or take it as it is with `history check --accept`."
            ]
    }

    private static func line(_ sign: HistoryReportReply.Sign) -> String {
        let place = sign.conversation.map { "messages with \($0.prefix(8))" } ?? sign.table ?? "records"
        return switch sign.kind {
        case "rolledBack":
            "The whole history was put back to an earlier state (step \(sign.found) of \(sign.expected))."
        case "anchorMissing": "The file `anchor` is gone."
        case "anchorDamaged": "The file `anchor` was changed."
        case "anchorForeign":
            "The file `anchor` is that of another state of the history (step \(sign.expected), not \(sign.found))."
        case "sumsMissing": "The sums over all records are gone."
        case "sumsChanged": "The sums over all records were changed."
        case "recordsUnreadable": "\(place): \(sign.expected) do not open."
        default:
            sign.expected == sign.found
                ? "\(place): moved, swapped or put back."
                : "\(place): \(sign.found) are there, \(sign.expected) should be."
        }
    }
}
