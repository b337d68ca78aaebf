import MeshCore

/// A scenario of whole nodes while it runs.
struct WholeRun: Sendable {
    /// The scenario, whose messages a rising load replaces.
    var scenario: Scenario
    var net: SimNet
    private(set) var attack: Attack?
    private var holes: [BlackHole] = []
    private(set) var mail: ScenarioMail
    private(set) var objects = ScenarioObjects()
    /// The way between the islands; nil in one mesh.
    private(set) var bridge: IslandBridge?
    private(set) var timeToOneComponent: Duration?
    /// The links when messages begin.
    private(set) var overlay: SimOverlay
    /// The state at the start, and then after each second.
    private(set) var samples: [WholeSample] = []
    /// For each host that started late and is linked, the time that it needed.
    private(set) var joinTimes: [Int: Duration] = [:]
    /// The time at which messages begin.
    private(set) var start = MeshInstant.zero
    private(set) var elapsed = Duration.zero
    /// The shelves of honest hosts when an attack on one of them begins.
    private(set) var firstShelves: [Shelf?] = []
    /// The times at which late hosts started.
    private(set) var startTimes: [Int: MeshInstant] = [:]

    // MARK: - Linking

    /// Links the mesh and warms it.
    init<Failure: Error>(
        _ scenario: Scenario,
        _ report: (ScenarioProgress) throws(Failure) -> Void
    ) throws(Failure) {
        self.scenario = scenario
        var quality = SegmentQuality(jitter: .microseconds(500), loss: scenario.loss)
        if scenario.channel != nil { quality.delay = .zero }
        quality.channel = scenario.channel
        var configuration = MeshConfiguration.simulated
        configuration.store = scenario.store
        net = SimNet(scenario.topology, seed: scenario.seed, quality: quality, configuration: configuration)
        if !scenario.wrongClocks.isEmpty {
            for host in net.hostNumbers {
                let day: UInt32 = scenario.wrongClocks.contains(host) ? 400 : 0
                let cryptography = NullCryptography(networkTags: [day + 1], beaconKey: [1])
                net.hosts[host] = SimHost(number: host, configuration: configuration, cryptography: cryptography)
            }
        }
        if scenario.endsInWire { net.segments[net.segments.count - 1].quality.channel = nil }
        net.watch.deliveries = []
        mail = ScenarioMail(carries: scenario.carries)
        overlay = SimOverlay(hostCount: 0, links: [])
        attack = scenario.adversary.map { Attack($0, in: &net, seed: scenario.seed) }
        if scenario.adversary?.isThereFirst == true { attack?.start(&net) }
        try link(report)
        try warm(report)
        startGateways()
        overlay = SimOverlay(hostCount: honestCount, links: honestPairs)
        start = net.now
        if scenario.adversary?.isThereFirst == false { attack?.start(&net) }
        if attack?.groundShelf != nil { firstShelves = currentShelves }
        samples = [sample]
    }

    var honestCount: Int { scenario.topology.hostCount }

    /// The hosts that start after the mesh is linked, and not again after a crash.
    var lateHosts: Set<Int> {
        var (crashed, late) = (Set<Int>(), Set<Int>())
        for event in scenario.events.sorted(by: { $0.at < $1.at }) {
            switch event.change {
            case .crash(let hosts): crashed.formUnion(hosts)
            case .start(let hosts): late.formUnion(Set(hosts).subtracting(crashed))
            case .connect, .disconnect, .spam, .air, .blackHole: break
            }
        }
        return late
    }

    private var islandCount: Int { scenario.islands == nil ? 1 : 2 }

    /// The links between honest hosts now.
    var honestPairs: [(Int, Int)] {
        net.honestLinks(among: honestCount).enumerated().flatMap { host, others in
            others.sorted().map { (host, $0) }
        }
    }

    /// The number of connected components among these hosts.
    func pieceCount(of hosts: [Int]) -> Int {
        var components = Components(honestCount)
        for (host, other) in honestPairs { components.join(host, other) }
        return Set(hosts.map { components.component(of: $0) }).count
    }

    private mutating func link<Failure: Error>(
        _ report: (ScenarioProgress) throws(Failure) -> Void
    ) throws(Failure) {
        let first = (0..<honestCount).filter { !lateHosts.contains($0) }
        let limit = scenario.startInterval * first.count + Self.linkingLimit
        let checkInterval = Duration.milliseconds(max(20, 2 * first.count))
        var (time, startCount) = (Duration.zero, 0)
        while timeToOneComponent == nil, time < limit {
            try report(ScenarioProgress(stage: .linking, fraction: time / limit))
            time += checkInterval
            let end = MeshInstant.zero.advanced(by: time)
            while startCount < first.count, scenario.startInterval * startCount < time {
                step(until: .zero.advanced(by: scenario.startInterval * startCount))
                net.start(first[startCount])
                startCount += 1
            }
            step(until: end)
            if startCount == first.count, pieceCount(of: first) == islandCount { timeToOneComponent = time }
        }
    }

