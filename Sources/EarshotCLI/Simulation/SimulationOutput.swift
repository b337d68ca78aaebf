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
        let bans: Int
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
    let figures: Statistics
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
        figures = Statistics(result.statistics)
        withoutSpam = result.statisticsWithoutSpam.map(Statistics.init)
        oneComponent = result.timeToOneComponent.map(\.fractionalSeconds)
        switchedOff = result.crashedHosts.count
        recovery = result.recovery.map(\.fractionalSeconds)
        virtualSeconds = result.virtualTime.fractionalSeconds
        events = result.eventCount
        let digits = String(result.traceHash, radix: 16)
        trace = String(repeating: "0", count: 16 - digits.count) + digits
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
        bans = figures.banCount
    }
}
