import ArgumentParser
import EarshotRPC

/// Checks the stored records for changes that Earshot did not make.
struct HistoryCheckCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the history for changes by anything other than Earshot.",
        discussion: """
            Opens every record and compares it with the integrity digests. Records that were removed, added, moved, \
            swapped or put back are listed here and by `status` until you accept the changes. Nothing is repaired. \
            The exit status is 65 if something was changed.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Accept the present state. Messages that do not open are deleted.")
    var accept = false

    @OptionGroup var confirmation: Confirmation

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).withNode(notifiesTampering: false) { caller in
            let report = try await caller.call(HistoryCheckCall())
            guard accept, !report.signs.isEmpty else {
                try console.result(report, Self.lines(report))
                if !report.signs.isEmpty { throw ExitCode(ExitStatus.badData.rawValue) }
                return
            }
            for line in Self.lines(report) { console.note(line) }
            let question = "Accept the history as it is? This cannot be undone."
            try confirmation.ask(question, otherwise: "Nothing was accepted.")
            let accepted = try await caller.call(HistoryCheckCall(accept: true))
            let deleted = accepted.deleted.map { " \($0) messages that do not open were deleted." } ?? ""
            try console.result(accepted, ["The present state of the history is accepted.\(deleted)"])
        }
    }

    static func lines(_ report: HistoryReportReply) -> [String] {
        guard !report.signs.isEmpty else {
            return ["Nothing was changed. All \(report.records ?? 0) records are as Earshot wrote them."]
        }
        return ["Something other than Earshot has changed the history in this data directory:"]
            + report.signs.map { "  " + Self.line($0) }
            + [
                "Restore a backup of the whole data directory, or accept the changes with `history check --accept`."
            ]
    }

    private static func line(_ sign: HistoryReportReply.Sign) -> String {
        let place = sign.conversation.map { "messages with \($0.prefix(8))" } ?? sign.table ?? "records"
        return switch sign.kind {
        case "rolledBack":
            "The whole history was put back to an earlier state (step \(sign.found) of \(sign.expected))."
        case "anchorMissing": "The file `anchor` is missing."
        case "anchorDamaged": "The file `anchor` was changed."
        case "anchorForeign":
            "The file `anchor` belongs to another state of the history (step \(sign.expected), not \(sign.found))."
        case "sumsMissing": "The integrity digests of all records are missing."
        case "sumsChanged": "The integrity digests of all records were changed."
        case "recordsUnreadable": "\(place): \(sign.expected) do not open."
        default:
            sign.expected == sign.found
                ? "\(place): moved, swapped or put back."
                : "\(place): \(sign.found) found, \(sign.expected) expected."
        }
    }
}
