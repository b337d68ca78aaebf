import Foundation
import MeshCore
import MeshSimulation

/// The result of a simulation as text.
enum SimulationText {
    /// Formats the setup of the simulation, its figures, and the incidents of the scenario.
    static func lines(_ result: ScenarioResult) -> [String] {
        let output = SimulationOutput(result)
        var lines = [NamedScenario(output.scenario)?.summary ?? output.scenario, ""]
        var mesh = Table()
        mesh.add("Nodes", "\(output.nodes)")
        mesh.add("Links", "\(output.links), \(decimal(result.overlay.meanDegree, digits: 1)) a node")
        mesh.add("Loss", part(output.loss))
        mesh.add("Messages", "\(output.messages)")
        guard let figures = output.figures else {
            mesh.add("Trace", output.trace)
            return lines + mesh.lines + [""] + FigureText.lines(result)
        }
        if let calm = output.withoutSpam {
            lines += mesh.lines + [""] + comparison(figures, calm).lines
        } else {
            for row in rows(figures) { mesh.add(row.name, row.value) }
            for row in incidents(result) { mesh.add(row.name, row.value) }
            mesh.add("Trace", output.trace)
            lines += mesh.lines
        }
        if !result.scenario.bar.isEmpty { lines += [""] + FigureText.lines(result) }
        return lines
    }

    private typealias Row = (name: String, value: String)

    /// Formats the incidents of the scenario.
    private static func incidents(_ result: ScenarioResult) -> [Row] {
        var rows: [Row] = []
        if result.scenario.linking == .discovered {
            let moment = result.timeToOneComponent.map { "after \(time($0 / .seconds(1)))" }
            rows.append(("One component", moment ?? "never"))
        }
        if !result.crashedHosts.isEmpty { rows.append(("Switched off", "\(result.crashedHosts.count) nodes")) }
        let changes = result.scenario.events.map(\.change)
        let isJoined = changes.contains { if case .connect = $0 { true } else { false } }
        if isJoined || !result.crashedHosts.isEmpty {
            let name = isJoined ? "All known after link" : "All reached again"
            let moment = result.recovery.map { "after \(time($0 / .seconds(1)))" }
            rows.append((name, moment ?? "not while it ran"))
        }
        return rows
    }

    private static func rows(_ figures: SimulationOutput.Statistics) -> [Row] {
        let drops = figures.drops.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return [
            ("Coverage", "\(part(figures.coverage)), \(figures.copies) of \(figures.copies + figures.missed) copies"),
            ("Tx/rx", decimal(figures.txPerRx, digits: 2)),
            ("Control/rx", decimal(figures.controlPerRx, digits: 2)),
            ("Latency p50", figures.latency.map { time($0.p50) } ?? "-"),
            ("Latency p99", figures.latency.map { time($0.p99) } ?? "-"),
            ("Latency max", figures.latency.map { time($0.max) } ?? "-"),
            ("Hops p50", figures.hops.map { "\($0.p50)" } ?? "-"),
            ("Hops p99", figures.hops.map { "\($0.p99)" } ?? "-"),
            ("Hops max", figures.hops.map { "\($0.max)" } ?? "-"),
            ("Dropped", drops.isEmpty ? "nothing" : drops.joined(separator: ", ")),
        ]
    }

    /// Makes a table of the figures with spam beside those without.
    private static func comparison(_ flooded: SimulationOutput.Statistics, _ calm: SimulationOutput.Statistics) -> Table
    {
        var table = Table(["", "WITH SPAM", "WITHOUT"])
        for (with, without) in zip(rows(flooded), rows(calm)) {
            // The figures of sent messages include spam that is passed on, which cannot be told apart.
            let isSent = with.name == "Tx/rx" || with.name == "Control/rx"
            table.add(with.name, isSent ? "-" : with.value, without.value)
        }
        return table
    }

    private static func time(_ seconds: Double) -> String { TimeText.roundTrip(seconds) }

    static func part(_ part: Double) -> String {
        // Rounding never turns a part into a whole.
        let percent = part < 1 ? min(part * 100, 99.99) : 100
        let text = decimal(percent, digits: 2)
        return "\(text.replacing(/\.?0+$/, with: "")) %"
    }

    static func decimal(_ value: Double, digits: Int) -> String {
        String(format: "%.\(digits)f", value)
    }
}
