import MeshCore

extension Scenario {
    /// Runs the scenario to its end.
    ///
    /// Equal scenarios have equal results, in every process and on every machine.
    public func run() -> ScenarioResult {
        run { (_: ScenarioProgress) throws(Never) in }
    }

    /// Runs the scenario to its end and reports the progress.
    ///
    /// - Throws: The error of `report`, which ends the run.
    public func run<Failure: Error>(
        reporting report: (ScenarioProgress) throws(Failure) -> Void
    ) throws(Failure) -> ScenarioResult {
        guard linking != .whole else { return try WholeRun.result(of: self, report) }
        var run = try ScenarioRun(self, report)
        try run.carryOut(as: .running, report)
        var result = run.result
        result.figures = result.statistics.figures(result)
        if events.contains(where: \.isSpam) {
            var calm = try ScenarioRun(withoutSpam, report)
            try calm.carryOut(as: .comparing, report)
            let calmStatistics = calm.result.statistics
            result.statisticsWithoutSpam = calmStatistics
            result.figures[.latencyRatio] = result.statistics.latency.flatMap { latency in
                calmStatistics.latency.map { latency.percentile99 / $0.percentile99 }
            }
        }
        return result
    }
}

/// A scenario while it runs.
struct ScenarioRun: Sendable {
    /// A period in which the same hosts are connected.
    private struct Epoch: Sendable {
        let start: Duration
        /// For each host, the lowest host number in its connected component; nil while the host is off.
        let components: [Int?]
    }

    private enum Step: Sendable {
        case change(ScenarioEvent.Change)
        case write(author: Int, number: Int)
        case spam(Spam)
    }

    let scenario: Scenario
    private let overlay: SimOverlay
    private let timeToOneComponent: Duration?
    private var net: SimLinks
    /// The time at which the mesh was linked and warm.
    private let start: MeshInstant
    private let firstSpread: Int
    private var epochs: [Epoch]
    private var elapsed = Duration.zero
    private var spamCount = 0

    // MARK: - Running

    /// Links the mesh and warms it.
    init<Failure: Error>(
        _ scenario: Scenario,
        _ report: (ScenarioProgress) throws(Failure) -> Void
    ) throws(Failure) {
        self.scenario = scenario
        switch scenario.linking {
        case .modelled, .whole:
            overlay = SimOverlay(scenario.topology, seed: scenario.seed)
            timeToOneComponent = nil
        case .discovered:
            var linking = ScenarioLinking(scenario)
            try linking.carryOut(report)
            overlay = linking.overlay
            timeToOneComponent = linking.timeToOneComponent
        }
        net = SimLinks(overlay, seed: scenario.seed, quality: SimLinkQuality(loss: scenario.loss))
        if scenario.isWarm {
            try net.warm { part throws(Failure) in
                try report(ScenarioProgress(stage: .warming, fraction: part))
            }
        }
        start = net.now
        firstSpread = net.spreads.count
        epochs = [Epoch(start: .zero, components: net.components)]
    }

    /// Performs all steps at their times.
    mutating func carryOut<Failure: Error>(
        as stage: ScenarioProgress.Stage,
        _ report: (ScenarioProgress) throws(Failure) -> Void
    ) throws(Failure) {
        for (time, step) in steps {
            try advance(to: time, stage, report)
            carryOut(step, at: time)
        }
        try advance(to: scenario.end, stage, report)
        try report(ScenarioProgress(stage: stage, fraction: 1))
    }

    private mutating func advance<Failure: Error>(
        to time: Duration,
        _ stage: ScenarioProgress.Stage,
        _ report: (ScenarioProgress) throws(Failure) -> Void
    ) throws(Failure) {
        while elapsed < time {
            try report(ScenarioProgress(stage: stage, fraction: elapsed / scenario.end))
            elapsed = min(time, elapsed + Self.reportInterval)
            net.run(until: start.advanced(by: elapsed))
        }
    }

