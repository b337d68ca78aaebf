/// The measurements of all contenders, as `mesh-bench peers` prints them.
struct PeersReport: Codable, Sendable {
    /// One contender and its figures of every round.
    struct Row: Codable, Sendable {
        let sheet: ContenderSheet
        /// The figures of each round; one that could not be measured is missing.
        var rounds: [[PeerFigure: Double]] = []
        /// The reasons why figures are missing.
        var failures: [String] = []
        /// The medians and ends of all rounds.
        var figures: [PeerFigure: PeerSpread] = [:]
        /// The number of times that Earshot is better, round by round, by the form that does the nearest to the same.
        var ratios: [PeerFigure: PeerSpread] = [:]
    }

    /// A peer that could not be installed.
    struct Absence: Codable, Sendable {
        let name: String
        let reason: String
    }

    /// The command and its options.
    let command: String
    var machine = Machine.current
    let work: PeerWork
    /// The load at the end of each round; the bench itself is part of it.
    var loads: [Double] = []
    /// Earshot's forms first.
    var rows: [Row]
    var absences: [Absence]

    private enum CodingKeys: String, CodingKey {
        case command, machine, work, loads, rows, absences
    }

    init(command: String, work: PeerWork, contenders: [any Contender], absences: [Absence]) {
        self.command = command
        self.work = work
        rows = contenders.map { Row(sheet: $0.sheet) }
        self.absences = absences
    }

    /// Computes medians and ratios from the rounds.
    mutating func sumUp() {
        var forms: [EarshotForm: Row] = [:]
        for form in EarshotForm.allCases { forms[form] = rows.first { $0.sheet.name == form.sheet.name } }
        for index in rows.indices {
            let row = rows[index]
            for figure in PeerFigure.allCases {
                rows[index].figures[figure] = PeerSpread(row.rounds.compactMap { $0[figure] })
                guard let earshot = forms[row.sheet.beside], earshot.sheet.name != row.sheet.name else { continue }
                let ratios = zip(earshot.rounds, row.rounds).compactMap { own, other -> Double? in
                    guard let own = own[figure], let other = other[figure], own > 0, other > 0 else { return nil }
                    return figure.isRate ? own / other : other / own
                }
                rows[index].ratios[figure] = PeerSpread(ratios)
            }
        }
    }
}
