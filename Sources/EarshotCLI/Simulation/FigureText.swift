import Foundation
import MeshSimulation

/// The figures of a scenario beside its bar, as text.
enum FigureText {
    /// Formats the figures, the airtime and the verdict.
    ///
    /// Of a run over simulated links only the figures of the bar are formatted.
    static func lines(_ result: ScenarioResult) -> [String] {
        let limits = result.scenario.bar
        let barred = Set(limits.map(\.figure))
        var table = Table(["FIGURE", "MEASURED", "BAR", ""] + (result.calmFigures == nil ? [] : ["WITHOUT ATTACK"]))
        for figure in ScenarioFigure.allCases {
            guard barred.contains(figure) || isTelling(figure, result) else { continue }
            let limit = limits.first { $0.figure == figure }
            let measured = text(result.figures[figure], figure)
            let (bar, mark) = (limit.map(text) ?? "", limit.map { $0.allows(result.figures[figure]) ? "" : "missed" })
            if let calm = result.calmFigures {
                table.add(title(figure), measured, bar, mark ?? "", text(calm[figure], figure))
            } else {
                table.add(title(figure), measured, bar, mark ?? "")
            }
        }
        return table.lines + chart(result) + ["", verdict(result)]
    }

    /// Whether a figure that has no limit is worth a line: of an attack, only one that the attack changed.
    private static func isTelling(_ figure: ScenarioFigure, _ result: ScenarioResult) -> Bool {
        guard result.scenario.linking == .whole, let value = result.figures[figure] else { return false }
        guard let calm = result.calmFigures, figure != .delivered else { return true }
        return value != calm[figure] ?? 0
    }

    /// Formats whether the run is within its bar.
    static func verdict(_ result: ScenarioResult) -> String {
        let missed = result.missedLimits.map { title($0.figure).lowercased() }
        return missed.isEmpty ? "Within the bar." : "Outside the bar: \(missed.joined(separator: ", "))."
    }

    /// Draws the airtime by cause.
    private static func chart(_ result: ScenarioResult) -> [String] {
        guard let shares = result.airtimeShares else { return [] }
        var table = Table()
        let largest = max(shares.map(\.share).max() ?? 0, 0.000_001)
        for (cause, share) in shares {
            let bar = (0..<chartWidth).filter { Double($0) < share / largest * Double(chartWidth) }.map { _ in "#" }
            table.add(cause.rawValue, SimulationText.part(share), bar.joined())
        }
        return ["", "Airtime of the channel by cause:"] + table.lines
    }

    private static func text(_ limit: ScenarioLimit) -> String {
        "at \(limit.side == .atLeast ? "least" : "most") \(text(limit.value, limit.figure))"
    }

    private static func text(_ value: Double?, _ figure: ScenarioFigure) -> String {
        guard let value else { return "-" }
        switch figure.unit {
        case .fraction: return SimulationText.part(value)
        case .seconds: return TimeText.roundTrip(value)
        case .microseconds: return "\(SimulationText.decimal(value, digits: 1)) us"
        case .times: return "\(SimulationText.decimal(value, digits: 2)) times"
        case nil: return SimulationText.decimal(value, digits: value == value.rounded() ? 0 : 2)
        }
    }

    /// The name of a figure in words, for example "Latency p99".
    private static func title(_ figure: ScenarioFigure) -> String {
        var title = ""
        var isAfterSmall = false
        for character in figure.rawValue {
            if character.isUppercase, isAfterSmall { title += " " }
            isAfterSmall = character.isLowercase
            title += title.isEmpty ? character.uppercased() : character.lowercased()
        }
        return title
    }

    private static let chartWidth = 40
}

extension ScenarioResult {
    /// The shares of the time for which the channel was used, by cause; nil without a channel.
    var airtimeShares: [(cause: Airtime.Cause, share: Double)]? {
        guard let airtime, measuredTime > .zero else { return nil }
        return Airtime.Cause.allCases.map { ($0, airtime[$0] / measuredTime) }
    }
}
