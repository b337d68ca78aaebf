import Earshot
import EarshotRPC
import MeshCore
import MeshSimulation

/// A simulation as programs read it.
///
/// What does not apply to its scenario is left out.
/// Units: seconds, where a time is meant.
struct SimulationOutput: Encodable, Equatable {
    /// Sums over all messages.
    struct Figures: Encodable, Equatable {
        /// First copies that came.
        let copies: Int
        /// Copies that could have come and did not.
        let missed: Int
        /// The part of all copies due that came.
        let coverage: Double
        let txPerRx: Double
        let controlPerRx: Double
        let latency: Percentiles<Double>?
        let hops: Percentiles<Int>?
        /// By reason.
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
    let figures: Figures
    let withoutSpam: Figures?
    /// From the start of all nodes until links connected them; only where links were discovered.
    let oneComponent: Double?
    let switchedOff: Int
    /// From the last death or new link until everything written before was everywhere.
    let recovery: Double?
    /// What passed in the mesh.
    let virtualSeconds: Double
    let events: Int
    /// Equal for equal runs.
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
        figures = Figures(result.figures)
        withoutSpam = result.figuresWithoutSpam.map(Figures.init)
        oneComponent = result.timeToOneComponent.map(\.fractionalSeconds)
        switchedOff = result.crashedHosts.count
        recovery = result.recovery.map(\.fractionalSeconds)
        virtualSeconds = result.virtualTime.fractionalSeconds
        events = result.eventCount
        let digits = String(result.traceHash, radix: 16)
        trace = String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension SimulationOutput.Figures {
    init(_ figures: ScenarioFigures) {
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