    /// The steps ordered by time.
    ///
    /// At equal times, events come first.
    private var steps: [(at: Duration, step: Step)] {
        var steps: [(at: Duration, step: Step)] = scenario.events.map { ($0.at, .change($0.change)) }
        for event in scenario.events {
            guard case .spam(let spam) = event.change else { continue }
            let count = Int(spam.duration / Self.spamInterval)
            steps += (0..<count).map { (event.at + Self.spamInterval * $0, .spam(spam)) }
        }
        steps += scenario.messages.enumerated().map { ($1.at, .write(author: $1.author, number: $0)) }
        // Steps at equal times keep the order in which they were added.
        return steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    private mutating func carryOut(_ step: Step, at time: Duration) {
        switch step {
        case .write(let author, let number):
            if net.isOn(author) { net.submit(body: SimNet.body(number), from: author) }
        case .spam(let spam): send(spam)
        case .change(.spam), .change(.start), .change(.air), .change(.blackHole): break
        case .change(.crash(let hosts)):
            for host in hosts { net.crash(host) }
            epochs.append(Epoch(start: time, components: net.components))
        case .change(.connect(let host, let other)):
            net.connect(host, other)
            epochs.append(Epoch(start: time, components: net.components))
        case .change(.disconnect(let host, let other)):
            net.disconnect(host, other)
            epochs.append(Epoch(start: time, components: net.components))
        }
    }

    private mutating func send(_ spam: Spam) {
        let count = Int((Self.spamInterval / .seconds(1) * Double(spam.perSecond)).rounded())
        for neighbour in overlay.neighbours[spam.from] {
            for _ in 0..<count {
                spamCount += 1
                let body = SimNet.body(Self.spamNumber + spamCount, byteCount: Self.spamByteCount)
                let envelope = Envelope(kind: .sealed, life: 360, body: body)
                net.inject(envelope.encoded(), to: neighbour, from: spam.from)
            }
        }
    }

    // MARK: - Result

    /// The result so far.
    var result: ScenarioResult {
        let messages = messageResults
        return ScenarioResult(
            scenario: scenario,
            overlay: overlay,
            messages: messages,
            statistics: ScenarioStatistics(messages, net.counters),
            timeToOneComponent: timeToOneComponent,
            crashedHosts: net.hostNumbers.filter { !net.isOn($0) },
            recovery: recovery(of: messages),
            virtualTime: MeshInstant.zero.duration(to: net.now) + (timeToOneComponent ?? .zero),
            eventCount: net.eventCount,
            traceHash: net.traceHash
        )
    }

    private var messageResults: [MessageResult] {
        var copies = [[SimArrival]](repeating: [], count: net.spreads.count - firstSpread)
        for arrival in net.arrivals where arrival.spread >= firstSpread {
            copies[arrival.spread - firstSpread].append(arrival)
        }
        var hostsOfPieces: [Int: [Int]] = [:]
        let components = net.components
        for (host, component) in components.enumerated() {
            if let component { hostsOfPieces[component, default: []].append(host) }
        }
        return zip(net.spreads[firstSpread...], copies).map { spread, copies in
            let holders = Set([spread.author] + copies.map(\.host))
            let reached = Set(holders.compactMap { components[$0] })
            let missed = reached.flatMap { hostsOfPieces[$0] ?? [] }.filter { !holders.contains($0) }
            let at = start.duration(to: spread.start)
            let arrivals = copies.map { copy in
                MessageResult.Arrival(
                    host: copy.host,
                    after: copy.latency,
                    latency: at + copy.latency - wayOpened(from: spread.author, to: copy.host, after: at),
                    hops: copy.hops
                )
            }
            return MessageResult(author: spread.author, at: at, arrivals: arrivals, missedHosts: missed.sorted())
        }
    }

    /// Returns the time, not before the writing of the message, from which links connected the author with the host.
    private func wayOpened(from author: Int, to host: Int, after time: Duration) -> Duration {
        for (number, epoch) in epochs.enumerated() {
            let isOver = number + 1 < epochs.count && epochs[number + 1].start <= time
            guard !isOver, let component = epoch.components[author], component == epoch.components[host] else {
                continue
            }
            return max(time, epoch.start)
        }
        return time
    }

    private func recovery(of messages: [MessageResult]) -> Duration? {
        guard epochs.count > 1, let change = epochs.last?.start else { return nil }
        var recovery = Duration.zero
        for message in messages where message.at <= change {
            guard let completion = message.completion else { return nil }
            recovery = max(recovery, message.at + completion - change)
        }
        return recovery
    }

    private static let reportInterval: Duration = .milliseconds(100)
    private static let spamInterval: Duration = .milliseconds(10)
    private static let spamByteCount = 40
    /// The first number for the content of spam bodies.
    ///
    /// Messages use other numbers.
    private static let spamNumber = 2_000_000
}

extension ScenarioStatistics {
    init(_ messages: [MessageResult], _ counters: SimLinkCounters) {
        let arrivals = messages.flatMap(\.arrivals)
        messageCount = messages.count
        arrivalCount = arrivals.count
        missedCount = messages.reduce(0) { $0 + $1.missedHosts.count }
        transmissionsPerArrival = counters.transmissionsPerArrival
        controlPerArrival = counters.controlPerArrival
        latency = Percentiles(arrivals.map(\.latency))
        hops = Percentiles(arrivals.map(\.hops))
        drops = counters.drops
    }

    /// The figures of a run over simulated links.
    func figures(_ result: ScenarioResult) -> [ScenarioFigure: Double] {
        var figures: [ScenarioFigure: Double] = [.delivered: coverage, .transmissions: transmissionsPerArrival]
        figures[.latencyP50] = latency.map { $0.median / .seconds(1) }
        figures[.latencyP99] = latency.map { $0.percentile99 / .seconds(1) }
        figures[.linkTime] = result.timeToOneComponent.map { $0 / .seconds(1) }
        figures[.recovery] = result.recovery.map { $0 / .seconds(1) }
        return figures
    }
}