    /// Sends some envelopes that are not counted, and waits while the network comes to rest.
    private mutating func warm<Failure: Error>(
        _ report: (ScenarioProgress) throws(Failure) -> Void
    ) throws(Failure) {
        guard scenario.isWarm else { return }
        for number in 0..<Self.warmingCount {
            try report(ScenarioProgress(stage: .warming, fraction: Double(number) / Double(Self.warmingCount)))
            let author = number * honestCount / Self.warmingCount
            net.submit(body: SimNet.body(Self.warmingNumber + number), from: author)
            step(until: net.now.advanced(by: .milliseconds(300)))
        }
        for number in 0..<scenario.earlierMessageCount {
            mail.write(ScenarioMessage(at: .zero, author: number % honestCount), in: &net)
            step(until: net.now.advanced(by: .milliseconds(10)))
        }
        // The more hosts, the longer a post takes.
        let interval = Duration.milliseconds(min(500 + 5 * honestCount, 3_000))
        for (number, pair) in scenario.conversations.enumerated() {
            try report(
                ScenarioProgress(stage: .warming, fraction: Double(number) / Double(scenario.conversations.count))
            )
            mail.write(ScenarioMessage(at: .zero, author: pair[0], recipients: [pair[1]]), in: &net)
            step(until: net.now.advanced(by: interval))
        }
        let rest = scenario.restTime ?? (scenario.channel == nil ? .seconds(1) : .seconds(5))
        step(until: net.now.advanced(by: rest))
        _ = net.watch.takeDeliveries()
        mail.beginCounting()
    }

    /// Connects the gateways of islands to the hub, and waits until they know their mailboxes.
    private mutating func startGateways() {
        bridge = scenario.islands.flatMap { IslandBridge($0, seed: scenario.seed) }
        bridge?.start(scenario.messages, seed: scenario.seed, in: &net)
        if bridge != nil { step(until: net.now.advanced(by: .seconds(5))) }
        bridge?.planOutage(from: net.now)
    }

    // MARK: - Running

    /// Performs all messages and events at their times.
    mutating func carryOut<Failure: Error>(
        as stage: ScenarioProgress.Stage,
        _ report: (ScenarioProgress) throws(Failure) -> Void
    ) throws(Failure) {
        let end = scenario.end
        let events = scenario.events.sorted { $0.at < $1.at }
        let messages = scenario.messages.sorted { $0.at < $1.at }
        var (eventCount, messageCount) = (0, 0)
        while elapsed < end {
            while eventCount < events.count, events[eventCount].at <= elapsed {
                carryOut(events[eventCount].change)
                eventCount += 1
            }
            while messageCount < messages.count, messages[messageCount].at <= elapsed {
                write(messages[messageCount])
                messageCount += 1
            }
            if elapsed.isMultiple(of: Self.reportInterval) {
                try report(ScenarioProgress(stage: stage, fraction: elapsed / end))
                noteJoins()
            }
            elapsed += Attack.interval
            step(until: start.advanced(by: elapsed))
            if elapsed.isMultiple(of: .seconds(1)) { samples.append(sample) }
        }
        noteJoins()
        samples.append(sample)
        try report(ScenarioProgress(stage: stage, fraction: 1))
    }

    private mutating func write(_ message: ScenarioMessage) {
        if message.kind == .far, bridge != nil {
            bridge?.write(message, in: &net)
        } else {
            mail.write(message, in: &net)
            objects.write(message, number: mail.entries.count - 1, in: &net)
        }
    }

    /// Runs the network, with the adversary and what hosts answer.
    private mutating func step(until end: MeshInstant) {
        while net.now < end {
            let next = min(end, net.now.advanced(by: Attack.interval))
            if bridge != nil { bridge?.run(&net, until: next) } else { net.run(until: next) }
            let isActive = start == .zero || elapsed <= (scenario.adversary?.duration ?? .zero)
            attack?.step(&net, isActive: isActive)
            for index in holes.indices { holes[index].step(&net) }
            for delivery in net.watch.takeDeliveries() where delivery.host < honestCount {
                mail.take(delivery, in: &net)
                objects.take(delivery, in: &net)
                bridge?.take(delivery, in: &net)
            }
            for (host, label) in net.watch.takeLostLabels() { mail.lose(label, at: host, in: &net) }
            mail.postOverdue(in: &net)
            objects.fetch(mail, in: &net)
            bridge?.confirm(in: &net)
        }
    }

    private mutating func carryOut(_ change: ScenarioEvent.Change) {
        switch change {
        case .crash(let hosts):
            for host in hosts { net.crash(host) }
        case .start(let hosts):
            for host in hosts {
                net.start(host)
                startTimes[host] = net.now
            }
        case .blackHole(let hosts):
            for host in hosts { holes.append(BlackHole(at: host, in: &net, seed: scenario.seed)) }
        case .air(let channel):
            for segment in net.segments.indices { net.segments[segment].quality.channel = channel }
        case .connect(let host, let other):
            let segment = net.addSegment(SegmentQuality(jitter: .microseconds(500), loss: scenario.loss))
            net.attach(host, to: segment)
            net.attach(other, to: segment)
        case .disconnect(let host, let other):
            for segment in net.segments.indices where net.segments[segment].members == [host, other].sorted() {
                net.detach(other, from: segment)
            }
        case .spam: break
        }
    }

    private mutating func noteJoins() {
        for (host, time) in startTimes.sorted(by: { $0.key < $1.key }) where joinTimes[host] == nil {
            let others = (net.snapshot(of: host)?.links ?? []).map { SimHost.number(at: $0.endpoint.address) }
            guard others.contains(where: { $0 < honestCount && startTimes[$0] == nil }) else { continue }
            joinTimes[host] = time.duration(to: net.now)
        }
    }

    private static let linkingLimit: Duration = .seconds(60)
    private static let reportInterval: Duration = .milliseconds(20)
    private static let warmingCount = 8
    private static let warmingNumber = 1_000_000
}

extension Duration {
    /// Whether the duration is a whole number of intervals.
    fileprivate func isMultiple(of interval: Duration) -> Bool {
        wholeNanoseconds % interval.wholeNanoseconds == 0
    }
}
