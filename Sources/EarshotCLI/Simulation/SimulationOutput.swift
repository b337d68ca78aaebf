import Earshot
import EarshotRPC
import MeshCore
import MeshSimulation

/// The result of a simulation in JSON.
///
/// Fields that do not apply to its scenario are left out.
/// Units: seconds, for all times.
struct SimulationOutput: Encodable, Equatable {
    /// The sums over all messages.
    struct Statistics: Encodable, Equatable {
        /// The number of first copies that arrived.
        let copies: Int
        /// The number of copies that could have arrived and did not.
        let missed: Int
        /// The share of all expected copies that arrived.
        let coverage: Double
        let txPerRx: Double
        let controlPerRx: Double
        let latency: Percentiles<Double>?
        let hops: Percentiles<Int>?
        /// The number of dropped messages by reason.
        let drops: [String: Int]
    }

    /// One limit of the bar, with the figure that was measured.
    struct Limit: Encodable, Equatable {
        let figure: String
        let atLeast: Double?
        let atMost: Double?
        /// The measured value; left out if there was nothing to measure.
        let measured: Double?
        let within: Bool
    }

    struct Percentiles<Value: Encodable & Equatable>: Encodable, Equatable {
        let p50: Value
        let p99: Value
        let max: Value
    }

    let scenario: String
    let nodes: Int
    let links: Int
    let loss: Double
    let seed: UInt64
    let messages: Int
    /// Whether every figure is within the bar.
    let withinBar: Bool
    let bar: [Limit]
    /// The measured figures by name; times in seconds, shares from 0 to 1.
    let measured: [String: Double]
    /// The same figures without the adversary; only if there is one.
    let withoutAdversary: [String: Double]?
    /// The share of the time for which the channel was used, by cause; only on a channel.
    let airtime: [String: Double]?
    /// The sums over all messages; only if they go over simulated links.
    let figures: Statistics?
    let withoutSpam: Statistics?
    /// The time from the start of all nodes until links connected them; only if links were discovered.
    let oneComponent: Double?
    let switchedOff: Int
    /// The time from the last death or new link until everything written before had arrived everywhere.
    let recovery: Double?
    /// The time that passed in the mesh.
    let virtualSeconds: Double
    let events: Int
    /// The trace of the run, equal for equal runs.
    ///
    /// Shape: 16 hexadecimal digits.
    let trace: String

    init(_ result: ScenarioResult) {
        scenario = result.scenario.name
        nodes = result.scenario.topology.hostCount
        links = result.overlay.linkCount
        loss = result.scenario.loss
        seed = result.scenario.seed
        messages = result.messages.count
        withinBar = result.isWithinBar
        bar = result.scenario.bar.map { Limit($0, measured: result.figures[$0.figure]) }
        measured = Self.named(result.figures)
        withoutAdversary = result.calmFigures.map(Self.named)
        airtime = result.airtimeShares.map { shares in
            Dictionary(uniqueKeysWithValues: shares.map { ($0.cause.rawValue, $0.share) })
        }
        figures = result.scenario.linking == .whole ? nil : Statistics(result.statistics)
        withoutSpam = result.statisticsWithoutSpam.map(Statistics.init)
        oneComponent = result.timeToOneComponent.map(\.fractionalSeconds)
        switchedOff = result.crashedHosts.count
        recovery = result.recovery.map(\.fractionalSeconds)
        virtualSeconds = result.virtualTime.fractionalSeconds
        events = result.eventCount
        let digits = String(result.traceHash, radix: 16)
        trace = String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func named(_ figures: [ScenarioFigure: Double]) -> [String: Double] {
        Dictionary(uniqueKeysWithValues: figures.map { ($0.key.rawValue, $0.value) })
    }
}

extension SimulationOutput.Limit {
    init(_ limit: ScenarioLimit, measured: Double?) {
        figure = limit.figure.rawValue
        atLeast = limit.side == .atLeast ? limit.value : nil
        atMost = limit.side == .atMost ? limit.value : nil
        self.measured = measured
        within = limit.allows(measured)
    }
}

/// The names of `earshot simulate --list` in JSON.
struct ScenarioListOutput: Encodable, Equatable {
    /// One scenario.
    struct Entry: Encodable, Equatable {
        let name: String
        /// The sort: calm, air or attack.
        let kind: String
        /// The occasion on which it runs: gate or demand.
        let `where`: String
        let summary: String
    }

    let scenarios: [Entry]

    init() {
        scenarios = NamedScenario.allCases.map { scenario in
            Entry(
                name: scenario.name,
                kind: scenario.kind.rawValue,
                where: scenario.tier.rawValue,
                summary: scenario.summary
            )
        }
    }

    /// A line for each scenario.
    var lines: [String] {
        var table = Table(["NAME", "KIND", "WHERE", ""])
        for entry in scenarios { table.add(entry.name, entry.kind, entry.where, entry.summary) }
        return table.lines
    }
}

extension SimulationOutput.Statistics {
    init(_ figures: ScenarioStatistics) {
        copies = figures.arrivalCount
        missed = figures.missedCount
        coverage = figures.coverage
        txPerRx = figures.transmissionsPerArrival
        controlPerRx = figures.controlPerArrival
        latency = figures.latency.map { latency in
            .init(
                p50: latency.median.fractionalSeconds,
                p99: latency.percentile99.fractionalSeconds,
                max: latency.maximum.fractionalSeconds
            )
        }
        hops = figures.hops.map { .init(p50: $0.median, p99: $0.percentile99, max: $0.maximum) }
        drops = Dictionary(uniqueKeysWithValues: figures.drops.map { ($0.key.rawValue, $0.value) })
    }
}
