import Foundation

/// The report as a document in Markdown: ratios first, then figures, then what numbers do not say.
struct PeersDocument {
    let report: PeersReport

    var text: String {
        let sections = [head, ratios, figures, traits, confirmations, notes]
        return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private var others: [PeersReport.Row] { report.rows.filter { !$0.ratios.isEmpty } }

    private var head: String {
        let machine = report.machine
        let loads = report.loads.map { number($0) }.joined(separator: ", ")
        return """
            # Performance beside others

            `mesh-bench \(report.command)` wrote this document. It does the same work with Earshot and
            with others, in turns; rounds in one run: \(report.loads.count). Two network namespaces, joined by a pair of
            virtual Ethernet devices, are the two hosts; a group has \(report.work.receivers + 1) on one bridge. Each part
            has fresh processes.

            - Machine: \(machine.processor), \(machine.cores) cores, \(machine.system)
            - Date: \(machine.date); Earshot \(machine.earshot), \(machine.build) build
            - Load at the end of each round: \(loads). The bench itself is a part of it; other work on the
              machine is the rest, and makes rates lower and times longer for everybody.
            """
    }

    private var ratios: String {
        let rows = others.map { row in
            [row.sheet.name, row.sheet.beside.rawValue]
                + PeerFigure.allCases.map { figure in cell(row.ratios[figure]) }
        }
        return """
            ## Ratios

            The number of times that Earshot is better: above 1 Earshot is ahead, below 1 the other is. Each ratio is of
            two figures of one round; the median of all rounds, then the least and the most. "Beside" is the form of
            Earshot that does the nearest to the same.

            \(table(["peer", "beside"] + PeerFigure.allCases.map(\.ratioTitle), rows))
            """
    }

    private var figures: String {
        let rows = report.rows.map { row in
            [row.sheet.name] + PeerFigure.allCases.map { figure in cell(row.figures[figure]) }
        }
        return """
            ## Figures

            Medians, then the least and the most. A message is of 100 B and counts once its receiver has confirmed it,
            in a group once all \(report.work.receivers) receivers have: \(report.work.seconds) s for each rate, \
            \(report.work.roundTrips) round trips one after the other, a file of \(report.work.megabytes) MB
            from disk to disk. The first message is from the start of a node, its peer running; \
            \(report.work.idleSeconds) s of idle time begin 5 s
            after it. Memory is the sending process alone; with a driver in Python it includes the interpreter.

            \(table(["contender"] + PeerFigure.allCases.map(\.title), rows))
            """
    }

    private var traits: String {
        let rows = report.rows.map { row in
            [row.sheet.name] + PeerTrait.allCases.map { row.sheet.traits[$0] ?? "unknown" }
        }
        return """
            ## Properties

            Speed alone compares things that do not do the same.

            \(table(["contender"] + PeerTrait.allCases.map(\.title), rows))
            """
    }

    private var confirmations: String {
        let lines = report.rows.map { "- \($0.sheet.name): \($0.sheet.confirmation). Version: \($0.sheet.version)." }
        return "## Confirmations and versions\n\n" + lines.joined(separator: "\n")
    }

    private var notes: String {
        let absences = report.absences.map { "- \($0.name) could not be had: \($0.reason)" }
        let failures = report.rows.flatMap { row in row.failures.map { "- \(row.sheet.name): \($0)" } }
        let lines = absences + failures
        return lines.isEmpty ? "" : "## Missing\n\n" + lines.joined(separator: "\n")
    }

    private func table(_ head: [String], _ rows: [[String]]) -> String {
        ([head, head.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    private func cell(_ spread: PeerSpread?) -> String {
        guard let spread else { return "–" }
        guard spread.least < spread.most else { return number(spread.median) }
        return "\(number(spread.median)) (\(number(spread.least))–\(number(spread.most)))"
    }

    /// A number with three digits that count.
    private func number(_ value: Double) -> String {
        switch abs(value) {
        case 100...: Int(value.rounded()).formatted(.number.locale(Locale(identifier: "en_US")))
        case 10...: String(format: "%.1f", value)
        case 0.1...: String(format: "%.2f", value)
        default: String(format: "%.3f", value)
        }
    }
}

extension PeerFigure {
    /// The head of its column of ratios, which have no unit.
    fileprivate var ratioTitle: String { String(title.split(separator: ",")[0]) }
}
