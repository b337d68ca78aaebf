import MeshDoctor

/// All findings, as a command prints them.
struct DoctorReport: Encodable {
    /// Units: columns of the whole report.
    private static let width = 100
    /// Units: columns that sentences have at least.
    private static let leastTextWidth = 50

    let findings: [Finding]
    let hints: Int
    let problems: Int

    init(_ findings: [Finding]) {
        self.findings = findings
        hints = findings.count { $0.severity == .hint }
        problems = findings.count { $0.severity == .problem }
    }

    /// The exit status: that of the first area with a problem, in the order of areas.
    var status: ExitStatus {
        let wrong = findings.filter { $0.severity == .problem }.map(\.cause.area)
        return switch Finding.Area.allCases.first(where: wrong.contains) {
        case .network, .neighbours, .hub: .unavailable
        case .cryptography, .clock: .failed
        case .home: .refused
        case nil: .done
        }
    }

    /// Formats the findings by area, in columns; `coloured` highlights the parts that matter.
    func lines(coloured: (String, Console.Colour) -> String) -> [String] {
        let subjectWidth = findings.map { DisplayText.width(DisplayText.safe($0.subject)) }.max() ?? 0
        var lines: [String] = []
        for area in Finding.Area.allCases {
            let own = findings.filter { $0.cause.area == area }
            guard !own.isEmpty else { continue }
            lines.append(coloured(area.title, .bold))
            lines += own.flatMap { self.lines(of: $0, subjectWidth: subjectWidth, coloured: coloured) } + [""]
        }
        return lines + [summary]
    }

    private var summary: String {
        let parts = [(problems, "problem"), (hints, "hint")].filter { $0.0 > 0 }
        guard !parts.isEmpty else { return "All is well." }
        return parts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ") + "."
    }

    private func lines(
        of finding: Finding,
        subjectWidth: Int,
        coloured: (String, Console.Colour) -> String
    ) -> [String] {
        let (mark, colour): (String, Console.Colour) =
            switch finding.severity {
            case .ok: ("ok", .green)
            case .hint: ("hint", .yellow)
            case .problem: ("PROBLEM", .red)
            }
        let subject = DisplayText.padded(DisplayText.safe(finding.subject), to: subjectWidth)
        let head = "  \(coloured(DisplayText.padded(mark, to: 7), colour))  \(subject)  "
        let indent = String(repeating: " ", count: 13 + subjectWidth)
        let width = max(Self.leastTextWidth, Self.width - indent.count)
        var lines = Self.wrapped(DisplayText.safe(finding.what), width: width)
        lines = lines.enumerated().map { ($0 == 0 ? head : indent) + $1 }
        for (label, text) in [("Why:  ", finding.why), ("Fix:  ", finding.mend)] {
            guard let text else { continue }
            let rows = Self.wrapped(DisplayText.safe(text), width: width - label.count)
            lines += rows.enumerated().map { number, row in
                indent + (number == 0 ? coloured(label, .dim) : "      ") + row
            }
        }
        return lines
    }

    /// Breaks a text into lines of at most `width` columns, except for longer words.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, DisplayText.width(last) + 1 + DisplayText.width(String(word)) <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension Finding.Area {
    fileprivate var title: String {
        switch self {
        case .network: "Network"
        case .neighbours: "Neighbours"
        case .cryptography: "Cryptography"
        case .home: "Data directory"
        case .clock: "Clock"
        case .hub: "Hub"
        }
    }
}
