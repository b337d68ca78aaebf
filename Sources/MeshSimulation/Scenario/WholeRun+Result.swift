import MeshCore

extension WholeRun {
    /// Runs a scenario of whole nodes, and again without its adversary.
    static func result<Failure: Error>(
        of scenario: Scenario,
        _ report: (ScenarioProgress) throws(Failure) -> Void
    ) throws(Failure) -> ScenarioResult {
        var run = try WholeRun(scenario, report)
        if scenario.isRising {
            let highest = try run.raiseLoad(report)
            var result = run.result
            result.figures[.messagesPerMinute] = highest
            return result
        }
        if scenario.adversary?.costsTime == true { run.timeFirstHost() }
        try run.carryOut(as: .running, report)
        var result = run.result
        guard let adversary = scenario.adversary else { return result }
        var calm = try WholeRun(scenario.withoutAdversary, report)
        if adversary.costsTime { calm.timeFirstHost() }
        try calm.carryOut(as: .comparing, report)
        let calmFigures = calm.figures
        result.calmFigures = calmFigures
        result.figures.merge(run.figures(beside: calm, calmFigures)) { $1 }
        return result
    }

    /// The result so far.
    private var result: ScenarioResult {
        let messages = messageResults
        let latencies = dueLatencies
        let drops = net.hosts.prefix(honestCount).reduce(into: [DropReason: Int]()) { drops, host in
            drops.merge(host.engine?.snapshot.drops ?? [:], uniquingKeysWith: +)
        }
        var result = ScenarioResult(
            scenario: scenario,
            overlay: overlay,
            messages: messages,
            statistics: ScenarioStatistics(
                messageCount: messages.count,
                arrivalCount: latencies.count,
                missedCount: messages.reduce(0) { $0 + $1.missedHosts.count },
                transmissionsPerArrival: 0,
                controlPerArrival: 0,
                latency: ScenarioStatistics.Percentiles(latencies),
                hops: nil,
                drops: drops
            ),
            timeToOneComponent: timeToOneComponent,
            crashedHosts: (0..<honestCount).filter { !net.hosts[$0].isOn },
            recovery: nil,
            virtualTime: MeshInstant.zero.duration(to: net.now),
            eventCount: net.eventCount,
            traceHash: net.traceHash
        )
        (result.figures, result.measuredTime) = (figures, elapsed)
        if scenario.channel != nil, let first = samples.first, let last = samples.last {
            result.airtime = last.busiestAirtime(since: first)
        }
        return result
    }

    /// Measures the real time that the attacked host takes from now on.
    private mutating func timeFirstHost() { net.watch.timedHost = 0 }

    /// The figures that compare the run with the one without the adversary.
    private func figures(beside calm: WholeRun, _ calmFigures: [ScenarioFigure: Double]) -> [ScenarioFigure: Double] {
        var figures: [ScenarioFigure: Double] = [:]
        if let latency = self.figures[.latencyP99], let other = calmFigures[.latencyP99], other > 0 {
            figures[.latencyRatio] = latency / other
        }
        if let traffic = span(from: .zero)?.byteCounts, let other = calm.span(from: .zero)?.byteCounts {
            figures[.trafficRatio] = Double(traffic.reduce(0, +)) / Double(max(1, other.reduce(0, +)))
            let attackedCount = scenario.adversary?.links ?? 0
            let elsewhere = [traffic, other].map { $0.dropFirst(attackedCount).reduce(0, +) }
            figures[.trafficElsewhere] = Double(elsewhere[0]) / Double(max(1, elsewhere[1]))
        }
        figures.merge(shelfFigures(beside: calm)) { $1 }
        let minute = max(.zero, elapsed - .seconds(60))
        if let traffic = span(from: minute), let other = calm.span(from: minute) {
            figures[.beaconRatio] = Double(traffic.beaconCount) / Double(max(1, other.beaconCount))
        }
        if let attack, scenario.adversary?.costsTime == true {
            let time = (net.watch.handlingTime - calm.net.watch.handlingTime) / .microseconds(1)
            figures[.processorTime] = max(0, time / Double(max(1, attack.sentCount)))
        }
        return figures
    }

    /// The traffic of honest hosts from a time to the end.
    private func span(from time: Duration) -> (byteCounts: [Int], beaconCount: Int)? {
        guard let first = samples.last(where: { $0.elapsed <= time }), let last = samples.last else { return nil }
        return (zip(last.byteCounts, first.byteCounts).map { $0 - $1 }, last.beaconCount - first.beaconCount)
    }

    /// Runs with more and more messages, each time from the same linked mesh; returns the highest load that the mesh
    /// carried, in messages a minute.
    private mutating func raiseLoad<Failure: Error>(
        _ report: (ScenarioProgress) throws(Failure) -> Void
    ) throws(Failure) -> Double {
        let linked = self
        let count = scenario.messages.count
        let authors = scenario.messages
        var (highest, perMinute) = (0.0, Self.firstLoad)
        while perMinute < Self.lastLoad {
            var trial = linked
            let interval = Duration.seconds(60) / perMinute
            let shown = min(count, max(4, Int(perMinute * (Self.trialTime / .seconds(60)))))
            trial.scenario.messages = authors.prefix(shown).enumerated().map { number, message in
                var message = message
                message.at = interval * number
                return message
            }
            try trial.carryOut(as: .running, report)
            let isCarried = (trial.figures[.latencyP99] ?? .infinity) <= 5 && count > 0
            if isCarried || highest == 0 { self = trial }
            guard isCarried else { break }
            highest = perMinute
            perMinute *= 2
        }
        return highest
    }

    /// The first load that is tried.
    ///
    /// Units: messages per minute.
    private static let firstLoad = 30.0
    /// The time for which a load is tried.
    private static let trialTime: Duration = .seconds(20)
    /// A load that no mesh carries.
    ///
    /// Units: messages per minute.
    private static let lastLoad = 1_000_000.0
}
