import MeshCore

/// Whole nodes that discover each other until links connect them all.
struct ScenarioLinking {
    private var net: SimNet
    /// The time from the start until all hosts were connected; nil if they are not.
    private(set) var timeToOneComponent: Duration?

    init(_ scenario: Scenario) {
        let quality = SegmentQuality(jitter: .microseconds(500), loss: scenario.loss)
        net = SimNet(scenario.topology, seed: scenario.seed, quality: quality)
    }

    /// The links between the hosts.
    var overlay: SimOverlay {
        let links = net.neighbourhoods.enumerated().flatMap { host, others in others.map { (host, $0) } }
        return SimOverlay(hostCount: net.hostNumbers.count, links: links)
    }

    /// Switches all hosts on, and runs until they are connected or the time limit is reached.
    mutating func carryOut<Failure: Error>(
        _ report: (ScenarioProgress) throws(Failure) -> Void
    ) throws(Failure) {
        net.startAll()
        var time = Duration.zero
        while time < Self.limit {
            try report(ScenarioProgress(stage: .linking, fraction: time / Self.limit))
            time += Self.interval
            net.run(until: MeshInstant.zero.advanced(by: time))
            if net.isOneComponent {
                timeToOneComponent = time
                break
            }
        }
        // The picture also includes the links that are in progress when the last component is joined.
        net.run(for: Self.rest)
    }

    private static let interval: Duration = .milliseconds(10)
    private static let limit: Duration = .seconds(60)
    private static let rest: Duration = .seconds(1)
}
